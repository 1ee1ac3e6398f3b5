"""Hands requests to the WSGI application, each in a thread while it is worked on and no longer; it decides nothing.

Ready-made bridges were measured: with them an action takes half as much processor time again.
"""

import asyncio
import io
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from api.cors import Application

Headers: TypeAlias = list[tuple[bytes, bytes]]

LATE: Final = "billet.late"
"""What the environment holds when the body has not arrived in time."""

_ALWAYS: Final[dict[str, Any]] = {
    "SCRIPT_NAME": "",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
}
_BARE: Final = {b"content-length": "CONTENT_LENGTH", b"content-type": "CONTENT_TYPE"}
_MOST_NAMES: Final = 256


class Answered(NamedTuple):
    """What the application has answered."""

    status: int
    headers: Headers
    data: bytes


class Threads:
    """So many jobs at once, and the others in turn; leaner than an executor and its futures."""

    def __init__(self, name: str, most: int) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        for number in range(most):
            threading.Thread(target=self._work, daemon=True, name=f"{name}-{number}").start()

    def put(self, job: Callable[[], None]) -> None:
        """Lets a job be done; it must raise nothing."""
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            self._jobs.get()()


class Bridge:
    """A WSGI application for a front that is asynchronous."""

    def __init__(self, application: Application) -> None:
        self._application = application
        # Both are bounded: names come from clients.
        self._keys: dict[bytes, str | None] = {}
        self._lower: dict[str, bytes] = {}

    def environ(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the environment of a request, without its body."""
        environ = _ALWAYS.copy()
        for name, raw in scope["headers"]:
            key = self._keys.get(name) or self._key(name)
            if key is not None:
                value = raw.decode("latin-1")
                environ[key] = f"{environ[key]},{value}" if key in environ else value
        raw_path: bytes = scope["raw_path"]
        environ["REQUEST_METHOD"] = scope["method"]
        environ["PATH_INFO"] = (unquote_to_bytes(raw_path) if b"%" in raw_path else raw_path).decode("latin-1")
        environ["QUERY_STRING"] = scope["query_string"].decode("latin-1")
        environ["SERVER_PROTOCOL"] = "HTTP/" + scope["http_version"]
        host, port = scope["server"] or ("", 0)
        environ["SERVER_NAME"], environ["SERVER_PORT"] = host, str(port)
        environ["REMOTE_ADDR"] = scope["client"][0] if scope["client"] else ""
        return environ

    async def answer(self, environ: dict[str, Any], body: bytes, threads: Threads) -> Answered:
        """Returns what the application answers, worked out in one of some threads."""
        environ["wsgi.input"] = io.BytesIO(body)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answered] = loop.create_future()

        def work() -> None:
            try:
                answered = self._answered(environ)
            except BaseException as error:
                tell, outcome = future.set_exception, error
            else:
                tell, outcome = future.set_result, answered  # type: ignore[assignment]  # either takes what follows
            try:
                loop.call_soon_threadsafe(_settle, future, tell, outcome)
            except RuntimeError:  # the loop has ended, and nobody waits any more
                return

        threads.put(work)
        return await future

    def _answered(self, environ: dict[str, Any]) -> Answered:
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
        return Answered(int(status[:3]), [(self._lowered(name), v.encode("latin-1")) for name, v in headers], data)

    def _key(self, name: bytes) -> str | None:
        """Returns the variable for a header; None for one with an underscore, which would pass for another."""
        if b"_" in name:
            return None
        key = _BARE.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        if len(self._keys) < _MOST_NAMES:
            self._keys[name] = key
        return key

    def _lowered(self, name: str) -> bytes:
        low = self._lower.get(name)
        if low is None:
            low = name.lower().encode("latin-1")
            if len(self._lower) < _MOST_NAMES:
                self._lower[name] = low
        return low


def _settle(future: "asyncio.Future[Any]", tell: Callable[[Any], None], outcome: Any) -> None:
    if not future.done():
        tell(outcome)
