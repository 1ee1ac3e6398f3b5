"""Reads the past of a game from its log: the game as it was, and what the texts of a page of events need.

Both may raise `Unavailable`, as reading the log does.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.editions import rulebook
from engine.events import CardPlayed, RoundStarted, SeatBound, SeatTimedOut
from games.snapshot import Entry, Snapshot, first_snapshot
from games.texts.plays import void
from games.texts.sentences.past import BEGINNING, Past
from service.store.log.event_log import EventLog

BINDING: Final = frozenset({"sycophant"})
"""Cards that bind a seat."""


def game_at(version: int, snapshot: Snapshot, log: EventLog) -> Snapshot:
    """Reads from its log a game as it was at a version, before any rematch was known."""
    if version == snapshot.version:
        return snapshot if snapshot.next_game is None else replace(snapshot, next_game=None)
    begun = first_snapshot(snapshot.created, snapshot.secret, snapshot.join_code, snapshot.hints)
    started = snapshot.started
    if snapshot.entries[0].version <= version <= snapshot.version:
        entries = [entry for entry in snapshot.entries if entry.version <= version]
    else:
        entries = log.entries_from_round(snapshot.id, version)
    if started is not None and entries[0].version > started.version:
        return begun.from_round(started, entries, "")
    return begun.after(entries[1:], "")


def past_of(entries: Sequence[Entry], snapshot: Snapshot, log: EventLog) -> Past:
    """Reads from a game's log what the texts of some of its events depend on: what earlier events led to.

    It reads the log only if the first card played there has no effect or somebody's time is up. That is rare, and one
    block usually suffices.
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
