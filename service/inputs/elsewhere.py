"""Reads what another host publishes: within one deadline, up to a size, and over HTTPS also after redirects.

Sockets know how long to wait for the next byte. A host that sends one now and then would keep a call for ever, so each
read here waits only for what is left of the whole time.
"""

import http.client
import io
import ipaddress
import socket
import ssl
import time
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

LEAST_SECONDS: Final = 0.001
"""A wait of 0 would mean not to wait at all."""


class NotReadable(Exception):
    """What another host publishes cannot be read; the text says why."""


def read(url: str, seconds: float, most_bytes: int) -> bytes:
    """Returns what an address answers, after redirects. `HTTPS_PROXY` counts.

    Only looking up the host's name, and trying its next addresses, may take longer.

    Raises:
        NotReadable: it has not answered within the time, with a success, at most so many bytes, and over HTTPS if it is
            not on this machine.
    """
    end = time.monotonic() + seconds
    opener = urllib.request.OpenerDirector()  # without files and FTP, to which a redirect could lead
    for handler in (
        urllib.request.ProxyHandler({"https": proxy} if (proxy := urllib.request.getproxies().get("https")) else {}),
        _PlainOnLoopback(end),
        _Https(end),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    try:
        with opener.open(url, timeout=_left(end)) as answer:
            raw: bytes = answer.read(most_bytes + 1)
    except urllib.error.HTTPError as error:
        error.close()  # it is an open answer
        raise NotReadable(f"status {error.code}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotReadable(type(error).__name__) from error
    if len(raw) > most_bytes:
        raise NotReadable(f"more than {most_bytes} bytes")
    return raw


def may_be_plain(url: str) -> bool:
    """Returns whether an address may be read without TLS: it leads to this machine."""
    host = urlsplit(url).hostname or ""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _left(end: float) -> float:
    """Returns how long to wait for another host at most, so that all is over by the end."""
    return max(LEAST_SECONDS, end - time.monotonic())


class _Source(io.RawIOBase):
    """What comes over a connection, until the end."""

    def __init__(self, source: io.RawIOBase, connection: socket.socket, end: float) -> None:
        self._source = source
        self._connection = connection
        self._end = end

    def readable(self) -> bool:
        """Says that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Reads what has come, or waits for it as long as there is time."""
        if time.monotonic() >= self._end:
            raise TimeoutError
        self._connection.settimeout(_left(self._end))
        return self._source.readinto(buffer)

    def close(self) -> None:
        """Closes the connection."""
        self._source.close()
        super().close()


class _Answer(http.client.HTTPResponse):
    """An answer that is read until the end."""

    def __init__(self, connection: socket.socket, *more: Any, end: float, **named: Any) -> None:
        super().__init__(connection, *more, **named)
        self.fp = io.BufferedReader(_Source(self.fp.detach(), connection, end))


class _Until:
    """Makes connections of a kind that are over by the end."""

    def __init__(self, kind: type[http.client.HTTPConnection], end: float) -> None:
        self._kind = kind
        self._end = end

    def __call__(self, host: str, **more: Any) -> http.client.HTTPConnection:
        made = self._kind(host, **more | {"timeout": _left(self._end)})
        # `http.client` only calls it. Declared as a class, it could not be told when the answer has to be there.
        made.response_class = partial(_Answer, end=self._end)  # type: ignore[assignment]
        return made


class _PlainOnLoopback(urllib.request.HTTPHandler):
    def __init__(self, end: float) -> None:
        super().__init__()
        self._connections = _Until(http.client.HTTPConnection, end)

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        if not may_be_plain(req.full_url):
            raise urllib.error.URLError("it is not HTTPS")
        return self.do_open(self._connections, req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, end: float) -> None:
        super().__init__()
        self._connections = _Until(http.client.HTTPSConnection, end)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._connections, req, context=ssl.create_default_context())
