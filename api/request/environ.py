"""Makes the WSGI environment of a request from its ASGI scope, and reads what its path names."""

import random
import re
import sys
from collections.abc import Mapping
from string import ascii_letters, digits
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from werkzeug.middleware.proxy_fix import ProxyFix

from games.errors import Refused
from games.messages import Message

REQUEST: Final = "billet.request"
"""The key in the environment of the id of the request, which logs repeat."""
LONGEST_READ: Final = 1000
"""In bytes: the longest header that is parsed. 60 kB of `Accept` took 38 ms."""
PARSED: Final = frozenset(
    {b"accept", b"accept-encoding", b"content-type", b"if-match", b"if-none-match", b"range", b"x-forwarded-for"}
)
MOST_PARAMETERS: Final = 100

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
_WELL_FORMED: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")  # no dot: it is no token
_BARE: Final = {b"content-length": "CONTENT_LENGTH", b"content-type": "CONTENT_TYPE"}
_MOST_NAMES: Final = 256


class Environs:
    """Makes environments; so many trusted proxies add the caller's address to `X-Forwarded-For`."""

    def __init__(self, proxies: int) -> None:
        self._proxies = ProxyFix(lambda environ, start: [], proxies, 0) if proxies else None
        self._keys: dict[bytes, str | None] = {}  # bounded, because clients choose the names

    def of(self, scope: dict[str, Any]) -> dict[str, Any]:
        """Returns the environment of a request, without its body."""
        environ = _ALWAYS.copy()
        for name, raw in scope["headers"]:
            key = self._keys.get(name) or self._key(name)
            if key is not None:
                value = raw.strip(b" \t").decode("latin-1")  # the blanks are no part of it
                environ[key] = f"{environ[key]},{value}" if key in environ else value
        raw_path = scope.get("raw_path") or scope["path"].encode()
        path = unquote_to_bytes(raw_path) if b"%" in raw_path else raw_path
        server, client = scope.get("server") or ("", 0), scope.get("client") or ("", 0)
        environ["REQUEST_METHOD"] = scope["method"]
        environ["PATH_INFO"] = path.decode("latin-1")
        environ["REQUEST_URI"] = raw_path.decode("latin-1")
        environ["QUERY_STRING"] = scope["query_string"].decode("latin-1")
        environ["SERVER_PROTOCOL"] = "HTTP/" + scope["http_version"]
        environ["SERVER_NAME"], environ["SERVER_PORT"] = server[0], str(server[1])
        environ["REMOTE_ADDR"] = client[0]
        given = environ.get("HTTP_X_REQUEST_ID")
        environ[REQUEST] = given if given is not None and _WELL_FORMED.fullmatch(given) else random.randbytes(8).hex()
        if self._proxies is not None:
            self._proxies(environ, lambda *_: None)  # type: ignore[arg-type]  # it sends no response
        return environ

    def _key(self, name: bytes) -> str | None:
        """Returns the variable of a header; None for an underscore: it could pose as another header."""
        if b"_" in name:
            return None
        key = _BARE.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        if len(self._keys) < _MOST_NAMES:
            self._keys[name] = key
        return key


def check(scope: dict[str, Any]) -> None:
    """Refuses requests that take long to parse.

    Raises:
        Refused: `malformed_request`, a header is too long, or there are too many parameters.
    """
    for name, value in scope["headers"]:
        if len(value) > LONGEST_READ and name in PARSED:
            header = {"header": name.decode().title(), "most": LONGEST_READ}
            raise Refused("malformed_request", Message("detail.header_too_long", header))
    if scope["query_string"].count(b"&") >= MOST_PARAMETERS:
        raise Refused("malformed_request", Message("detail.too_many_parameters", {"most": MOST_PARAMETERS}))


VERSIONED: Final = "/v1"
"""The beginning of the paths that programs call; all others people may open."""

_ENDS: Final = frozenset(f"{ascii_letters}{digits}_-")
"""What the paths of ours end with."""
_CLEAN: Final = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")


def written(environ: Mapping[str, Any]) -> str:
    """Returns the path as the client wrote it, without decoding it."""
    target: str = environ.get("REQUEST_URI") or environ["PATH_INFO"]
    if not target.startswith("/"):  # the absolute form, as for a proxy
        target = "/" + target.partition("://")[2].partition("/")[2]
    return target.partition("?")[0]


def is_plain(environ: Mapping[str, Any]) -> bool:
    """Returns whether the path is written in the only way that leads anywhere.

    `//metrics` and `/%6detrics` lead nowhere: a proxy that keeps the world from `/metrics` may not know that they mean
    the same. The only escape in paths of ours is that of the `+` in the ids of pools, which many clients write.
    """
    path: str = environ["PATH_INFO"]
    plain = written(environ).replace("%2B", "+").replace("%2b", "+")
    return "//" not in path and plain == environ.get("SCRIPT_NAME", "") + path


def is_for_people(path: str) -> bool:
    """Returns whether people may open the path, and not programs alone."""
    return path != VERSIONED and not path.startswith(f"{VERSIONED}/")


def without_ending(path: str) -> str | None:
    """Returns the path without what a chat or a mail has put behind it; None if it is clean."""
    end = len(path)
    while end and path[end - 1] not in _ENDS:
        end -= 1
    clean = path[:end]
    return (clean or "/") if end < len(path) and path != "/" and _CLEAN.fullmatch(clean) else None


def root(environ: Mapping[str, Any]) -> str:
    """Returns the relative path to the root, which works behind a proxy's prefix."""
    return "../" * (written(environ).count("/") - 1) or "./"
