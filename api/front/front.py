"""The front of the interface: buffers each request, calls the Flask application, and keeps streams and long-polls open.

The application decides on the content and on permissions. An arriving body, a long-poll or a stream holds no thread.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from api.cors import EVERY_ANSWER, WsgiApp
from api.front.access_log import log_answer
from api.front.bare import bare_problem, bare_refusal
from api.front.body import Gone
from api.front.bridge import Answered, Bridge, Threads, fields_of
from api.front.connection import Request
from api.front.gates import APART, VERIFYING, Gate
from api.front.head import REQUEST, Heads
from api.front.link import LINK, Following, Link, Wait
from api.front.messages import MESSAGES
from api.front.places import Place, arriving_places, stream_places, waiting_places
from api.front.scheduler import AT_ONCE, BRIEF, CallKind, Scheduler, Slot, Who, kind_of
from api.front.streams import EventStream, OpenStream, Streams
from api.metrics.requests import Metrics
from api.request.bodies import LATE
from api.request.limits import address_of
from games.errors import Refused, Unavailable
from games.log_lines import current_request
from games.messages import Message
from service import Service
from service.live.feeds import LOBBY, Feeds
from service.live.lobby_changes import LobbyFollowing
from service.live.notices import NoticesFollowing
from service.metrics.reporting import Reporting
from service.settings import Settings

log = logging.getLogger(__name__)

HEALTH: Final = "/healthz"
ALIVE: Final = Answered(
    200,
    fields_of(
        [
            *EVERY_ANSWER,
            ("Content-Type", "application/json"),
            ("Content-Length", "15"),
            ("Cache-Control", "no-store"),
        ]
    ),
    b'{"status":"ok"}',
)
"""The response that the event loop sends itself."""
LIMITED: Final = 429
LIMITED_SECONDS: Final = 0.25
"""How long to delay a refusal for a limit; clients that retry at once would cost as much as served ones."""


class Front:
    """Handles the requests of all connections with a WSGI application."""

    def __init__(
        self,
        application: WsgiApp,
        settings: Settings,
        service: Service | None = None,
        metrics: Metrics | None = None,
        *,
        threads: int = 0,
    ) -> None:
        """Makes a front: without a service it has no long-polls and streams, without metrics it exports none.

        An application that blocks the event loop needs `threads`: so many for each kind of call.
        """
        self.heads = Heads(settings.trusted_proxies)
        self._bridge = Bridge(application)
        self._threads = {
            kind: Threads(kind.name.lower(), threads or AT_ONCE[kind])
            for kind in CallKind
            if threads or kind not in BRIEF
        }
        """Each kind of call has threads of its own, so that slow ones never take any from the others."""
        self._verifier = Threads("verifier", 1)
        self._gate = Gate()
        self._most_body = settings.max_body_bytes
        self._most_log = settings.max_log_bytes
        self._service = service
        self._scheduler = Scheduler()
        self._metrics = metrics or Metrics()
        self._open_streams = stream_places(settings)
        self._waiting = waiting_places(settings)
        self._arriving = arriving_places()
        self._streams = Streams(settings)
        self._most_buffered = settings.stream_buffer_bytes
        self._slow = settings.stream_slow_seconds
        self._feeds: Feeds | None = None
        self._logs_every = bool(settings.access_log)

    def most_body(self, environ: Mapping[str, Any]) -> int:
        """Returns how long a request's body may be to be let through the front, in bytes."""
        return self._most_log if environ["PATH_INFO"] == VERIFYING else self._most_body

    async def answer(self, request: Request) -> None:
        """Responds to a request on its connection: through the front's gate, then from the application."""
        environ = request.environ
        current_request.set(environ[REQUEST])
        try:
            with self._gate.held(environ):
                if not request.body.whole:
                    await self._receive(request)
                if environ["REQUEST_URI"] == HEALTH and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
                    request.connection.send(request, ALIVE)  # even if all threads are busy
                    return
                if request.body.late:
                    environ[LATE] = True
                await self._serve(request)
        except Gone:
            return
        except Refused as refusal:
            await self._send(request, bare_refusal(refusal, environ), last=True)

    @contextlib.contextmanager
    def reporting(self) -> Iterator[None]:
        """Reports the metrics of the front's process and watches the archive during a `with` block."""
        assert self._service is not None, "only a service has an installation"
        with Reporting(self._service.totals, "api", self._service.presence.write), self._service.watch:
            yield

    async def close(self) -> None:
        """Ends all long-polls and streams of the front because its process stops."""
        self._streams.close()
        if self._feeds is not None:
            self._feeds.close()

    async def end(self) -> None:
        """Sends the pending notices and closes the front's connection to Redis; call it after the last call."""
        if self._service is not None:
            await asyncio.to_thread(self._service.notifier.settle)
            self._service.exchange.leave_loop()
        self._bridge.end()

    # --- answering ---

    async def _receive(self, request: Request) -> None:
        """Reads a body that has not arrived with its head, and holds a place of the front for as long."""
        place = self._arriving.take(address_of(request.environ), None)
        place.end_with(request.body.give_up)
        try:
            await request.connection.receive(request)
        finally:
            self._arriving.leave(place)

    async def _serve(self, request: Request) -> None:
        """Takes a slot for a request whose body has arrived in the front, and responds to it."""
        # Any call may turn into a long-poll or a stream: the application decides.
        who = Who(address_of(request.environ), request.environ.get("HTTP_AUTHORIZATION", ""))
        kind = kind_of(request.environ["REQUEST_METHOD"], request.environ["PATH_INFO"], request.environ["QUERY_STRING"])
        slot = self._scheduler.slot(kind, who)
        wait = partial(self._wait, request, slot)
        link = Link(self._open_streams, self._waiting, who.address, who.token, wait)
        request.environ[LINK] = link
        try:
            answered = await self._answered(request, slot)
            if link.following is not None and answered.status == 200:
                await self._follow(link.following, link.place, answered, request)
            else:
                await self._send(request, answered)
        finally:
            link.release()
            del request.environ[LINK]  # it leads back here, and in a cycle a long body waits for the collector

    async def _answered(self, request: Request, slot: Slot) -> Answered:
        environ, body = request.environ, request.body.data
        try:
            if environ["PATH_INFO"] in APART:
                return await self._bridge.answer(environ, body, self._verifier)
            async with slot:
                return await self._bridge.answer(environ, body, self._threads.get(slot.kind))
        except Refused:
            raise
        except asyncio.CancelledError:
            # The process has been asked to stop, and this takes too long.
            return bare_problem("unavailable", Message("detail.stopping"), environ)
        except Exception:
            # Flask turns its own failures into problems; this one comes from the code around it.
            log.exception("a request has failed outside of the application")
            return bare_problem("internal_error", Message("detail.failed"), environ)

    async def _wait(self, request: Request, slot: Slot, wait: Wait, place: Place) -> None:
        """Waits for the event of a long-poll, or until its client has hung up; meanwhile others have its slot."""
        gone = request.connection.hung_up()
        feeds = self._live()
        waits = feeds.games.wait if wait.kind == "event" else feeds.notices.wait
        waiting = asyncio.ensure_future(waits(wait.whose, wait.after, wait.seconds))
        place.end_with(partial(asyncio.get_running_loop().call_soon_threadsafe, waiting.cancel))
        try:
            async with slot.given_up():
                with self._metrics.waiting.track_inprogress():
                    await asyncio.wait([gone, waiting], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    async def _send(self, request: Request, answered: Answered, *, last: bool = False) -> None:
        if answered.status == LIMITED:
            await asyncio.sleep(LIMITED_SECONDS)
        log_answer(request, answered.status, every=self._logs_every)
        request.connection.send(request, answered, last=last)

    # --- following ---

    def _live(self) -> Feeds:
        if self._feeds is None:
            assert self._service is not None, "only a service has games"
            self._feeds = self._service.feeds(MESSAGES, self._metrics.sent.inc)
        return self._feeds

    async def _follow(self, following: Following, place: Place, answered: Answered, request: Request) -> None:
        """Sends a stream: a response whose body the front continues until the game or feed ends."""
        connection = request.connection
        log_answer(request, answered.status, every=self._logs_every)
        connection.begin(request, answered, self._slow)
        stream, join, leave = self._stream(following, connection.transport)
        self._streams.add(stream)
        place.end_with(partial(asyncio.get_running_loop().call_soon_threadsafe, stream.end))
        gone = connection.hung_up()
        gone.add_done_callback(stream.hung_up)
        try:
            with self._metrics.streams.track_inprogress():
                await join()
                await stream.ended()
        except Unavailable:
            pass  # The client reconnects and resumes where it was.
        finally:
            gone.remove_done_callback(stream.hung_up)
            if stream.slow:
                self._metrics.slow.inc()
            leave()
            self._streams.forget(stream)
            connection.finish(request)

    def _stream(
        self, following: Following, transport: Any
    ) -> tuple[OpenStream, Callable[[], Awaitable[None]], Callable[[], None]]:
        """Returns a new stream on a client's connection, the function that feeds it, and the one that releases it."""
        feeds, most = self._live(), self._most_buffered
        if isinstance(following, NoticesFollowing):
            stream = OpenStream(transport, following, most)
            whose = following.caller
            return stream, partial(feeds.notices.join, whose, stream), partial(feeds.notices.leave, whose, stream)
        if isinstance(following, LobbyFollowing):
            watching = OpenStream(transport, following, most)
            return watching, partial(feeds.lobby.join, LOBBY, watching), partial(feeds.lobby.leave, LOBBY, watching)
        games, events = feeds.games, EventStream(transport, following, most)
        return events, partial(games.join, following.snapshot, events), partial(games.leave, following.game, events)
