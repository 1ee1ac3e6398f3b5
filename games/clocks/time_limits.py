"""Computes how long the seat to act may take."""

from collections.abc import Mapping
from typing import Any, Final

from engine.state import GameState
from games.ids import own_bot

AWAY_MS: Final = 3_000
"""How long others wait for a seat whose player is away: long enough to act and so to return."""


def limit_ms(clock: Mapping[str, Any], state: GameState, seat: int) -> int:
    """Returns the time limit of a seat's next decision, in milliseconds."""
    limit = state.banks[seat] if state.banks is not None else int(clock["seconds"]) * 1000
    return min(limit, AWAY_MS) if is_hurried(state, seat) else limit


def is_hurried(state: GameState, seat: int) -> bool:
    """Returns whether a seat's clock is shorter than usual: it is away, and a player who is not waits for it."""
    return state.is_away(seat) and any(
        not other.left and not state.is_away(i) and own_bot(other.player) is None for i, other in enumerate(state.seats)
    )
