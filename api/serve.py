"""Runs the application on uvicorn, as `billet api` does."""

import socket
from typing import Final

import uvicorn

from api.asgi import Asgi
from api.guard import Guarded

MOST_CONNECTIONS: Final = 8192
"""How many connections a process has; uvicorn answers 503 on more."""
BACKLOG: Final = 2048
IDLE_SECONDS: Final = 75
STOP_SECONDS: Final = 3
"""How long requests in progress have to finish when the process stops, before they are answered 503."""
KERNEL_BYTES: Final = 64 * 1024
UNREAD_MS: Final = 30_000


class Server(uvicorn.Server):
    """uvicorn in one process, which may be asked to stop from any thread."""

    def __init__(self, app: Asgi, most_connections: int = MOST_CONNECTIONS) -> None:
        self._app = app
        super().__init__(
            uvicorn.Config(
                app,
                http=Guarded,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # the application counts proxies (`TRUSTED_PROXIES`)
                backlog=BACKLOG,
                limit_concurrency=most_connections,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until SIGINT, SIGTERM or `stop`, and lets requests in progress finish."""
        for listening in sockets or []:
            # Connections inherit these. A large buffer of the kernel would hide that a client does not read.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        super().run(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends streams and long-polls first: uvicorn waits for them before it tells the application."""
        self._app.close()
        await super().shutdown(sockets)

    def stop(self) -> None:
        """Asks the server to stop."""
        self.should_exit = True
