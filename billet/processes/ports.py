"""Binds an address to listen on, or explains why it cannot, and announces the URL to reach it."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
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


def reachable(host: str) -> str:
    """Returns an address of this machine at which API processes that listen on `host` answer."""
    return _EVERYWHERE.get(host, host)


def base_url(host: str, port: int) -> str:
    """Returns the URL at which API processes that listen on `host` and `port` answer on this machine."""
    name = reachable(host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


@contextmanager
def announced(data_dir: Path, url: str) -> Iterator[None]:
    """Writes below the data directory at which URL `billet serve` answers, as long as its processes run."""
    place = data_dir / URL_FILE
    place.write_text(f"{url}\n", encoding="utf-8")
    try:
        yield
    finally:
        place.unlink(missing_ok=True)
