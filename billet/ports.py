"""Says whether an address is free to listen on, and how to reach it; listening belongs to the API server."""

import errno
import socket

from billet.errors import StartError

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def refuse_taken(host: str, port: int) -> None:
    """Raise StartError unless a server could listen on `host` and `port`.

    The API server shares its port among processes (SO_REUSEPORT), so it would join a running one without a word.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
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
