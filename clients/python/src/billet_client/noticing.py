"""Reads what a player is told of all their games, without an end; the events of one game are in `following`."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from billet_client.core.models import Notice, NoticePage
from billet_client.following import NO_EVENT_SECONDS
from billet_client.refusals import CursorGone
from billet_client.retries import pause

FetchPage: TypeAlias = Callable[[int | None], NoticePage]
"""Asks for what comes after a cursor, and waits for it; without one for what is open now."""


def noticed(fetch: FetchPage, cursor: int | None) -> Iterator[Notice]:
    """Yields the notices after a cursor, or what is open now and then whatever comes.

    Raises:
        Refused: the player is not known any more, or the service was away for as long as there was patience.
        NoAnswer: nothing was heard from the service for as long.
    """
    while True:
        try:
            page = fetch(cursor)
        except CursorGone:
            cursor = None
            continue
        yield from page.events
        if cursor is not None and not page.events:
            pause(NO_EVENT_SECONDS)
        cursor = page.cursor
