"""Which games count once they have ended, and in which place each seat comes."""

from engine.state import FINISHED, GameState
from games.snapshot import Snapshot


def has_result(snapshot: Snapshot) -> bool:
    """Returns whether a game counts: it is public, was played to its end, and its decks are its own and not chosen."""
    if snapshot.state.status != FINISHED:
        return False  # nearly always, and the rest takes its time
    table = snapshot.table
    return table.visibility == "public" and not table.sandbox and snapshot.deal is None


def places_of(state: GameState) -> list[int]:
    """Returns the place of each seat in a finished game, from 1; seats that are equal share a place.

    The winners come first, the others by tokens. Last come seats that left or for which a bot still stands in.
    """
    ranks = [_rank(state, seat) for seat in range(len(state.seats))]
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def _rank(state: GameState, seat: int) -> tuple[int, int]:
    """Returns what a seat's place follows from, the best first."""
    one = state.seats[seat]
    if one.left or state.is_away(seat):
        return 2, 0
    return (0, 0) if seat in state.winners else (1, -one.tokens)
