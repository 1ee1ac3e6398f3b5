"""The backtest of ratings: it plays the same games again, learns from them, and scores what it did not know."""

import math

import pytest

from games.ratings.standing import Rating
from tools.backtest.games import Played, play_games
from tools.backtest.predictions import (
    INPUTS,
    calibration,
    fitted,
    games_until_certain,
    games_until_near,
    histories,
    log_loss,
    plot,
    predicted,
)

STRONGER = [Played((n % 3, 3 + n % 2), (0,), (7, 2), ((0,),) * 7 + ((1,),) * 2) for n in range(200)]
"""The first of two always wins, with seven rounds of nine."""


@pytest.mark.parametrize("name", INPUTS)
def test_who_always_wins_is_predicted_better_than_by_a_coin(name):
    found = list(predicted(STRONGER, INPUTS[name]))
    assert [prediction.shares for prediction in found] == [[1.0, 0.0]] * 200
    assert found[0].chances(1.0) == [0.5, 0.5], "nothing is known before the first game"
    assert log_loss(found[:1]) == pytest.approx(math.log(2))
    assert log_loss(found[100:]) < 0.5 * math.log(2)
    assert fitted(found[50:100]) > 1, "they could be surer"
    chances = [chance for chance, _, _ in calibration(found, 4)]
    assert chances == sorted(chances)


def test_ranks_tell_the_losers_apart_and_the_winner_alone_does_not():
    game = Played((0, 1, 2, 3), (2,), (3, 1, 4, 3), ())
    assert INPUTS["winner only"](game) == [[2, 2, 1, 2]]
    (places,) = INPUTS["ranks by tokens"](game)
    assert places[2] < places[0] == places[3] < places[1]


def test_deviations_fall_with_the_games_of_a_player():
    for history in histories(STRONGER):
        assert games_until_certain(history, 400) < games_until_certain(history, 300) < len(history)
        assert games_until_certain(history, 1) == math.inf


def test_ratings_are_found_when_most_are_where_they_stay():
    climbing = [Rating(mean, 100) for mean in (1500, 1540, 1590, 1655, 1700, 1710, 1690, 1700)]
    steady = [Rating(1500, 100)] * 8
    assert games_until_near([climbing, climbing, steady], 50) == 4
    assert games_until_near([climbing, steady, steady], 50) == 1
    assert games_until_near([climbing], -1) == math.inf


def test_a_calibration_is_drawn_where_it_was_predicted_and_won():
    *rows, axis, _ = plot([(0.0, 0.5, 1), (0.5, 1.0, 1), (1.0, 1.0, 1)], 4, 4)
    assert rows == ["100 % |  o o", " 75 % |   .", " 50 % |o .", " 25 % | .", "  0 % |."]
    assert axis == "      +-----"


def test_the_same_games_are_played_again():
    games = play_games("standard", 3, 4, 5, seed=1)
    assert games == play_games("standard", 3, 4, 5, seed=1)
    for game in games:
        assert len({*game.players}) == 3
        assert game.tokens[game.winners[0]] == max(game.tokens)
        assert sum(len(won) for won in game.rounds) <= sum(game.tokens)
