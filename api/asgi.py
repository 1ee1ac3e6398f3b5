"""The front of the interface: takes requests in whole, has the application answer, and holds what has no end at once.

What is answered, and who may have it, the application says. No thread is held by a body on its way, by a long-poll or
by a stream.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from api.bare import bare_problem
from api.body import Arrived, Gone, Receive, arrived
from api.bridge import LATE, Answered, Bridge, Threads
from api.cors import Application
from api.frames import event_frame, notice_frame
from api.link import LINK, Link, OpenStreams
from api.metrics import Metrics
from api.streams import EventStream, OpenStream, Streams
from api.turns import READING, Turns
from service import Service
from service.errors import Unavailable
from service.feeds import Feeds
from service.following import Following
from service.noticeboard import Told
from service.reporting import Reporting
from service.said import Said
from service.settings import Settings

log = logging.getLogger(__name__)

Send: TypeAlias = Callable[[Any], Awaitable[None]]
Scope: TypeAlias = Mapping[str, Any]

FEEDS: Final = (b"/events", b"/events/stream", b"/events/ndjson")

VERIFYING: Final = "/v1/logs/verify"
"""Takes longer bodies than any other call, and changes nothing though it is a POST."""

LIMITED: Final = 429
LIMITED_SECONDS: Final = 0.25
"""How long a refusal for a limit is held back: who asks again at once would take as much as one who is served."""


class Front:
    """An ASGI application before a WSGI one."""

    def __init__(
        self,
        application: Application,
        settings: Settings,
        service: Service | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Without a service there is nothing to wait for; without metrics nobody asks how many wait."""
        self._bridge = Bridge(application)
        self._actors = Threads("actor", settings.api_threads)
        self._readers = Threads("reader", settings.api_threads)
        self._turns = Turns()
        self._most_body = settings.max_body_bytes
        self._most_log = settings.max_log_bytes
        self._service = service
        self._metrics = metrics or Metrics()
        self._open_streams = OpenStreams(settings.streams_per_process, settings.streams_per_player)
        self._streams = Streams(settings)
        self._feeds: Feeds | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        environ = self._bridge.environ(scope)
        try:
            body = await self._body(environ, receive)
        except Gone:
            return
        if body.late:
            environ[LATE] = True
        feed = self._service is not None and scope["raw_path"].endswith(FEEDS)
        link = environ[LINK] = Link(self._open_streams) if feed else None
        if link is None:
            del environ[LINK]
            await _send(send, await self._answered(environ, body.data), last=not body.whole)
            return
        try:
            answered = await self._waited(environ, body.data, link, receive)
            if answered is None:
                return
            if link.following is not None and answered.status == 200:
                await self._follow(link.following, answered, scope, receive, send)
            else:
                await _send(send, answered, last=not body.whole)
        finally:
            link.release()

    def reporting(self) -> Reporting:
        """Returns what reports to the installation what this process measures, for as long as it serves."""
        assert self._service is not None, "only a service has an installation"
        return Reporting(self._service.totals, "api")

    async def close(self) -> None:
        """Ends what has no end of its own, because the process stops."""
        self._streams.close()
        if self._service is not None:
            await asyncio.to_thread(self._service.teller.settle)
        if self._feeds is not None:
            self._feeds.close()

    # --- answering ---

    async def _body(self, environ: Mapping[str, Any], receive: Receive) -> Arrived:
        length = environ.get("CONTENT_LENGTH")
        if length in (None, "0") and "HTTP_TRANSFER_ENCODING" not in environ:
            return Arrived(b"", whole=True)
        most = self._most_log if environ["PATH_INFO"] == VERIFYING else self._most_body
        return await arrived(receive, int(length) if length is not None else None, most)

    async def _answered(self, environ: dict[str, Any], body: bytes) -> Answered:
        try:
            if environ["REQUEST_METHOD"] in READING or environ["PATH_INFO"] == VERIFYING:
                async with self._turns.reading():
                    return await self._bridge.answer(environ, body, self._readers)
            with self._turns.acting():
                return await self._bridge.answer(environ, body, self._actors)
        except asyncio.CancelledError:
            # The process has been asked to stop, and this takes too long.
            return Answered(*bare_problem("unavailable", Said("detail.stopping")))
        except Exception:
            # Flask writes its own failures as problems; this is one of what stands around it.
            log.exception("a request has failed outside of the application")
            return Answered(*bare_problem("internal_error", Said("detail.failed")))

    async def _waited(self, environ: dict[str, Any], body: bytes, link: Link, receive: Receive) -> Answered | None:
        """Returns the answer, when there is something to answer; None if the client has gone before."""
        again = environ.copy()
        answered = await self._answered(environ, body)
        if link.wait is None or answered.status != 200:
            return answered
        gone = asyncio.ensure_future(_hung_up(receive))
        kind, whose, after, seconds = link.wait
        wait = self._hub().wait if kind == "event" else self._hub().notices.wait
        waiting = asyncio.ensure_future(wait(whose, after, seconds))
        try:
            with self._metrics.waiting.track_inprogress():
                await asyncio.wait([gone, waiting], return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                return None
        finally:
            gone.cancel()
            waiting.cancel()
        link.waited = True
        return await self._answered(again, body)

    # --- following ---

    def _hub(self) -> Feeds:
        if self._feeds is None:
            assert self._service is not None, "only a service has games"
            self._feeds = self._service.feeds(event_frame, notice_frame, self._metrics.sent.inc)
        return self._feeds

    async def _follow(
        self, following: Following | Told, answered: Answered, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Sends an answer whose body goes on until what it tells of ends."""
        headers = [(name, value) for name, value in answered.headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answered.data, "more_body": True})
        transport = scope["billet.connection"].transport
        stream, join, leave = self._stream(following, transport)
        self._streams.add(stream)
        gone = asyncio.ensure_future(_hung_up(receive))
        gone.add_done_callback(lambda _: stream.end())
        try:
            with self._metrics.streams.track_inprogress():
                await join()
                await stream.ended()
        except Unavailable:
            pass  # The client comes back where it was.
        finally:
            gone.cancel()
            if stream.slow:
                self._metrics.slow.inc()
            leave()
            self._streams.forget(stream)
            if not transport.is_closing():
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _stream(
        self, following: Following | Told, transport: Any
    ) -> tuple[OpenStream, Callable[[], Awaitable[None]], Callable[[], None]]:
        """Returns a new stream on a connection, what lets it have all that follows, and what lets it go."""
        hub, most = self._hub(), self._streams.most
        if isinstance(following, Told):
            told = OpenStream(transport, following, most)
            whose = following.caller
            return told, partial(hub.notices.join, whose, told), partial(hub.notices.leave, whose, told)
        events = EventStream(transport, following, most)
        return events, partial(hub.join, following.snapshot, events), partial(hub.leave, following.game, events)


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, answered: Answered, *, last: bool) -> None:
    if answered.status == LIMITED:
        await asyncio.sleep(LIMITED_SECONDS)
    headers = [*answered.headers, (b"connection", b"close")] if last else answered.headers
    await send({"type": "http.response.start", "status": answered.status, "headers": headers})
    await send({"type": "http.response.body", "body": answered.data, "more_body": False})
