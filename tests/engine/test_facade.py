"""`import engine`: a game in memory, as a researcher plays it."""

import doctest
import random

import pytest

import engine
from engine import views
from engine.errors import IllegalAction, UnknownEdition
from engine.rules import fold_log


def test_the_example_of_the_package_is_true():
    assert doctest.testmod(engine) == doctest.TestResults(failed=0, attempted=5)


class TestAGame:
    @pytest.mark.parametrize("edition", engine.EDITIONS)
    def test_is_the_fold_of_its_log(self, edition):
        rng = random.Random(edition)
        game = engine.new_game(edition, seats=3, seed=1)
        while not game.over:
            assert views.present(fold_log(game.log)) == views.present(game.state)
            game.act(rng.choice(game.legal_actions()))
        assert game.winners
        assert game.to_act is None
        assert game.legal_actions() == []

    def test_is_the_same_for_the_same_seed(self):
        one, same, other = (engine.new_game("classic", seats=2, seed=seed) for seed in (5, 5, 6))
        assert one.log == same.log != other.log

    def test_shows_a_seat_its_own_hand_alone(self):
        game = engine.new_game("standard", seats=2, seed=1)
        seat = game.to_act
        assert game.view(seat).seats[seat].hand == game.state.seats[seat].hand
        assert game.view(1 - seat).seats[seat].hand == [None, None]
        assert game.view(engine.WATCHER).seats[1 - seat].hand == [None]

    def test_has_the_options_that_are_given(self):
        game = engine.new_game("lovecraft", seats=2, seed=1, options={"liber_ivonis": "published"})
        assert game.state.book.options["liber_ivonis"] == "published"


def test_an_illegal_action_changes_nothing():
    game = engine.new_game("standard", seats=2, seed=1)
    action = game.legal_actions()[0]
    while not game.over:
        game.act(game.legal_actions()[0])
    before = game.log[:]
    with pytest.raises(IllegalAction):
        game.act(action)
    assert game.log == before


def test_a_table_that_no_edition_has_is_refused():
    with pytest.raises(UnknownEdition):
        engine.new_game("standard", seats=9, seed=1)
