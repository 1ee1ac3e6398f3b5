"""How every error of the interface is written; which there are stands in `kinds`, when to refuse elsewhere."""

import http
import logging
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

import orjson
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from api.kinds import KINDS
from service.errors import Refused, Unavailable

MEDIA_TYPE: Final = "application/problem+json"

log = logging.getLogger(__name__)


BY_STATUS: Final = {
    400: "malformed_request",
    401: "unauthenticated",
    404: "not_found",
    405: "method_not_allowed",
    413: "content_too_large",
    415: "unsupported_media_type",
    500: "internal_error",
    503: "unavailable",
}
"""The code of what Flask and Werkzeug refuse by themselves."""

DETAILS: Final = {
    404: "There is nothing at this path. GET /docs shows all paths and GET /openapi.json lists them; none ends with a "
    "slash.",
    500: "The service failed to answer. Whether the call had an effect is not known: look before you repeat it, or "
    "repeat it with the same Idempotency-Key.",
}

HEADERS_BY_CODE: Final = {
    "unauthenticated": [("WWW-Authenticate", 'Bearer realm="billet"')],
    "rate_limited": [("Retry-After", "1")],
}
"""The headers that come with every refusal of a kind."""

WRITTEN_BY_FLASK: Final = frozenset({"content-type", "content-length"})


def problem(
    code: str, detail: str, *, headers: Iterable[tuple[str, str]] = (), status: int | None = None, **members: Any
) -> Response:
    """Returns the answer that refuses a call; members that are None are left out."""
    kind = KINDS[code]
    content: dict[str, Any] = {
        "type": f"/problems/{code.replace('_', '-')}",
        "title": kind.title,
        "status": status or kind.status,
        "detail": detail,
        # The path alone: a query may hold a join code.
        "instance": "/" + quote(request.path.lstrip("/")),
        "code": code,
    }
    content.update((name, value) for name, value in members.items() if value is not None)
    response = Response(orjson.dumps(content), content["status"], content_type=MEDIA_TYPE)
    response.headers.extend(headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def refused(error: Refused) -> Response:
    """Writes what the service refuses."""
    return problem(
        error.code,
        error.detail,
        headers=HEADERS_BY_CODE.get(error.code, ()),
        reason=error.reason,
        errors=error.errors,
        legal_actions=error.legal_actions,
        version=error.version,
    )


def unavailable(error: Unavailable) -> Response:
    """Writes that a part of the service is away."""
    detail = (
        "The service cannot reach its storage just now. The call was carried out wholly or not at all: try again in a "
        "moment, with the same Idempotency-Key if it had one."
    )
    return problem("unavailable", detail, headers=[("Retry-After", "1")])


def http_error(error: HTTPException) -> Response:
    """Writes what Flask and Werkzeug refuse: unknown paths and methods, bodies that cannot be read, failures."""
    status = error.code or 500
    code = BY_STATUS.get(status, "malformed_request" if status < 500 else "internal_error")
    detail = DETAILS.get(status) or error.description or http.HTTPStatus(status).phrase
    kept = [(name, value) for name, value in error.get_headers() if name.lower() not in WRITTEN_BY_FLASK]
    if status == 413:
        detail = f"The body is longer than the {current_app.config['MAX_CONTENT_LENGTH']} bytes this service accepts."
    if status == 405:
        allow = ", ".join(sorted(dict(kept).get("Allow", "").split(", ")))
        detail = f"This path does not take {request.method}. It takes: {allow}."
    return problem(code, detail, headers=kept, status=status)


def handle_errors(app: Flask) -> None:
    """Lets every error of the application be written as a problem."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(Unavailable, unavailable)
    app.register_error_handler(HTTPException, http_error)
