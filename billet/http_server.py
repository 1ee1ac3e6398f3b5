"""Serves an ASGI application in the present process, until a signal; which processes there are is not here."""

import signal
import socket
from typing import Any

import uvicorn

from billet.connection import Connection

STOP_SECONDS = 3  # that requests under way get
KEEP_ALIVE_SECONDS = 75
BACKLOG = 2048


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, application: Any) -> None:
        super().__init__(config)
        self._application = application

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # What is open without an end would be waited for.
        await self._application.close()
        await super().shutdown(sockets)


def serve(application: Any, listening: socket.socket, *, log_level: str) -> None:
    """Serves until SIGINT or SIGTERM, lets requests under way end, and returns."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # The server raises the signal again when it has stopped, which must not end the process then.
        signal.signal(number, lambda *_: None)
    server(application, log_level).run(sockets=[listening])


def server(application: Any, log_level: str) -> uvicorn.Server:
    """Returns a server that is not running yet."""
    config = uvicorn.Config(
        application,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=log_level,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    return _Server(config, application)
