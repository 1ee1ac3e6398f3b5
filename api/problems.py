"""Every error the interface answers with, in one table, and how it is written; when to refuse is decided elsewhere."""

import http
import logging
from collections.abc import Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from service.errors import Refused, Unavailable

MEDIA_TYPE: Final = "application/problem+json"

log = logging.getLogger(__name__)


class Kind(NamedTuple):
    """A kind of problem: its status and its title."""

    status: int
    title: str


KINDS: Final[dict[str, Kind]] = {
    "malformed_request": Kind(400, "Malformed request"),
    "unauthenticated": Kind(401, "No valid token"),
    "not_seated": Kind(403, "Not seated at this game"),
    "not_creator": Kind(403, "Not the creator of this game"),
    "join_code_wrong": Kind(403, "Wrong join code"),
    "not_found": Kind(404, "Not found"),
    "method_not_allowed": Kind(405, "Method not allowed"),
    "illegal_action": Kind(409, "Illegal action"),
    "not_your_turn": Kind(409, "Not your turn"),
    "game_not_started": Kind(409, "Game not started"),
    "game_started": Kind(409, "Game already started"),
    "game_over": Kind(409, "Game over"),
    "game_full": Kind(409, "Game full"),
    "seat_taken": Kind(409, "Seat taken"),
    "game_not_finished": Kind(409, "Game not finished"),
    "idempotency_key_reused": Kind(409, "Idempotency key reused"),
    "stale_version": Kind(412, "Stale version"),
    "content_too_large": Kind(413, "Content too large"),
    "unsupported_media_type": Kind(415, "Unsupported media type"),
    "invalid_request": Kind(422, "Invalid request"),
    "rate_limited": Kind(429, "Rate limited"),
    "internal_error": Kind(500, "Internal error"),
    "unavailable": Kind(503, "Unavailable"),
}

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
    404: "There is nothing at this path. GET /openapi.json lists all paths; none ends with a slash.",
    413: "The body is longer than this service accepts. Send a shorter one.",
    500: "The service failed to answer. Whether the call had an effect is not known: look before you repeat it, or "
    "repeat it with the same Idempotency-Key.",
}

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


MORE_HEADERS: Final = {
    "unauthenticated": [("WWW-Authenticate", 'Bearer realm="billet"')],
    "rate_limited": [("Retry-After", "1")],
}


def refused(error: Refused) -> Response:
    """Writes what the service refuses."""
    return problem(
        error.code,
        error.detail,
        headers=MORE_HEADERS.get(error.code, ()),
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
    if status == 405:
        allow = dict(kept).get("Allow", "")
        detail = f"This path does not take {request.method}. It takes: {allow}."
    return problem(code, detail, headers=kept, status=status)


def handle_errors(app: Flask) -> None:
    """Lets every error of the application be written as a problem."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(Unavailable, unavailable)
    app.register_error_handler(HTTPException, http_error)
