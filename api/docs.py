"""The page that shows the document, with everything it needs served from here; the document itself is elsewhere."""

from functools import cache
from importlib.resources import files
from typing import Final

import orjson
from flask import Blueprint, Response, current_app
from werkzeug.exceptions import NotFound

from api.answers import JSON_TYPE, kept_for

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

ASSETS: Final = {
    "page.css": ("api", "static/page.css", "text/css"),
    "problems.css": ("api", "static/problems.css", "text/css"),
    "page.js": ("api", "static/page.js", "text/javascript"),
    "swagger-ui.css": ("flask_openapi3_swagger", "templates/swagger/css/swagger-ui.css", "text/css"),
    "swagger-ui-bundle.js": (
        "flask_openapi3_swagger",
        "templates/swagger/js/swagger-ui-bundle.js",
        "text/javascript",
    ),
}

docs = Blueprint("Docs", __name__)


@docs.get("/openapi.json")
def document() -> Response:
    """Returns the document of the interface."""
    response = Response(orjson.dumps(current_app.extensions["billet.document"]), content_type=JSON_TYPE)
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


@docs.get("/docs")
def page() -> Response:
    """Returns the page that shows the document."""
    response = file("api", "static/page.html", "text/html", 300)
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@docs.get("/docs/<name>")
def asset(name: str) -> Response:
    """Returns a file that a page needs."""
    if name not in ASSETS:
        raise NotFound
    package, path, media_type = ASSETS[name]
    return file(package, path, media_type, 86400)


def file(package: str, path: str, media_type: str, seconds: int) -> Response:
    """Returns a file of a package."""
    return kept_for(seconds, Response(content(package, path), mimetype=media_type))


@cache
def content(package: str, path: str) -> bytes:
    """Returns what a file of a package holds."""
    return (files(package) / path).read_bytes()
