"""How every error of the interface is written; which there are stands in `kinds`, when to refuse elsewhere."""

import logging
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from api.kinds import KINDS, type_of
from api.languages import words
from service.errors import Refused, Unavailable
from service.said import Said

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
    404: "detail.no_such_path",
    405: "detail.method_not_allowed",
    413: "detail.body_too_long",
    415: "detail.not_declared_json",
    500: "detail.failed",
    503: "detail.storage_away",
}
"""What is said of what Flask and Werkzeug refuse, by status; their own words are English and stay inside."""

CHALLENGE: Final = [("WWW-Authenticate", 'Bearer realm="billet"')]

WRITTEN_BY_FLASK: Final = frozenset({"content-type", "content-length"})


def problem(
    code: str,
    detail: Said | str,
    *,
    headers: Iterable[tuple[str, str]] = (),
    status: int | None = None,
    **members: Any,
) -> Response:
    """Returns the answer that refuses a call, in the caller's language; members that are None are left out."""
    kind = KINDS[code]
    language = words()
    content: dict[str, Any] = {
        "type": type_of(code),
        "title": language.text(f"problem.{code}.title"),
        "status": status or kind.status,
        "detail": detail.written(language) if isinstance(detail, Said) else detail,
        # The path alone: a query may hold a join code.
        "instance": "/" + quote(request.path.lstrip("/")),
        "code": code,
    }
    content.update((name, value) for name, value in members.items() if value is not None)
    response = Response(orjson.dumps(content), content["status"], content_type=MEDIA_TYPE)
    response.headers.extend(headers)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Language"] = language.language
    response.headers["Vary"] = "Accept-Language"
    return response


def refused(error: Refused) -> Response:
    """Writes what the service refuses."""
    language = words()
    faults = [{"field": fault.field, "detail": fault.detail.written(language)} for fault in error.faults or ()]
    headers = CHALLENGE if error.code == "unauthenticated" else []
    if error.retry_after is not None:
        headers = [*headers, ("Retry-After", str(error.retry_after))]
    return problem(
        error.code,
        error.detail,
        headers=headers,
        reason=error.reason,
        errors=faults or None,
        legal_actions=error.legal_actions,
        version=error.version,
        limit=error.limit,
        retry_after=error.retry_after,
    )


def unavailable(error: Unavailable) -> Response:
    """Writes that a part of the service is away."""
    return problem(error.code, error.detail, headers=[("Retry-After", str(error.retry_after))])


def http_error(error: HTTPException) -> Response:
    """Writes what Flask and Werkzeug refuse: unknown paths and methods, bodies that cannot be read, failures."""
    status = error.code or 500
    code = BY_STATUS.get(status, "malformed_request" if status < 500 else "internal_error")
    kept = [(name, value) for name, value in error.get_headers() if name.lower() not in WRITTEN_BY_FLASK]
    values = {
        "most": request.max_content_length,
        "method": request.method,
        "methods": ", ".join(sorted(dict(kept).get("Allow", "").split(", "))),
    }
    key = DETAILS.get(status, "detail.not_understood" if status < 500 else "detail.failed")
    return problem(code, Said(key, values), headers=kept, status=status)


def handle_errors(app: Flask) -> None:
    """Lets every error of the application be written as a problem."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(Unavailable, unavailable)
    app.register_error_handler(HTTPException, http_error)
