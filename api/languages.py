"""In which language an answer is written: the one place that reads `Accept-Language`; the texts are the service's.

What documents say of the languages there are is made here too.
"""

import re
from functools import lru_cache
from typing import Final

from babel import Locale
from flask import Request, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.texts.catalogue import LANGUAGES, Catalogue, catalogue

LONGEST_REMEMBERED: Final = 200
"""In characters: few different headers are ever sent, and none of them is longer than this."""
LONGEST_READ: Final = 1000
"""In characters: what stands after them in a header is not looked at, for taking apart 400 kB of tags takes seconds."""


def words(this: Request | None = None) -> Catalogue:
    """Returns the texts in the language that a request asks for, the present one unless it is given."""
    header: str = (this or request).environ.get("HTTP_ACCEPT_LANGUAGE", "")[:LONGEST_READ]
    return catalogue(_remembered(header) if len(header) <= LONGEST_REMEMBERED else language_of(header))


def language_of(header: str) -> str:
    """Returns the language that suits a header best: the first of ours if it names none, or cannot be read.

    A tag with a region asks for its language, for there is but one of each.
    """
    asked: dict[str, float] = {}
    for tag, quality in parse_accept_header(header, LanguageAccept):  # the most wanted first
        asked.setdefault(re.split("[-_]", tag.strip().lower())[0], quality)
    others = asked.get("*", 0)
    # Of those equally wanted the one that is named first.
    named = [language for language in asked if language in LANGUAGES]
    best = max([*named, *LANGUAGES], key=lambda language: asked.get(language, others))
    return best if asked.get(best, others) > 0 else LANGUAGES[0]


def codes() -> str:
    """Returns the codes of all languages, for English documents, as in "`en` or `de`"."""
    return catalogue("en").listed([f"`{language}`" for language in LANGUAGES], "or")


def named() -> str:
    """Returns the names of all languages with their codes, for English documents, as in "English (`en`)"."""
    names = [f"{Locale(language).get_display_name('en')} (`{language}`)" for language in LANGUAGES]
    return catalogue("en").listed(names, "or")


_remembered = lru_cache(maxsize=1024)(language_of)
