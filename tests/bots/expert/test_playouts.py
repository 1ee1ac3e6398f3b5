"""Playouts: whole rounds by the rules, for a search that only wants to know how they end."""

import random
from collections import Counter

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.bots.expert.habits import firm_shares
from engine.bots.expert.playouts import Playouts
from engine.state import ACTIVE
from tests.engine.given import given
from tests.engine.random_games import EVERY_TABLE
from tools.players.bot_games import new_game


def choices(table, count, seen=None):
    """Returns what the seat to act plays in so many playouts."""
    playouts = Playouts(table.state.book, random.Random(1))
    return [playouts.choice(table.state, seen or {}) for _ in range(count)]


@EVERY_TABLE
def test_a_round_is_played_by_the_rules_to_its_end_and_paid(edition, seats, monkeypatch):
    play = rules.play

    def checked(state, action, chance):
        assert rules.refusal(state, state.to_act, action) is None
        return play(state, action, chance)

    monkeypatch.setattr(rules, "play", checked)
    for seed in range(12):
        game = new_game(edition, seats, seed)
        rng = random.Random(seed)
        searching = Playouts(game.state.book, rng)
        state = game.state.copy()
        searching.finish(state, rng.choice(rules.legal_actions(state)), {})

        assert state.round_number == 1
        assert sum(seat.tokens for seat in state.seats) > 0 or state.status != ACTIVE or removed_each_other(state)
        assert searching.actions >= 1


def removed_each_other(state):
    """Whether nobody wins a showdown of `lovecraft`, for every number is held more than once."""
    numbers = Counter(state.book.values[state.seats[seat].hand[0]] for seat in state.alive())
    return state.book.edition.id == "lovecraft" and len(state.alive()) > 1 and min(numbers.values()) > 1


def test_a_seat_goes_by_habit():
    table = given(hands=["handmaid baron", "king", "spy"], deck="guard guard")
    played = Counter(play.card for play in choices(table, 1000))

    assert played["handmaid"] / 1000 == pytest.approx(
        firm_shares(table.state.book)[False, "handmaid", "baron"], abs=0.08
    )


class TestAName:
    def test_is_that_of_the_card_most_copies_are_hidden_of(self):
        table = given("classic", hands=["guard guard", "king"], deck="prince priest prince baron")

        assert {play.guess for play in choices(table, 20)} == {"prince"}

    def test_may_be_a_number(self):
        table = given("premium", hands=["guard guard", "king", *["priest"] * 3], deck="cardinal")

        assert {play.guess for play in choices(table, 20)} == {2}

    def test_is_that_of_a_card_that_was_seen(self):
        table = given(hands=["guard handmaid", "king", "spy", "baron"], deck="priest priest guard guard")

        assert choices(table, 1, {(0, 3): "baron"}) == [PlayCard("guard", (3,), "baron")]
        assert choices(table, 1, {(1, 3): "baron"}) != [PlayCard("guard", (3,), "baron")], "by another"
        assert choices(table, 1, {(0, 3): "king"}) != [PlayCard("guard", (3,), "king")], "it is not there any more"


class TestTheSeatChosen:
    def test_is_a_leader_most_of_the_time(self):
        table = given(hands=["guard guard", "king", "spy", "baron"], deck="guard guard", tokens=[2, 0, 1, 1])
        chosen = Counter(play.targets[0] for play in choices(table, 1000))

        assert chosen[1] < 150 < chosen[2]
        assert chosen[3] > 350


def test_of_three_cards_the_one_is_kept_that_is_least_often_played():
    table = given(hands=["chancellor guard", "king"], deck="countess spy guard guard")
    table.play("chancellor")

    assert {answer.keep for answer in choices(table, 5)} == {"countess"}


class TestAnInsaneSeat:
    def test_goes_by_habit_in_an_extra_play_too(self):
        table = given(
            "lovecraft",
            hands=["golden_mead cthulhu", "randolph_carter"],
            discards={0: "deep_ones"},
            deck="cats_of_ulthar investigators",
        )
        table.play("golden_mead", 1, face="insane")

        assert Counter(play.card for play in choices(table, 100))["cats_of_ulthar"] > 90, "Cthulhu would be the end"
