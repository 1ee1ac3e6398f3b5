"""The front of the interface: takes requests in whole and has the application answer; what it says is elsewhere."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from api.bare import bare_problem
from api.body import Arrived, Gone, Receive, arrived
from api.bridge import LATE, Answered, Bridge, Threads
from api.cors import Application
from service.said import Said

log = logging.getLogger(__name__)

Send: TypeAlias = Callable[[Any], Awaitable[None]]

LIMITED: Final = 429
LIMITED_SECONDS: Final = 0.25
"""How long a refusal for a limit is held back: who asks again at once would take as much as one who is served."""


class Front:
    """An ASGI application before a WSGI one."""

    def __init__(self, application: Application, *, threads: int, most_body: int) -> None:
        """`threads` is how many requests are worked on at once, `most_body` what a body may have in bytes."""
        self._bridge = Bridge(application)
        self._threads = Threads("action", threads)
        self._most_body = most_body

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answers a request."""
        environ = self._bridge.environ(scope)
        try:
            body = await self._body(environ, receive)
        except Gone:
            return
        if body.late:
            environ[LATE] = True
        answered = await self._answered(environ, body.data)
        await _send(send, answered, last=not body.whole)

    async def close(self) -> None:
        """Ends what has no end of its own, because the process stops."""

    async def _answered(self, environ: dict[str, Any], body: bytes) -> Answered:
        try:
            return await self._bridge.answer(environ, body, self._threads)
        except asyncio.CancelledError:
            # The process has been asked to stop, and this takes too long.
            return Answered(*bare_problem("unavailable", Said("detail.stopping")))
        except Exception:
            # Flask writes its own failures as problems; this is one of what stands around it.
            log.exception("a request has failed outside of the application")
            return Answered(*bare_problem("internal_error", Said("detail.failed")))

    async def _body(self, environ: Mapping[str, Any], receive: Receive) -> Arrived:
        length = environ.get("CONTENT_LENGTH")
        if length in (None, "0") and "HTTP_TRANSFER_ENCODING" not in environ:
            return Arrived(b"", whole=True)
        return await arrived(receive, int(length) if length is not None else None, self._most_body)


async def _send(send: Send, answered: Answered, *, last: bool) -> None:
    if answered.status == LIMITED:
        await asyncio.sleep(LIMITED_SECONDS)
    headers = [*answered.headers, (b"connection", b"close")] if last else answered.headers
    await send({"type": "http.response.start", "status": answered.status, "headers": headers})
    await send({"type": "http.response.body", "body": answered.data, "more_body": False})
