"""The chance to win the game: what rounds still needed make of it where every seat is as likely to win the next."""

import pytest

from engine.bots.expert.race import chance_to_win
from engine.state import FINISHED
from tests.engine.given import given


def chances(edition="standard", **table):
    state = given(edition, **table).state
    return [chance_to_win(state, seat) for seat in range(len(state.seats))]


def test_it_is_shared_equally_by_seats_that_need_as_many_rounds():
    assert chances(hands=["guard priest", "king", "baron"]) == [pytest.approx(1 / 3)] * 3


def test_who_needs_one_round_wins_against_who_needs_two_unless_both_are_lost():
    ahead, behind = chances(hands=["guard priest", "king"], tokens=[5, 4])

    assert ahead == pytest.approx(3 / 4)
    assert behind == pytest.approx(1 / 4)


def test_a_seat_that_has_left_has_none_and_takes_none():
    assert chances(hands=["guard priest", "king", None], tokens=[0, 0, 4], left=[2])[:2] == [pytest.approx(1 / 2)] * 2


def test_either_kind_of_token_may_win():
    hands = ["investigators mi_go", "cats_of_ulthar"]
    sane, insane = chances("lovecraft", hands=hands, tokens=[1, 2], insane_tokens=[0, 2])

    # Half of the rounds that the first wins are won sane: enough for it. So it is with insane ones for the other, but
    # that has two sane ones to go where the first has three insane ones.
    assert (sane, insane) == (pytest.approx(59 / 128), pytest.approx(69 / 128))


def test_a_game_that_has_ended_is_won_or_not_and_winners_share_it():
    state = given(hands=["guard priest", "king", "baron"]).state
    state.status, state.winners = FINISHED, (0, 2)

    assert [chance_to_win(state, seat) for seat in range(3)] == [0.5, 0.0, 0.5]


def test_seats_that_have_enough_at_once_share_the_game():
    """Between the last token and the end of the game: a search may stop there."""
    state = given(hands=["guard priest", "king", "baron"], tokens=[5, 5, 0]).state

    assert [chance_to_win(state, seat) for seat in range(3)] == [0.5, 0.5, 0.0]
