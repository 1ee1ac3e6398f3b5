"""Binds an address to listen on, or says why not, and how to reach it; serving belongs to the API server."""

import errno
import socket

from billet.errors import StartError

BACKLOG = 2048  # connections that nobody has taken yet

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def refuse_taken(host: str, port: int) -> None:
    """Raise StartError unless a server could listen on `host` and `port`."""
    _bound(host, port).close()


def listening_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens on `host` and `port`. Raises StartError when nobody can."""
    bound = _bound(host, port)
    bound.listen(BACKLOG)
    return bound


def _bound(host: str, port: int) -> socket.socket:
    try:
        # The protocol must be named: asyncio lets small packets wait on sockets that do not say that they are TCP.
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
    """Return an address of this machine at which a server listening on `host` answers."""
    return _EVERYWHERE.get(host, host)


def base_url(host: str, port: int) -> str:
    """Return the URL at which a server listening on `host` and `port` answers on this machine."""
    name = reachable(host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
