"""The service as an ASGI application, which any ASGI server runs: `uvicorn api.asgi:app`.

A call of Flask is a greenlet on the event loop (decision 033). Routes say whose calls take long, and those leave the
loop (`api/request/threads.py`). A long-poll is a greenlet that waits, a stream is a coroutine: neither holds a thread.
"""

import asyncio
import contextlib
import gc
import io
import logging
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import cache, lru_cache, partial
from types import FrameType
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from api.app import create_app
from api.application import MOST_BODY_BYTES, Application
from api.link import LINK, FeedName, Link, StreamPlan
from api.places import Turns, arriving_places, stream_places, verifying_places, waiting_places
from api.problems.bare import bare_refusal
from api.request.bodies import LATE
from api.request.environ import REQUEST, Environs, check
from api.request.limits import address_of
from api.streams import BUFFER_BYTES, Send, Stream, Streams
from games.errors import Refused, Unavailable
from games.messages import Message
from service import Service
from service.live.feeds import Feeds
from service.log_lines import request_id
from service.metrics.reporting import Reporting
from service.settings import Settings
from service.store.redis.greenlets import GreenletPool
from service.verifying.verifier import MOST_LOG_BYTES

Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
Headers: TypeAlias = list[tuple[str, str]]
Answered: TypeAlias = tuple[int, Headers, bytes]

UNREAD: Final = "billet.unread"
"""The key in the environment that marks a body of which more would follow."""
BODY_SECONDS: Final = 10.0
READ_OUT: Final = 1 << 20
"""Bytes read of a body that is too long, before it is refused and the connection closed."""
LIMITED_SECONDS: Final = 0.25
"""How long to delay a refusal for a limit: clients that retry at once would cost as much as served ones."""
NEW_OBJECTS: Final = 10_000
"""How many objects may come before the collector looks for cycles: by default calls cost up to twice as much."""
SWITCH_SECONDS: Final = 0.0005
"""For how long a thread may keep the interpreter while the event loop waits for it."""
LONGEST_PATH: Final = 200
"""In characters, of a path in the log."""

log = logging.getLogger(__name__)
access_log = logging.getLogger("api.access")


class ClientDisconnect(Exception):
    """The client has disconnected before its body was complete."""


