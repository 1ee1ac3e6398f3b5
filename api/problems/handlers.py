"""Writes every error of the interface as a problem."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from flask import Flask, Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException

from api.problems.kinds import MEDIA_TYPE, content_of
from api.request.current import words
from api.request.environ import is_for_people, root, without_ending
from api.responses import HTML_TYPE, JSON_TYPE, page_for_people
from games.errors import Damaged, Refused, Unavailable
from games.messages import Message
from games.texts.catalogue import Catalogue

BY_STATUS: Final = {
    404: ("not_found", "detail.no_such_path"),
    405: ("method_not_allowed", "detail.method_not_allowed"),
    413: ("content_too_large", "detail.body_too_long"),
    415: ("unsupported_media_type", "detail.not_declared_json"),
}
"""The codes and texts of Flask's and Werkzeug's own errors, whose messages are only in English."""
OTHER_ERROR: Final = ("malformed_request", "detail.not_understood")
FAILURE: Final = ("internal_error", "detail.failed")

CHALLENGE: Final = [("WWW-Authenticate", 'Bearer realm="billet"')]

WRITTEN_BY_FLASK: Final = frozenset({"content-type", "content-length"})

_log = logging.getLogger(__name__)


def problem(
    code: str,
    detail: Message | str,
    *,
    headers: Iterable[tuple[str, str]] = (),
    status: int | None = None,
    **members: Any,
) -> Response:
    """Returns a problem as an HTTP response in the caller's language, without the members that are None."""
    language = words()
    content = content_of(code, detail, language, request.path)  # a query may hold a join code
    content["status"] = status or content["status"]
    content.update((name, value) for name, value in members.items() if value is not None)
    if by_person():
        response = page_of_problem(content, language)
    else:
        response = Response(orjson.dumps(content), content["status"], content_type=MEDIA_TYPE)
    response.headers.extend(headers)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Language"] = language.language
    response.headers["Vary"] = "Accept, Accept-Language" if is_for_people(request.path) else "Accept-Language"
    return response


def page_of_problem(content: Mapping[str, Any], words: Catalogue) -> Response:
    """Returns a page for people, with the way to the start page if there is one."""
    html = render_template(
        "wrong.html",
        problem=content,
        language=words.language,
        labels={"interface": words.text("page.interface"), "start": words.text("page.start")},
        has_start="Web" in current_app.blueprints,
        root=root(request.environ),
    )
    return page_for_people(html, words.language, content["status"])


def refused(error: Refused) -> Response:
    """Writes a refusal of the service."""
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
    """Writes that a part of the service is unavailable."""
    return problem(error.code, error.detail, headers=[("Retry-After", str(error.retry_after))])


def by_person() -> bool:
    """Returns whether the current request is of somebody who looks at pages; programs accept anything, or JSON."""
    best = request.accept_mimetypes.best_match((MEDIA_TYPE, JSON_TYPE, HTML_TYPE))
    return best == HTML_TYPE and is_for_people(request.path)


def mended() -> Response | None:
    """Returns the way to the page that the current request means, if its path has only more behind it."""
    path = without_ending(request.path)
    if path is None or not by_person() or request.method not in ("GET", "HEAD"):
        return None
    if request.environ["PATH_INFO"].startswith("//") or not current_app.url_map.bind("").test(path, "GET"):
        return None
    query = request.query_string.decode("latin-1")
    place = root(request.environ) + path[1:] + (f"?{query}" if query else "")
    return Response(status=302, headers={"Location": place, "Vary": "Accept"}, mimetype=HTML_TYPE)


def damaged(error: Damaged) -> Response:
    """Writes that a game cannot be shown; where it is damaged is only logged."""
    _log.error("%s: a game is damaged: %s", request.path, error.why)
    return problem("damaged", Message("detail.damaged"))


def http_error(error: HTTPException) -> Response:
    """Writes an error of Flask or Werkzeug, such as an unknown path."""
    status = error.code or 500
    way = mended() if status == 404 else None
    if way is not None:
        return way
    code, text = BY_STATUS.get(status, OTHER_ERROR if status < 500 else FAILURE)
    kept = [(name, value) for name, value in error.get_headers() if name.lower() not in WRITTEN_BY_FLASK]
    values = {
        "most": request.max_content_length,
        "method": request.method,
        "methods": ", ".join(sorted(dict(kept).get("Allow", "").split(", "))),
    }
    return problem(code, Message(text, values), headers=kept, status=status)


def handle_errors(app: Flask) -> None:
    """Makes the Flask application write every error as a problem."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(Unavailable, unavailable)
    app.register_error_handler(Damaged, damaged)
    app.register_error_handler(HTTPException, http_error)
