"""The HTTP client of those who play whole games: thousands of calls are to cost the service more than the test."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from json import dumps, loads
from multiprocessing.connection import wait
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

NO_ANSWER = (OSError, HTTPException)
"""What is raised by a call that gets no answer, or a part of one."""


def scraped(port: int) -> str:
    """Returns the metrics of a process of the API, by a connection of its own."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        return str(answer.read(), "utf-8")


class Answer(NamedTuple):
    """What came back, and what it answers."""

    method: str
    path: str
    sent: bytes
    status_code: int
    headers: Any
    content: bytes

    @property
    def text(self) -> str:
        """Returns the body as text."""
        return self.content.decode()

    def json(self) -> Any:
        """Returns what the body says."""
        return loads(self.content)


class Client:
    """Makes calls, also several at once, each on a connection that is free or a new one."""

    def __init__(
        self, base: str, timeout: float | None = 40, tls: ssl.SSLContext | None = None, **headers: Any
    ) -> None:
        """`timeout` is how many seconds nothing may come; `tls` is the context of a client that trusts the server."""
        self.base, self.timeout, self.tls, self.headers = base, timeout, tls, headers
        self.noticing: list[Callable[[Answer], object]] = []
        """What is called with each answer."""
        self._free: list[HTTPConnection] = []

    def get(self, path: str, **options: Any) -> Answer:
        """Makes a GET."""
        return self.request("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> Answer:
        """Makes a POST."""
        return self.request("POST", path, json, **options)

    def delete(self, path: str, **options: Any) -> Answer:
        """Makes a DELETE."""
        return self.request("DELETE", path, **options)

    def request(self, method: str, path: str, json: Any = None, **options: Any) -> Answer:
        """Calls and returns the whole answer."""
        with self.stream(method, path, json, **options) as (response, sent):
            answer = Answer(method, path, sent, response.status, response.headers, response.read())
        for notice in self.noticing:
            notice(answer)
        return answer

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        json: Any = None,
        content: bytes = b"",
        params: Any = None,
        headers: Any = None,
        timeout: float | None = None,
    ) -> Iterator[tuple[HTTPResponse, bytes]]:
        """Calls and yields what comes back, to be read, and the body that was sent."""
        headers = {**self.headers, **(headers or {})}
        if json is not None:
            content = dumps(json).encode()
            headers.setdefault("Content-Type", "application/json")
        connection, whole = self._connection(timeout or self.timeout), False
        try:
            target = f"{path}?{urlencode(params)}" if params else path
            connection.request(method, target, content or None, headers)
            with connection.getresponse() as response:
                yield response, content
                whole = response.isclosed()
        finally:
            if whole:
                self._free.append(connection)
            else:
                connection.close()

    def _connection(self, timeout: float | None) -> HTTPConnection:
        try:
            connection = self._free.pop()
        except IndexError:
            place = urlsplit(self.base).netloc
            if self.tls is not None:
                return HTTPSConnection(place, timeout=timeout, context=self.tls)
            return HTTPConnection(place, timeout=timeout)
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
            if wait([connection.sock], 0):  # the service has closed it meanwhile
                connection.close()
        return connection

    def close(self) -> None:
        """Closes the connections."""
        while self._free:
            self._free.pop().close()
