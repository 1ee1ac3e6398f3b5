"""What holds in every game holds over random games of every edition and table; what that is is in `invariants`."""

import random

import pytest

import engine
from engine import options, rules
from engine.shuffle import LooseChance
from engine.state import ACTIVE
from tests.engine.random_games import EVERY_TABLE, TABLES, of_all_kinds, random_game
from tests.engine.rules.invariants import cheaply, closely

GAMES = 18
"""At each table, three of each kind; `make soak` plays 20,000."""
CLOSE_GAMES = 3


@pytest.mark.many
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_nothing_breaks_in_many_games(edition, seats):
    for seed in range(GAMES):
        cheaply(edition, seats, seed, **of_all_kinds(edition, seed))


@pytest.mark.many
@EVERY_TABLE
def test_nothing_breaks_when_one_looks_closely(edition, seats):
    for seed in range(CLOSE_GAMES):
        closely(edition, seats, seed, **of_all_kinds(edition, seed))


@EVERY_TABLE
def test_a_game_played_out_goes_as_one_played_action_by_action(edition, seats):
    state, out = (engine.new_game(edition, seats, seed=1).state for _ in range(2))
    singly, at_once = random.Random(2), random.Random(2)
    chance, actions = LooseChance(singly), 0
    while state.status == ACTIVE:
        legal = rules.legal_actions(state)
        rules.play(state, legal[chance.answer(len(legal), state.version)], chance)
        actions += 1

    assert rules.play_out(out, LooseChance(at_once)) == actions > 1
    assert (out.version, out.scores, out.winners) == (state.version, state.scores, state.winners)
    assert at_once.random() == singly.random(), "chance was asked as often"
    assert rules.play_out(out, chance) == 0, "it is over"


def test_forgetting_the_plays_of_other_hands_changes_nothing(monkeypatch):
    state, game = random_game("standard", 3, 1)
    monkeypatch.setattr(options, "MOST_REMEMBERED", 3)
    state.book.plays_of_hands.clear()
    state.book.plays_of_cards.clear()
    state, again = random_game("standard", 3, 1)

    assert again == game
    assert len(state.book.plays_of_hands) <= 3
    assert len(state.book.plays_of_cards) <= 3
