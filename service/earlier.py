"""What the sentences of a page of events need of the log before the page; no words are here."""

from collections.abc import Sequence
from typing import Final

from engine.editions import rulebook
from engine.events import CardPlayed, RoundStarted, SeatBound, SeatTimedOut
from service.log import EventLog
from service.snapshot import Entry, Snapshot
from service.texts.past import BEGINNING, Past
from service.texts.plays import void

BINDING: Final = frozenset({"sycophant"})
"""The cards that bind a seat."""


def past_of(entries: Sequence[Entry], snapshot: Snapshot, log: EventLog) -> Past:
    """Returns what has come of the log before some entries, as far as one among them is told of differently for it.

    The log is read only where the first card played there has no effect or where somebody's time is up: seldom, and
    one block in most cases.

    Raises:
        Unavailable: Redis is away.
    """
    past = BEGINNING
    if _asks_who_is_bound(entries, snapshot) or _asks_who_is_away(entries):
        for entry in log.entries_from_round(snapshot.id, entries[0].version - 1):
            past = past.after(entry.event)
    return past


def _asks_who_is_bound(entries: Sequence[Entry], snapshot: Snapshot) -> bool:
    first = next((one.event for one in entries if isinstance(one.event, CardPlayed | RoundStarted | SeatBound)), None)
    if not isinstance(first, CardPlayed):
        return False
    table = snapshot.table
    book = rulebook(table.edition, table.seats, table.options)
    return (
        not BINDING.isdisjoint(book.cards) and void(book, first.card, first.face, first.targets, first.seat) is not None
    )


def _asks_who_is_away(entries: Sequence[Entry]) -> bool:
    first = next((one.event for one in entries if isinstance(one.event, SeatTimedOut | RoundStarted)), None)
    return isinstance(first, SeatTimedOut)
