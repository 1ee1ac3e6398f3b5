"""Which seat the first card on a page of events had to choose, as the log before the page has it; no words are here."""

from collections.abc import Sequence
from typing import Final

from engine.editions import rulebook
from engine.events import CardPlayed, RoundStarted, SeatBound
from service.log import EventLog
from service.snapshot import Entry, Snapshot
from service.texts.events import bound_after
from service.texts.plays import void

BINDING: Final = frozenset({"sycophant"})
"""The cards that bind a seat."""


def bound_before(entries: Sequence[Entry], snapshot: Snapshot, log: EventLog) -> int | None:
    """Returns the seat that is bound before some entries, if a card among them is told of differently for it.

    The log is read only where the first card played there has no effect: seldom, and one block in most cases.

    Raises:
        Unavailable: Redis is away.
    """
    first = next((one for one in entries if isinstance(one.event, CardPlayed | RoundStarted | SeatBound)), None)
    if first is None or not isinstance(first.event, CardPlayed):
        return None
    table, card = snapshot.table, first.event
    book = rulebook(table.edition, table.seats, table.options)
    if BINDING.isdisjoint(book.cards) or void(book, card.card, card.face, card.targets, card.seat) is None:
        return None
    bound = None
    for entry in log.entries_from_round(snapshot.id, first.version - 1):
        bound = bound_after(entry.event, bound)
    return bound
