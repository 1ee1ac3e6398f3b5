"""Chooses the language of a response; the only place that reads `Accept-Language`.

It also builds the documentation of the available languages.
"""

import re
from functools import lru_cache
from typing import Final

from babel import Locale
from flask import Request, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from games.texts.catalogue import LANGUAGES, Catalogue, catalogue

LONGEST_READ: Final = 1000
"""In characters: the rest of a header is ignored, because parsing 400 kB of tags takes seconds."""


def words(this: Request | None = None) -> Catalogue:
    """Returns the texts in the language of a request, by default the current one."""
    return words_for((this or request).environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def words_for(header: str) -> Catalogue:
    """Returns the texts in the best language for `Accept-Language`."""
    return catalogue(language_of(header[:LONGEST_READ]))


@lru_cache(maxsize=1024)
def language_of(header: str) -> str:
    """Returns the best language for `Accept-Language`: our first one if it names none of ours or is unreadable.

    A region in a tag is ignored, because each language has only one variant.
    """
    asked: dict[str, float] = {}
    for tag, quality in parse_accept_header(header, LanguageAccept):  # highest quality first
        asked.setdefault(re.split("[-_]", tag.strip().lower())[0], quality)
    others = asked.get("*", 0)
    # Of equal qualities, the first named wins.
    named = [language for language in asked if language in LANGUAGES]
    best = max([*named, *LANGUAGES], key=lambda language: asked.get(language, others))
    return best if asked.get(best, others) > 0 else LANGUAGES[0]


def codes() -> str:
    """Returns the codes of the languages in English, as in "`en` or `de`"."""
    return catalogue("en").listed([f"`{language}`" for language in LANGUAGES], "or")


def accepted_languages() -> str:
    """Returns the languages and their codes in English, as in "English (`en`)"."""
    names = [f"{Locale(language).get_display_name('en')} (`{language}`)" for language in LANGUAGES]
    return catalogue("en").listed(names, "or")
