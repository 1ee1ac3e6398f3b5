"""Turns results of the service into HTTP responses."""

import zlib
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import orjson
from flask import Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import HTTP_STATUS_CODES, parse_accept_header

from service.store.log.stored_answers import Answer

StartResponse: TypeAlias = Callable[..., Any]

JSON_TYPE = "application/json"
HTML_TYPE: Final = "text/html"

# A view belongs to one caller and is stale after the next event: cache it, but revalidate each time.
REVALIDATE = "private, no-cache"
SECRET = "no-store"
PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
BODILESS: Final = frozenset({204, 304})
STATUS_LINES: Final = {code: f"{code} {phrase.upper()}" for code, phrase in HTTP_STATUS_CODES.items()}

PACKED_FROM: Final = 8192
"""Bodies of at least so many bytes are sent gzipped to clients that accept it: editions, histories, replays."""

SENT: Final = (
    "*, Accept-Language, Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID, Registration-Key, X-Request-ID"
)
"""Every header, also those that a page's tracer adds: `*` is all but `Authorization`. Old browsers need the names."""
EXPOSED: Final = (
    "Allow, ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, "
    "X-Request-ID"
)

EVERY_ANSWER: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
)
"""What `Application` adds to each response. Measured on a bare route: 59 us of CPU, so 60, with flask-cors 83."""
PREFLIGHT: Final = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"),
    ("Access-Control-Allow-Headers", SENT),
    ("Access-Control-Max-Age", "86400"),
]
"""The answer to a browser that asks whether a page may send a request."""


class CompleteResponse:
    """A response that is complete when it is made, as a WSGI application: Flask's would check each part again.

    Hooks and signals get one of Flask's, which Flask makes of any WSGI application.
    """

    __slots__ = ("_body", "_headers", "_status")

    def __init__(self, body: bytes, status: int, headers: Iterable[tuple[str, str]]) -> None:
        """Makes a response; `headers` follow the type and length of the body."""
        self._body = body
        self._status = status
        self._headers = [("Content-Type", JSON_TYPE), ("Content-Length", str(len(body))), *headers]

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Sends the response as it is; Flask knows what is left out of one without a body."""
        if environ["REQUEST_METHOD"] == "HEAD" or self._status in BODILESS:
            return Response([self._body], self._status, self._headers)(environ, start_response)
        if len(self._body) >= PACKED_FROM:
            self._pack(environ)
        start_response(STATUS_LINES[self._status], self._headers)
        return [self._body]

    def _pack(self, environ: dict[str, Any]) -> None:
        """Compresses the body quickly, which shrinks it to a fifth, if the client takes that."""
        if parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING"), Accept)["gzip"]:
            self._body = zlib.compress(self._body, level=1, wbits=31)
            self._headers[1] = ("Content-Length", str(len(self._body)))
            self._headers.append(("Content-Encoding", "gzip"))


def plain(
    data: Any,
    status: int = 200,
    cache: str = REVALIDATE,
    language: str | None = None,
    more: Iterable[tuple[str, str]] = (),
) -> CompleteResponse:
    """Returns plain data, or encoded JSON, with more headers.

    `language` is the language of its texts, if any.
    """
    headers = [("Cache-Control", cache), *more]
    depends = ["Authorization"] if cache == REVALIDATE else []
    if language is not None:
        depends.append("Accept-Language")
        headers.append(("Content-Language", language))
    body = data if isinstance(data, bytes) else orjson.dumps(data)
    if len(body) >= PACKED_FROM:
        depends.append("Accept-Encoding")
    if depends:
        headers.append(("Vary", ", ".join(depends)))
    return CompleteResponse(body, status, headers)


def encoded(answer: Answer, status: int = 200, *more: tuple[str, str]) -> CompleteResponse:
    """Returns an answer that the service has already encoded, with more headers."""
    if answer.tag is not None:
        more += (("ETag", f'"{answer.tag}"'),)
    if answer.replayed:
        more += (("Idempotent-Replayed", "true"),)
    return plain(answer.body, 304 if answer.unchanged else status, REVALIDATE, answer.language, more)


def opened(answer: Answer) -> CompleteResponse:
    """Returns the view of a new game, with its address."""
    return encoded(answer, 201, ("Location", f"/v1/games/{orjson.loads(answer.body)['id']}"))


def kept_for(seconds: int, response: Response) -> Response:
    """Returns a response that a browser may cache, then revalidates; unchanged content is not sent again."""
    response.headers["Cache-Control"] = f"public, max-age={seconds}"
    response.add_etag()
    response.make_conditional(request)
    del response.headers["Date"]  # the server adds its own
    return response


def page_for_people(html: str, language: str, status: int = 200) -> Response:
    """Returns a page that runs no script."""
    response = Response(html, status, mimetype=HTML_TYPE)
    response.headers["Content-Language"] = language
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


class PlainResponse(Response):
    """A response that is JSON by default, where Flask's own is HTML."""

    default_mimetype = JSON_TYPE
