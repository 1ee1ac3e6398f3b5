"""Binds an address to listen on, or explains why it cannot, and announces the URL to reach it."""

import errno
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from billet.errors import StartError

URL_FILE = "url"
BACKLOG = 2048  # connections not accepted yet

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def refuse_taken(host: str, port: int) -> None:
    """Checks that the API processes could listen on `host` and `port`. Raises StartError if not."""
    _bound_socket(host, port).close()


def listening_on(host: str, port: int) -> socket.socket:
    """Returns a socket on which API processes listen. Raises StartError if the port cannot be had."""
    bound = _bound_socket(host, port)
    bound.listen(BACKLOG)
    return bound


def _bound_socket(host: str, port: int) -> socket.socket:
    try:
        # Name the protocol: asyncio sets TCP_NODELAY only on sockets created as TCP; others delay small packets.
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
        )[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
        return bound
    except socket.gaierror as error:
        raise StartError(f"HOST {host!r} is not an address of this machine: {error.strerror}") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(f"port {port} is taken: stop what listens on it, or choose another PORT") from error
        raise StartError(f"cannot listen on {host}:{port}: {error.strerror}") from error


def base_url(host: str, port: int) -> str:
    """Returns the URL at which API processes that listen on `host` and `port` answer on this machine."""
    name = _EVERYWHERE.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def answers_ok(url: str, seconds: float) -> bool:
    """Returns whether an API process of this machine answers a URL with 200 within so many seconds."""
    try:
        # Connects directly and ignores a proxy in the environment.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(url, timeout=seconds) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):
        return False


@contextmanager
def announced(data_dir: Path, url: str) -> Iterator[None]:
    """Writes below the data directory at which URL `billet serve` answers, as long as its processes run."""
    place = data_dir / URL_FILE
    place.write_text(f"{url}\n", encoding="utf-8")
    try:
        yield
    finally:
        place.unlink(missing_ok=True)
