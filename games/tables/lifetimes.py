"""Decides how long untouched games and players live."""

from dataclasses import dataclass
from typing import Final

from engine.events import GameAborted
from engine.state import ABORTED, OPEN
from games.notices import people
from games.snapshot import Snapshot
from games.times import ms_of

HOUR_MS: Final = 60 * 60 * 1000
DAY_MS: Final = 24 * HOUR_MS
SEEN_MS: Final = DAY_MS
"""How long an expired game that is not kept stays, so that its players can see why it is over."""


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Lifetimes without being touched, in milliseconds; 0: forever."""

    table_ms: int = 0
    """An open table."""
    passing_ms: int = 0
    """A game that is not kept, from its last event on."""
    unclocked_ms: int = 0
    """A game between people that has begun and has no clock to end it."""
    player_ms: int = 0
    """A player without games."""

    def ends(self, snapshot: Snapshot) -> int | None:
        """Returns when a table or game expires, or is removed if it has ended, in ms since 1970; None for never."""
        last = snapshot.entries[-1]
        if snapshot.ended:
            life = self.passing_ms if is_passing(snapshot) else 0
            if life and abort_reason(snapshot) == "expired":
                life = min(life, SEEN_MS)
        elif snapshot.state.status == OPEN:
            life = self.table_ms
        elif is_passing(snapshot):
            life = self.passing_ms
        else:
            life = self.unclocked_ms if snapshot.table.clock is None else 0
        return ms_of(last.at) + life if life else None


def is_passing(snapshot: Snapshot) -> bool:
    """Returns whether a game's lifetime is short: a sandbox or fork, between bots, or ended before anybody acted."""
    if snapshot.table.sandbox or not people(snapshot):
        return True
    return snapshot.state.status == ABORTED and not snapshot.begun


def abort_reason(snapshot: Snapshot) -> str | None:
    """Returns why a table expired or its game ended without a result, None for any other game."""
    if snapshot.state.status != ABORTED:
        return None
    ends = (entry.event.reason for entry in snapshot.entries if isinstance(entry.event, GameAborted))
    return next(ends, None)
