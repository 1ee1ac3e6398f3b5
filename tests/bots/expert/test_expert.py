"""The bot that searches: what it finds, how long it takes, and that it can be asked the same again."""

import random

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.bots.expert import search as expert
from engine.bots.question import Question
from engine.views import redact_log, view
from tests.engine.given import given
from tools.players.bot_games import this_round


def question(table, **settings):
    """Returns what the seat to act at a table is asked."""
    seat = table.state.to_act
    known = view(table.log, seat)
    return Question(known, rules.legal_actions(known), this_round(redact_log(table.log, seat)), **settings)


def choice(table, think_ms=20, seed=1):
    return expert.choose(question(table, think_ms=think_ms), random.Random(seed))


class Clock:
    """Says that time is up when it has been looked at so often."""

    def __init__(self, looks):
        self.left = looks

    def __call__(self):
        self.left -= 1
        return self.left < 0


class TestItFinds:
    def test_the_card_it_has_seen(self):
        table = given(hands=["priest guard", "king"], deck="spy handmaid guard guard")
        table.play("priest", 1)
        table.play("spy")

        assert choice(table) == PlayCard("guard", (1,), "king")

    def test_that_the_last_card_decides_for_the_higher_hand(self):
        table = given(hands=["guard prince", "spy"], deck="", discards={1: "guard guard guard guard priest priest"})

        assert choice(table).card == "guard"

    def test_a_play_that_wins_the_game(self):
        table = given(hands=["baron countess", "king"], deck="spy guard handmaid", tokens=[5, 5])

        assert choice(table) == PlayCard("baron", (1,))


def test_the_only_action_takes_no_thought():
    table = given(hands=["countess king", "spy"], deck="guard guard")
    asked = question(table, hurry=lambda: pytest.fail("there is nothing to think about"))

    assert expert.choose(asked, random.Random(1)) == PlayCard("countess", ())


class TestTime:
    table = given(hands=["guard prince", "king", "baron"], deck="spy guard handmaid priest guard")

    @pytest.mark.many
    def test_more_of_it_is_more_looks_at_the_clock(self):
        short, long = Clock(10**6), Clock(10**6)
        expert.choose(question(self.table, think_ms=2, hurry=short), random.Random(1))
        expert.choose(question(self.table, think_ms=20, hurry=long), random.Random(1))

        assert 10**6 - long.left > 4 * (10**6 - short.left)

    def test_when_it_is_up_the_best_so_far_is_played(self):
        for looks in (0, 1, 2, 20):
            hurried = question(self.table, think_ms=10**6, hurry=Clock(looks))
            assert expert.choose(hurried, random.Random(1)) in hurried.legal

    @pytest.mark.many
    def test_that_was_cut_short_can_be_cut_short_again_at_the_same_place(self):
        seeds = range(2)
        for looks in (3, 40):
            first = [expert.choose(question(self.table, hurry=Clock(looks)), random.Random(seed)) for seed in seeds]
            again = [expert.choose(question(self.table, hurry=Clock(looks)), random.Random(seed)) for seed in seeds]
            assert first == again
