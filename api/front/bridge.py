"""Passes requests to the WSGI application: on the event loop, or in a worker thread for as long as the call takes.

Ready-made bridges were measured: with them an action takes 50 % more CPU time.
"""

import asyncio
import io
import queue
import threading
import weakref
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from api.cors import WsgiApp
from api.front.head import REQUEST
from games.log_lines import NONE, current_request
from service.store.exchange.serving import Calls

JobQueue: TypeAlias = queue.SimpleQueue[Callable[[], None] | None]

_MOST_NAMES: Final = 256


class Answered(NamedTuple):
    """A response of the application."""

    status: int
    fields: bytes
    """The fields of its head, by `fields_of`."""
    data: bytes


class Threads:
    """Runs a limited number of jobs at once and queues the others; leaner than an executor and its futures.

    Its threads end when it is garbage-collected.
    """

    def __init__(self, name: str, most: int) -> None:
        self._jobs: JobQueue = queue.SimpleQueue()
        for number in range(most):
            threading.Thread(target=_work, args=(self._jobs,), daemon=True, name=f"{name}-{number}").start()
        weakref.finalize(self, _end, self._jobs, most)

    def put(self, job: Callable[[], None]) -> None:
        """Queues a job, which must not raise, for the threads in which the front calls Flask."""
        self._jobs.put(job)


class _Lower(dict[str, str]):
    """Names of headers in lower case, by how the application writes them; a known one takes no call."""

    def __missing__(self, name: str) -> str:
        """Returns the lower-case name of a response's header that the front has not sent yet, and remembers it."""
        low = name.lower()
        if len(self) < _MOST_NAMES:
            self[name] = low
        return low


_LOWER: Final = _Lower()


def fields_of(headers: Iterable[tuple[str, str]]) -> bytes:
    """Returns the headers of a response as the front sends them, each with the end of the line before it."""
    return "".join([f"\r\n{_LOWER[name]}: {value}" for name, value in headers]).encode("latin-1")


class Bridge:
    """Makes a WSGI application usable from the asynchronous front."""

    def __init__(self, application: WsgiApp) -> None:
        self._application = application
        self._calls = Calls()

    async def answer(
        self, environ: dict[str, Any], body: bytes | bytearray, threads: Threads | None = None
    ) -> Answered:
        """Calls the WSGI application for the front and returns its response.

        Without threads the call runs on the event loop, which goes on while the call waits for Redis.
        """
        environ["wsgi.input"] = io.BytesIO(body)
        if threads is None:
            return await self._calls.make(partial(self._answered, environ))
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answered] = loop.create_future()

        def work() -> None:
            settle: Callable[[Any], None]
            outcome: Any
            try:
                answered = self._answered(environ)
            except BaseException as error:
                settle, outcome = future.set_exception, error
            else:
                settle, outcome = future.set_result, answered
            try:
                loop.call_soon_threadsafe(_settle_once, future, settle, outcome)
            except RuntimeError:  # the loop has ended, so nobody waits for the result
                return

        threads.put(work)
        return await future

    def end(self) -> None:
        """Ends what the front's calls have used, on its event loop; call it after the last call."""
        self._calls.end()

    def _answered(self, environ: dict[str, Any]) -> Answered:
        current_request.set(environ.get(REQUEST, NONE))
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            started[:] = [(status, headers)]

        chunks = self._application(environ, start)
        try:
            data = b"".join(chunks)
        finally:
            close = getattr(chunks, "close", None)
            if close is not None:
                close()
        status, headers = started[0]
        return Answered(int(status[:3]), fields_of(headers), data)


def _work(jobs: JobQueue) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # else the thread keeps the latest request, whose body may be long, until it gets another one


def _end(jobs: JobQueue, threads: int) -> None:
    for _ in range(threads):
        jobs.put(None)


def _settle_once(future: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: Any) -> None:
    if not future.done():
        settle(outcome)
