"""Renders the pages of `docs/` as HTML, so that you can read them without the sources and without the internet.

The wheel carries the pages beside the templates (`setup.py`); a checkout has them in `docs/`.
Each page is rendered once.
The pages run no script. They are outside `/v1` and not in the document.
"""

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import render_template
from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it.token import Token

INSTALLED: Final = Path(__file__).parents[1] / "pages" / "docs"
CHECKOUT: Final = Path(__file__).parents[2] / "docs"
BESIDE: Final = ("CHANGELOG", "CONTRIBUTING")
"""Pages beside `docs/`, which are served with those in it."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the documentation."""

    name: str
    path: Path
    title: str
    text: str

    @property
    def root(self) -> str:
        """The relative path from the page to the root, which works behind any prefix of a proxy."""
        return "../" * (self.name.count("/") + 1)

    @property
    def language(self) -> str:
        """The language in the name of the page, or English."""
        return self.name.partition(".")[2] or "en"


@cache
def pages() -> dict[str, Page]:
    """Returns all pages of `docs/` by name: `README.md` is `index`, and the one of a folder has the folder's name."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKOUT
    found = {}
    beside = [] if folder == INSTALLED else [folder.parent / f"{name}.md" for name in BESIDE]
    for path in [*sorted(folder.rglob("*.md")), *beside]:
        within = folder.parent if path in beside else folder
        name, text = name_of(path.relative_to(within).as_posix()), path.read_text(encoding="utf-8")
        found[name] = Page(name, path, text.partition("\n")[0].removeprefix("# "), text)
    return found


def name_of(path: str) -> str:
    """Returns the name of a page by its path."""
    return re.sub(r"(^|/)README$", "", path.removesuffix(".md")) or "index"


@cache
def rendered(page: Page) -> str:
    """Returns a page as HTML."""
    from markdown_it import MarkdownIt  # 60 modules, for a page that few processes are asked for

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = markdown.parse(page.text)
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following:
            token.attrSet("id", anchor(following.content))
        _link(token.children or [], page)
    body = Markup(markdown.renderer.render(tokens, markdown.options, {}))
    return render_template("docs.html", page=page, body=body, language=page.language, root=page.root)


def anchor(heading: str) -> str:
    """Returns the anchor of a heading, as the common code hosts make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _link(tokens: "list[Token]", page: Page) -> None:
    """Points links at the served pages; a link to any other source file becomes plain text."""
    opened = [token for token in tokens if token.type == "link_open"]
    closed = [token for token in tokens if token.type == "link_close"]
    for start, end in zip(opened, closed, strict=True):
        target, hash_sign, fragment = str(start.attrGet("href")).partition("#")
        if not target or target.startswith(("http:", "https:")):
            continue
        name = name_of(posixpath.normpath(posixpath.join("docs", _folder(page), target)).removeprefix("docs/"))
        if name in pages():
            href = posixpath.relpath(name, posixpath.dirname(page.name) or ".")
            start.attrSet("href", href + hash_sign + fragment)
        else:
            start.tag = end.tag = "span"
            start.attrs = {}


def _folder(page: Page) -> str:
    if page.name in BESIDE:
        return ".."
    return "decisions" if page.path.parent.name == "decisions" else ""
