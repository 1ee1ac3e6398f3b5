"""The head of a request: checks its limits and builds the WSGI environment."""

import random
import re
import sys
from typing import Any, Final, TypeAlias
from urllib.parse import unquote_to_bytes

import httptools
from werkzeug.middleware.proxy_fix import ProxyFix

from games.messages import Message

HeaderFields: TypeAlias = list[tuple[bytes, bytes]]
ServerAddress: TypeAlias = tuple[str, int]

MOST_HEAD_BYTES: Final = 64 * 1024
MOST_FIELDS: Final = 100
MOST_PARAMETERS: Final = 100
LONGEST_READ: Final = 1000
"""In bytes: the longest header that is parsed further. 60 kB of `Accept` took 38 ms."""
TAKEN_APART: Final = frozenset(
    {b"accept", b"accept-encoding", b"content-type", b"if-match", b"if-none-match", b"range", b"x-forwarded-for"}
)

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
REQUEST: Final = "billet.request"
"""The key in the environment of the id of the request, which logs repeat."""
_WELL_FORMED: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")  # no dot: it is no token
_BARE: Final = {b"content-length": "CONTENT_LENGTH", b"content-type": "CONTENT_TYPE"}
_MOST_NAMES: Final = 256


class NotTaken(Exception):
    """The head breaks a limit; the text says which."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def request_id(given: str | None = None) -> str:
    """Returns the id under which the front passes a request on: the given one if it is well-formed, else a new one."""
    return given if given is not None and _WELL_FORMED.fullmatch(given) else random.randbytes(8).hex()


class Heads:
    """Turns heads into WSGI environments."""

    def __init__(self, proxies: int) -> None:
        """Makes the front's reader of heads; so many `proxies` ahead of it add the caller's address."""
        self._proxies = ProxyFix(lambda environ, start: [], proxies, 0) if proxies else None
        self._keys: dict[bytes, str | None] = {}  # bounded, because clients choose the names

    def environ(
        self, method: str, target: bytes, version: str, fields: HeaderFields, server: ServerAddress, client: str
    ) -> dict[str, Any]:
        """Returns the WSGI environment that the front makes of a request's head, without its body.

        Raises:
            NotTaken: the head breaks a limit, or is invalid HTTP.
        """
        url = httptools.parse_url(target)
        query = url.query or b""
        if query.count(b"&") >= MOST_PARAMETERS:
            raise NotTaken(Message("detail.too_many_parameters", {"most": MOST_PARAMETERS}))
        _check(fields, version)
        environ = _ALWAYS.copy()
        for name, raw in fields:
            key = self._keys.get(name) or self._key(name)
            if key is not None:
                value = raw.strip(b" \t").decode("latin-1")  # the blanks are no part of it
                environ[key] = f"{environ[key]},{value}" if key in environ else value
        raw_path = url.path or b"/"
        path = (unquote_to_bytes(raw_path) if b"%" in raw_path else raw_path).decode("latin-1")
        environ["REQUEST_METHOD"] = method
        environ["PATH_INFO"] = path
        environ["REQUEST_URI"] = target.decode("latin-1")
        environ["QUERY_STRING"] = query.decode("latin-1")
        environ["SERVER_PROTOCOL"] = "HTTP/" + version
        environ["SERVER_NAME"], environ["SERVER_PORT"] = server[0], str(server[1])
        environ["REMOTE_ADDR"] = client
        environ[REQUEST] = request_id(environ.get("HTTP_X_REQUEST_ID"))
        if self._proxies is not None:
            self._proxies(environ, lambda *_: None)  # type: ignore[arg-type]  # it sends no response
        return environ

    def _key(self, name: bytes) -> str | None:
        """Returns a header's variable in the WSGI environment; None for an underscore: it could pose as another."""
        if b"_" in name:
            return None
        key = _BARE.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        if len(self._keys) < _MOST_NAMES:
            self._keys[name] = key
        return key


def _check(fields: HeaderFields, version: str) -> None:
    """Checks what the front's HTTP parser does not check in the head of a request.

    Raises:
        NotTaken: a header is missing, duplicated, too long, or not understood.
    """
    hosts = 0
    for name, value in fields:
        if name == b"host":
            hosts += 1
        elif name == b"transfer-encoding":
            if value.lower() != b"chunked" or version != "1.1":
                raise NotTaken(Message("detail.transfer_encoding"))
        elif name in TAKEN_APART and len(value) > LONGEST_READ:
            header = name.decode().title()
            raise NotTaken(Message("detail.header_too_long", {"header": header, "most": LONGEST_READ}))
    if hosts != 1 and (hosts or version == "1.1"):
        raise NotTaken(Message("detail.one_host"))
