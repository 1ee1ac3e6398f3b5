"""Decides how long untouched games live."""

from typing import Final

from engine.state import ABORTED, OPEN
from games.notices import people
from games.snapshot import Snapshot
from games.times import ms_of

DAY_MS: Final = 24 * 60 * 60 * 1000
TABLE_MS: Final = DAY_MS
"""How long an open table stays that nobody touches."""
PASSING_MS: Final = 7 * DAY_MS
"""How long a game that is not kept stays, from its last event on."""
UNCLOCKED_MS: Final = 180 * DAY_MS
"""How long a game between people goes on untouched that has begun and has no clock to end it."""
SEEN_MS: Final = DAY_MS
"""How long an expired game that is not kept stays, so that its players can see why it is over."""


def expires_at(snapshot: Snapshot) -> int | None:
    """Returns when a table or game expires, or is removed if it has ended, in ms since 1970; None for never."""
    last, life = snapshot.entries[-1], 0
    if snapshot.ended:
        if is_passing(snapshot):
            life = SEEN_MS if snapshot.abort_reason == "expired" else PASSING_MS
    elif snapshot.state.status == OPEN:
        life = TABLE_MS
    elif is_passing(snapshot):
        life = PASSING_MS
    elif snapshot.table.clock is None:
        life = UNCLOCKED_MS
    return ms_of(last.at) + life if life else None


def is_passing(snapshot: Snapshot) -> bool:
    """Returns whether a game's lifetime is short: a sandbox or fork, between bots, or ended before anybody acted."""
    if snapshot.table.sandbox or not people(snapshot):
        return True
    return snapshot.state.status == ABORTED and not snapshot.begun
