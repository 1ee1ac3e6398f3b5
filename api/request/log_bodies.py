"""Reads and writes whole logs over HTTP: gzipped or not."""

from typing import Final, NamedTuple

from flask import Request, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.request.arguments import Body, invalid
from api.request.bodies import malformed, raw_body
from api.responses import JSON_TYPE, REVALIDATE
from api.schemas.fields.base import NO_OBJECT
from api.schemas.fields.checks import wrong
from games.errors import Refused
from games.messages import Message
from games.records.portable import PortableLog, TooLong, Unreadable, as_json, packed
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
        """Returns the log as it was sent.

        Raises:
            Refused: `unsupported_media_type` or `request_timeout`.
            RequestEntityTooLarge: it is longer than the service accepts.
        """
        if request.mimetype != JSON_TYPE:
            raise Refused("unsupported_media_type", Message("detail.not_declared_json"))
        encoding = request.environ.get("HTTP_CONTENT_ENCODING", "identity").lower()
        if encoding not in ("identity", GZIP):
            raise Refused("unsupported_media_type", Message("detail.log_encoded"))
        request.max_content_length = MOST_LOG_BYTES
        return SentLog(raw_body(request), encoding == GZIP)


def verdict(sent: SentLog, verifier: Verifier, language: str) -> bytes:
    """Returns the verdict on a log, as JSON.

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
        reason = "log_too_costly"
        raise Refused("content_too_large", Message(f"reason.{reason}"), reason=reason) from None


def written(log: PortableLog) -> Response:
    """Returns the response with a log, gzipped if the caller accepts that."""
    response = Response(as_json(log), 200, content_type=JSON_TYPE)
    if "HTTP_ACCEPT_ENCODING" in request.environ and request.accept_encodings[GZIP] > 0:
        response.set_data(packed(response.data))
        response.headers["Content-Encoding"] = GZIP
    response.headers["Cache-Control"] = REVALIDATE
    response.headers["Vary"] = "Authorization, Accept-Encoding"
    return response
