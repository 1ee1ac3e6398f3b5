"""Serves the problem pages for people: one at the `type` of each problem, and an index.

The pages run no script and load nothing but one style sheet from here. They are outside `/v1` and not in the document.
"""

import re
from functools import cache

from flask import Blueprint, Response, current_app, render_template
from markupsafe import Markup, escape
from werkzeug.exceptions import NotFound

from api.answers import page_for_people
from api.document.problem_entries import ProblemEntry, entries, labels
from api.request.languages import words
from api.request.threads import PAGES, runs_in
from games.texts.catalogue import catalogue

problem_pages = Blueprint("Problems", __name__)


@problem_pages.get("/problems")
@runs_in(PAGES)
def index() -> Response:
    """Serves the problem page that lists all kinds of problems."""
    language = words().language
    return _problem_page("problems.html", language, "", entries=tuple(_entries_by_slug(language).values()))


@problem_pages.get("/problems/<slug>")
@runs_in(PAGES)
def page(slug: str) -> Response:
    """Serves the problem page of one kind of problem."""
    language = words().language
    entry = _entries_by_slug(language).get(slug)
    if entry is None:
        raise NotFound
    return _problem_page("problem.html", language, "../", entry=entry)


@problem_pages.app_template_filter()
def marked(text: str) -> Markup:
    """Returns a text of a problem page as HTML: backticks enclose code, braces enclose placeholders."""
    coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"{(\w+)}", r"<var>\1</var>", coded))


def _problem_page(template: str, language: str, root: str, **parts: object) -> Response:
    """Returns a problem page; `root` is the relative path to the root, which works behind a proxy's prefix."""
    html = render_template(template, language=language, labels=labels(catalogue(language)), root=root, **parts)
    return page_for_people(html, language, ("Vary", "Accept-Language"))


@cache
def _entries_by_slug(language: str) -> dict[str, ProblemEntry]:
    """Returns the entry of every problem page by its slug; all applications have the same document."""
    document = current_app.extensions["billet.document"]()
    return {entry.slug: entry for entry in entries(catalogue(language), document)}
