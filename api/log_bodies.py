"""How a log comes in and goes out: as JSON or as lines of it, packed or not; what is in one is for the service."""

from typing import Any, Final

from flask import Request, Response, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.answers import JSON_TYPE, REVALIDATE
from api.arguments import Body
from api.bodies import malformed, raw_body
from api.frames import NDJSON_TYPE
from service.errors import Refused
from service.portable import PortableLog, TooLong, Unreadable, as_json, as_ndjson, packed, parsed, unpacked
from service.said import Said
from service.sheets import is_sheet

GZIP: Final = "gzip"
BEGINNING: Final = 4096
"""In bytes: what is sent shows within so much what it is."""


class LogBody(Body):
    """The body with a log; it may be longer than others, and packed."""

    def read(self, request: Request) -> Any:
        """Returns what the body holds, as far as it is an object.

        Raises:
            Refused: `unsupported_media_type`, `malformed_request`, `request_timeout`, or `invalid_request`, it is no
                object.
            RequestEntityTooLarge: it is longer than the service accepts, packed or unpacked.
        """
        if request.mimetype not in (JSON_TYPE, NDJSON_TYPE):
            raise Refused("unsupported_media_type", Said("detail.not_declared_log"))
        encoding = request.environ.get("HTTP_CONTENT_ENCODING", "identity").lower()
        if encoding not in ("identity", GZIP):
            raise Refused("unsupported_media_type", Said("detail.log_encoded"))
        most: int = current_app.config["MAX_LOG_BYTES"]
        request.max_content_length = most
        raw = raw_body(request)
        try:
            text = unpacked(raw, most) if encoding == GZIP else raw
            if is_sheet(text[:BEGINNING].decode("utf-8", "replace")):
                raise Unreadable(Said("log.a_sheet"))
            return self.loaded(parsed(text))
        except TooLong:
            raise RequestEntityTooLarge from None
        except Unreadable as unreadable:
            raise malformed(unreadable.why.key, **unreadable.why.values) from None


def written(log: PortableLog) -> Response:
    """Returns a log as the caller wants it: JSON unless they like lines better, packed if they can unpack it."""
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