class Asgi:
    """The ASGI application around the Flask application."""

    def __init__(self, application: Application, settings: Settings, service: Service) -> None:
        self._application, self._service = application, service
        self._metrics = application.metrics
        self._environs = Environs(settings.trusted_proxies)
        self._logs_every = bool(settings.access_log)
        self._long_bodies = _with_long_bodies(application)
        self._arriving, self._verifying = arriving_places(), verifying_places()
        self._open, self._waiting = stream_places(), waiting_places()
        self._greenlets, self._turns, self._streams = GreenletPool(), Turns(), Streams(self._metrics.sent.inc)
        self._feeds: Feeds | None = None
        self._closing = False

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answers a request, or follows the life of the server."""
        if scope["type"] == "lifespan":
            await self._live_through(receive, send)
        elif scope["type"] == "http":
            with contextlib.suppress(ClientDisconnect):
                await self._answer(scope, receive, send)

    # --- the life of the process ---

    async def _live_through(self, receive: Receive, send: Send) -> None:
        with Reporting(self._service.totals, "api", self._service.presence.write), self._service.watch:
            await receive()
            self._close_at_signals()
            gc.set_threshold(NEW_OBJECTS)
            gc.freeze()  # what the process begins with stays; a full collection went through it in 20 to 60 ms
            sys.setswitchinterval(SWITCH_SECONDS)
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self.close()
            await asyncio.to_thread(self._service.settle)
            self._service.redis.leave_loop()
            self._greenlets.end()
        await send({"type": "lifespan.shutdown.complete"})

    def _close_at_signals(self) -> None:
        """Ends streams and long-polls as soon as the server is asked to stop; it announces that only after them."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            of_server = signal.getsignal(number)
            if callable(of_server):
                with contextlib.suppress(ValueError):  # this is not the main thread, and gets no signals
                    signal.signal(number, partial(self._stop, loop, of_server))

    def _stop(
        self,
        loop: asyncio.AbstractEventLoop,
        of_server: Callable[[int, FrameType | None], object],
        number: int,
        frame: FrameType | None,
    ) -> None:
        loop.call_soon_threadsafe(self.close)
        of_server(number, frame)

    def close(self) -> None:
        """Ends all long-polls and streams, because the process stops. Clients reconnect elsewhere and resume."""
        self._closing = True
        self._streams.close()
        if self._feeds is not None:
            self._feeds.close()

    # --- answering ---

    async def _answer(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        begun, environ = time.perf_counter(), self._environs.of(scope)
        request_id.set(environ[REQUEST])
        address, watcher = address_of(environ), _DisconnectWatcher(receive)
        link = Link(
            address,
            environ.get("HTTP_AUTHORIZATION", ""),
            streams=self._open,
            waiting=self._waiting,
            turns=self._turns,
            wait=partial(self._wait, watcher),
        )
        environ[LINK] = link
        try:
            status, headers, data = await self._answered(scope, environ, receive, address)
            headers.append(("X-Request-ID", environ[REQUEST]))
            if environ.get(UNREAD):
                headers.append(("Connection", "close"))  # the rest of the body would be taken for the next request
            if status >= 500 or self._logs_every:
                _log(environ, status, time.perf_counter() - begun)
            if link.plan is not None and status == 200:
                await self._keep_open(link.plan, headers, data, watcher, send)
                return
            if status == 429:
                await (asyncio.sleep(LIMITED_SECONDS) if "HTTP_EXPECT" in environ else _drop_body(receive))
            await _send(send, status, headers, b"" if environ["REQUEST_METHOD"] == "HEAD" else data)
        finally:
            environ.clear()  # the link leads back here, and in a cycle a long body would wait for the collector
            watcher.forget()
            link.release()

    async def _answered(
        self, scope: dict[str, Any], environ: dict[str, Any], receive: Receive, address: str
    ) -> Answered:
        try:
            check(scope)
            with self._admitted(environ, address) as most:
                environ["wsgi.input"] = io.BytesIO(await self._body(environ, receive, address, most))
                await self._turns.enter(address)
                try:
                    return await self._greenlets.run(partial(self._called, environ))
                finally:
                    self._turns.leave(address)
        except Refused as refusal:
            return bare_refusal(refusal, environ)
        except asyncio.CancelledError:  # the process stops, and this takes too long
            return bare_refusal(Refused("unavailable", Message("detail.stopping"), retry_after=1), environ)

    @contextlib.contextmanager
    def _admitted(self, environ: dict[str, Any], address: str) -> Iterator[int]:
        """Yields how long the body may be. One that may be long holds a place until it is answered."""
        if environ["PATH_INFO"] not in self._long_bodies:
            yield MOST_BODY_BYTES
            return
        place = self._verifying.take(address)
        try:
            yield MOST_LOG_BYTES
        finally:
            self._verifying.leave(place)

    async def _body(self, environ: dict[str, Any], receive: Receive, address: str, most: int) -> bytes:
        """Returns the body, up to one byte more than allowed, so that the reader notices when it is too long."""
        body, size, more = bytearray(), 0, True
        if environ.get("CONTENT_LENGTH", "0") == "0" and "HTTP_TRANSFER_ENCODING" not in environ:
            message = await receive()
            more = message.get("more_body", False)  # by HTTP/2, it may be
            if not more:
                return b""
            body += message["body"]
        place = self._arriving.take(address)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more and size <= max(READ_OUT, most):
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnect
                    part, more = message.get("body", b""), message.get("more_body", False)
                    size += len(part)
                    body += part[: max(0, most + 1 - len(body))]
        except TimeoutError:
            environ[LATE] = True
        finally:
            self._arriving.leave(place)
        environ[UNREAD] = more
        return bytes(body)

    def _called(self, environ: dict[str, Any]) -> Answered:
        request_id.set(environ[REQUEST])
        started: list[Any] = []

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            started[:] = int(status[:3]), headers

        chunks = self._application(environ, start)
        try:
            return started[0], started[1], b"".join(chunks)
        finally:
            close = getattr(chunks, "close", None)
            if close is not None:
                close()

    # --- waiting and streaming ---

    def _live(self) -> Feeds:
        if self._feeds is None:
            self._feeds = self._service.feeds()
        return self._feeds

    async def _wait(
        self, watcher: "_DisconnectWatcher", feed: FeedName, whose: str, after: int, seconds: float
    ) -> None:
        if self._closing:
            return
        waiting = asyncio.ensure_future(getattr(self._live(), feed).wait(whose, after, seconds))
        try:
            with self._metrics.waiting.track_inprogress():
                await asyncio.wait([watcher.future(), waiting], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    async def _keep_open(
        self, plan: StreamPlan, headers: Headers, first: bytes, watcher: "_DisconnectWatcher", send: Send
    ) -> None:
        """Sends a stream: a response whose body goes on until the game or feed ends, or the client has gone."""
        await _send(send, 200, [field for field in headers if field[0] != "Content-Length"], first, more=True)
        stream, feeds = Stream(plan, BUFFER_BYTES, self._streams.encoded), self._live()
        watcher.future().add_done_callback(lambda _: stream.end())
        joining = asyncio.ensure_future(self._join(plan, feeds, stream))
        try:
            with self._streams.opened(stream), self._metrics.streams.track_inprogress():
                if self._closing:
                    stream.end()
                await stream.pump(send)
        finally:
            joining.cancel()
            feeds.leave(stream)
            if stream.slow:
                self._metrics.slow.inc()

    async def _join(self, plan: StreamPlan, feeds: Feeds, stream: Stream) -> None:
        """Has a feed send to a stream. What is there already may be more than the client takes at once."""
        try:
            await plan.join(feeds, stream)
        except Unavailable:
            stream.end()  # the client reconnects, and resumes where it was
        except Exception:
            log.exception("a stream has failed")
            stream.end()


class _DisconnectWatcher:
    """Whether the client of a request has disconnected. Ask once its body has arrived."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._future: asyncio.Future[Any] | None = None

    def future(self) -> "asyncio.Future[Any]":
        """Returns what is done when the client has disconnected."""
        if self._future is None:
            self._future = asyncio.ensure_future(self._receive())
        return self._future

    def forget(self) -> None:
        """Stops looking."""
        if self._future is not None:
            self._future.cancel()


def _with_long_bodies(application: Application) -> frozenset[str]:
    """Returns the paths of the application whose views take a long body."""
    return frozenset(
        rule.rule
        for rule in application.url_map.iter_rules()
        if getattr(application.view_functions[rule.endpoint], "has_long_body", False)
    )


async def _drop_body(receive: Receive) -> None:
    """Drops for LIMITED_SECONDS what comes of a body: the server would keep it. It would ask for one that waits."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LIMITED_SECONDS):
            while (await receive())["type"] != "http.disconnect":
                pass


async def _send(send: Send, status: int, headers: Headers, data: bytes, *, more: bool = False) -> None:
    fields = [(_encoded(name), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": data, "more_body": more})


@lru_cache(maxsize=256)
def _encoded(name: str) -> bytes:
    return name.lower().encode("latin-1")


def _log(environ: dict[str, Any], status: int, seconds: float) -> None:
    """Logs a response without the query, which may hold a join code."""
    path = quote(environ["PATH_INFO"][:LONGEST_PATH], encoding="latin-1")
    level = logging.INFO if status < 500 else logging.ERROR
    line = ("%s %s answered %d after %d ms", environ["REQUEST_METHOD"], path, status, 1000 * seconds)
    access_log.log(level, *line, extra={"request": environ[REQUEST]})


def create_asgi(settings: Settings) -> Asgi:
    """Returns the API's ASGI application."""
    application = create_app(settings)
    return Asgi(application, settings, application.extensions["billet.service"])


_from_env: Final = cache(lambda: create_asgi(Settings.from_env()))


async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The API's ASGI application by the settings in the environment, made when a server first calls it."""
    await _from_env()(scope, receive, send)
