"""The documentation is served as pages that work without the sources and without the internet."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from api.docs.pages import pages

DOCS = Path(__file__).parents[2] / "docs"
NAMES = sorted(pages())


def text_of(http, path):
    answer = http.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "text/html"), path
    return answer.get_data(as_text=True)


def test_every_page_is_served():
    beside = {DOCS.parent / "CHANGELOG.md", DOCS.parent / "CONTRIBUTING.md"}
    assert {page.path for page in pages().values()} == {*DOCS.rglob("*.md")} | beside
    assert {"index", "integrate", "decisions", "decisions/003-how-long-things-live"} <= {*NAMES}


@pytest.fixture(scope="module")
def fetched(assembled):
    """Asks for each page once, however many links lead there."""
    return cache(assembled.test_client().get)


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_to_what_is_served(http, fetched, name):
    text = text_of(http, f"/docs/{name}")
    article = text[text.index("<article>") :]
    assert re.search(r'<h1 id="[^"]+">', article)
    for target in re.findall(r'(?:href|src)="([^"]*)"', text):
        if target.startswith("data:") or (target.startswith("http") and target in article):
            continue
        path, _, fragment = target.partition("#")
        there = normpath(join("/docs", dirname(name), path)) if path else f"/docs/{name}"
        found = fetched(there)
        assert found.status_code == 200, target
        assert not fragment or f'id="{fragment}"' in found.get_data(as_text=True), target


def test_a_link_out_of_the_pages_is_left_as_text(http):
    assert "<span>The contract</span>" in text_of(http, "/docs/index")
    assert '<a href="CONTRIBUTING">Contributing</a>' in text_of(http, "/docs/index")


def test_a_page_runs_nothing_and_says_its_language(http):
    answer = http.get("/docs/cards.de")
    assert answer.headers["Content-Language"] == "de"
    assert "script" not in answer.headers["Content-Security-Policy"]
    assert '<html lang="de">' in answer.get_data(as_text=True)
    assert (
        http.get("/docs/rules", headers={"If-None-Match": http.get("/docs/rules").headers["ETag"]}).status_code == 304
    )


def test_the_page_of_the_document_leads_to_them(http):
    assert 'href="docs/index"' in text_of(http, "/docs")


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/decisions/nothing", "/docs/../README", "/docs/integrate.md"])
def test_nothing_else_is_served(http, path):
    assert http.get(path).status_code == 404
