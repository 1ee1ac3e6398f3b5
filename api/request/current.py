"""Answers what routes ask of the current call: the service behind it, the caller's address, the language."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from flask import Flask, Request, current_app, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from api.link import LINK, FeedName
from api.request.limits import Limits, address_of
from games.texts.catalogue import LANGUAGES, Catalogue, catalogue
from service import Service
from service.reading import Waiter

current_request: Final[Callable[[], Request]] = request._get_current_object  # type: ignore[attr-defined]  # typed as a `Request`
"""Returns the current request itself: Flask's proxy takes three calls each time that something is asked of it."""

application: Final[Callable[[], Flask]] = current_app._get_current_object  # type: ignore[attr-defined]  # typed as a `Flask`
"""Returns the application that has the current request."""

LONGEST_READ: Final = 1000
"""In characters: the rest of a header is ignored, because parsing 400 kB of tags takes seconds."""


def service() -> Service:
    """Returns the service behind the application."""
    held: Service = application().extensions["billet.service"]
    return held


def limits() -> Limits | None:
    """Returns the rate limits, if the application has a service behind it."""
    held: Limits | None = application().extensions.get("billet.limits")
    return held


def address() -> str:
    """Returns the caller's address, or its network for IPv6."""
    return address_of(request.environ)


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


def waiter(feed: FeedName) -> Waiter | None:
    """Returns what holds a long-poll until a feed has news; None where nothing may wait."""
    link = request.environ.get(LINK)
    return partial(link.wait_for, feed) if link is not None else None
