"""Serves the OpenAPI document, the page that shows it, and the assets of the documentation pages."""

from importlib.resources import files
from typing import Final

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from api.docs.pages import pages, rendered
from api.document.derived import DERIVED
from api.published import encoded_document
from api.request.threads import PAGES, runs_in
from api.responses import JSON_TYPE, kept_for, page_for_people

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PAGE_SECONDS: Final = 300
"""How long a browser may keep a page."""

ASSETS: Final = {
    "page.css": ("api", "static/page.css", "text/css"),
    "docs.css": ("api", "static/docs.css", "text/css"),
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
@runs_in(PAGES)
def document() -> Response:
    """Serves the OpenAPI document."""
    return _encoded()


@docs.get("/openapi.<form>.json")
@runs_in(PAGES)
def derived(form: str) -> Response:
    """Serves an OpenAPI document for generators that misread a part of the published one."""
    if (name := f"openapi.{form}.json") not in DERIVED:
        raise NotFound
    return _encoded(name)


def _encoded(*name: str) -> Response:
    """Responds with the published document, or with a derived one by its name."""
    response = Response(encoded_document(*name), content_type=JSON_TYPE)
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


@docs.get("/docs")
@runs_in(PAGES)
def page() -> Response:
    """Serves the reference page that shows the OpenAPI document."""
    response = file("api", "static/page.html", "text/html", PAGE_SECONDS)
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@docs.get("/docs/<path:name>")
@runs_in(PAGES)
def asset(name: str) -> Response:
    """Serves a page of `docs/`, or a file that the reference page needs."""
    if (about := pages().get(name)) is not None:
        return kept_for(PAGE_SECONDS, page_for_people(rendered(about), about.language))
    if name not in ASSETS:
        raise NotFound
    package, path, media_type = ASSETS[name]
    return file(package, path, media_type, 86400)


def file(package: str, path: str, media_type: str, seconds: int) -> Response:
    """Responds with a file of a package."""
    return kept_for(seconds, Response((files(package) / path).read_bytes(), mimetype=media_type))
