"""Places by seat: who won, who has how many tokens, who left."""

import pytest

from engine.editions import rulebook
from engine.state import FINISHED, GameState
from games.ratings.places import places_of


def finished(*tokens, winners, left=(), away=()):
    state = GameState.empty(rulebook("standard", len(tokens), {}))
    state.status, state.winners = FINISHED, winners
    for seat, count in enumerate(tokens):
        state.seats[seat].tokens = count
        state.seats[seat].left = seat in left
    state.away = sum(1 << seat for seat in away)
    return state


@pytest.mark.parametrize(
    ("state", "places"),
    [
        (finished(7, 3, winners=(0,)), [1, 2]),
        (finished(1, 4, 2, 1, winners=(1,)), [3, 1, 2, 3]),
        (finished(4, 4, 0, winners=(0, 1)), [1, 1, 3]),
        (finished(2, 3, 1, winners=(2,)), [3, 2, 1]),  # the others had left, or the edition counts otherwise
        (finished(3, 2, 0, winners=(2,), left=(0, 1)), [2, 2, 1]),
        (finished(1, 3, 4, 0, winners=(2,), left=(1,), away=(0,)), [3, 3, 1, 2]),
        (finished(4, 2, winners=(0,), away=(0,)), [2, 1]),
        (finished(0, 0, 0, winners=()), [1, 1, 1]),
    ],
)
def test_winners_come_first_then_tokens_and_last_who_was_not_there_at_the_end(state, places):
    assert places_of(state) == places
