"""Reads and writes whole logs over HTTP: as JSON or JSON lines, gzipped or not."""

from typing import Final, NamedTuple

from flask import Request, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.answers import JSON_TYPE, NDJSON_TYPE, REVALIDATE
from api.request.arguments import Body, invalid
from api.request.bodies import malformed, raw_body
from api.schemas.fields.base import NO_OBJECT
from api.schemas.fields.checks import wrong
from games.errors import Fault, Refused
from games.messages import Message
from games.records.portable import PortableLog, TooLong, Unreadable, as_json, as_ndjson, packed
from service.verifying.bounds import TooCostly
from service.verifying.verifier import MOST_LOG_BYTES, NoObject, Verifier

GZIP: Final = "gzip"


class SentLog(NamedTuple):
    """A log as it was sent."""

    raw: bytes
    packed: bool
    """Whether it is compressed by gzip."""


class LogBody(Body):
    """A body with a log: it may be longer than others, and gzipped. The verifier parses it."""

    may_be_long = True

    def read(self, request: Request) -> SentLog:
        """Returns the body of a request with a portable log as it was sent.

        Raises:
            Refused: `unsupported_media_type` or `request_timeout`.
            RequestEntityTooLarge: it is longer than the service accepts.
        """
        if request.mimetype not in (JSON_TYPE, NDJSON_TYPE):
            raise Refused("unsupported_media_type", Message("detail.not_declared_log"))
        encoding = request.environ.get("HTTP_CONTENT_ENCODING", "identity").lower()
        if encoding not in ("identity", GZIP):
            raise Refused("unsupported_media_type", Message("detail.log_encoded"))
        request.max_content_length = MOST_LOG_BYTES
        return SentLog(raw_body(request), encoding == GZIP)


def verdict(sent: SentLog, verifier: Verifier, language: str) -> bytes:
    """Returns the verdict on the portable log in a request's body, as JSON.

    Raises:
        Refused: `malformed_request`; `invalid_request`, it is no object; or `content_too_large`, it costs too much.
        RequestEntityTooLarge: unpacked, it is longer than the service accepts.
    """
    try:
        return verifier.verdict(sent.raw, packed=sent.packed, language=language)
    except TooLong:
        raise RequestEntityTooLarge from None
    except Unreadable as unreadable:
        raise malformed(unreadable.why.key, **unreadable.why.values) from None
    except NoObject:
        raise invalid("body", wrong(NO_OBJECT)) from None
    except TooCostly:
        raise too_costly() from None


def read_off(sheet: str, verifier: Verifier) -> bytes:
    """Returns the log of the scoresheet in a request's body, as JSON.

    Raises:
        Refused: `invalid_request`, it is no sheet of a game; or `content_too_large`, it costs too much.
    """
    try:
        return verifier.log_of(sheet)
    except Unreadable as unreadable:
        raise Refused("invalid_request", unreadable.why, faults=[Fault("sheet", unreadable.why)]) from None
    except TooCostly:
        raise too_costly() from None


def too_costly() -> Refused:
    """Returns the refusal of a request with a log that takes more than any valid one of its length."""
    return Refused("content_too_large", Message("reason.log_too_costly"), reason="log_too_costly")


def written(log: PortableLog) -> Response:
    """Returns the response with a log: as JSON, or JSON lines if the request prefers them; gzipped if accepted."""
    accepts = request.accept_mimetypes
    by_line = accepts.best_match((JSON_TYPE, NDJSON_TYPE), JSON_TYPE) == NDJSON_TYPE
    body = as_ndjson(log) if by_line else as_json(log)
    response = Response(body, 200, content_type=NDJSON_TYPE if by_line else JSON_TYPE)
    if "HTTP_ACCEPT_ENCODING" in request.environ and request.accept_encodings[GZIP] > 0:
        response.set_data(packed(body))
        response.headers["Content-Encoding"] = GZIP
    response.headers["Cache-Control"] = REVALIDATE
    response.headers["Vary"] = "Authorization, Accept, Accept-Encoding"
    return response
