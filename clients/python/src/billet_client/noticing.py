"""Reads a player's notices on all their games, without an end. For the events of one game see `following`."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from billet_client.core.models import Notice, NoticePage
from billet_client.following import NO_EVENT_SECONDS
from billet_client.refusals import CursorGone
from billet_client.retries import pause

FetchPage: TypeAlias = Callable[[int | None], NoticePage]
"""Fetches the notices after a cursor, and waits for the first; without a cursor, what is open now."""


def noticed(fetch: FetchPage, cursor: int | None) -> Iterator[Notice]:
    """Yields the notices after a cursor; without one, what is open now and then all that follow.

    Raises:
        Refused: the token is no longer valid, or the service was unavailable for longer than the patience.
        NoAnswer: the service did not answer for as long.
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
