"""Plays that anybody at the table would expect of a player who counts cards."""

import random
from dataclasses import dataclass
from typing import ClassVar

import pytest

from engine.actions import PlayCard
from engine.bots.cautious import judging as cautious
from engine.bots.question import Question
from tests.bots.cautious.choices import choice, choices
from tests.engine.given import given, seen_by_the_seat_to_act


def having_looked(keeps, draws, *others, deck):
    """Returns a table of three where seat 0 has looked at seat 1's hand with a Priest and has its next turn."""
    table = given(hands=[f"priest {keeps}", *others], deck=f"spy spy {draws} {deck}")
    table.play("priest", 1)
    table.play("spy")
    table.play("spy")
    return table


class TestTheGuard:
    def test_names_the_card_it_has_seen(self):
        table = having_looked("guard", "handmaid", "king", "baron", deck="guard guard")

        assert choice(table) == PlayCard("guard", (1,), "king")

    def test_names_no_card_that_is_all_in_sight(self):
        table = given(
            "classic",
            hands=["guard priest", "king"],
            deck="guard countess",
            discards={0: "guard guard guard priest baron handmaid", 1: "handmaid prince prince"},
        )

        assert {(action.card, action.guess) for action in choices(table)} <= {
            ("guard", "baron"),
            ("guard", "king"),
            ("guard", "countess"),
            ("guard", "princess"),
        }

    def test_names_the_character_with_most_copies_left(self):
        table = given(
            "classic",
            hands=["guard guard", "countess"],
            deck="prince prince baron guard guard guard",
            discards={1: "priest priest baron handmaid handmaid king"},
        )

        assert choice(table) == PlayCard("guard", (1,), "prince")

    def test_goes_for_the_leader_among_equals(self):
        table = given(
            hands=["guard guard", "priest", "baron", "spy"], deck="spy king prince prince countess", tokens=[0, 0, 3, 0]
        )

        assert {action.targets for action in choices(table)} == {(2,)}


class TestThePrincess:
    def test_is_not_played(self):
        for other in ("guard", "baron", "king", "countess", "handmaid", "prince", "spy", "chancellor", "priest"):
            table = given(hands=[f"{other} princess", "guard", "guard"], deck="spy spy spy spy")
            assert {action.card for action in choices(table)} == {other}

    def test_is_not_thrown_away_with_a_prince_of_ones_own(self):
        table = given(hands=["prince princess", "guard", "guard"], deck="spy spy spy", protected=[1])

        assert choice(table) == PlayCard("prince", (2,))

    def test_of_a_rival_is_what_a_prince_is_for(self):
        table = having_looked("prince", "handmaid", "princess", "baron", deck="guard king guard guard")

        assert choice(table) == PlayCard("prince", (1,))


class TestTheBaron:
    def test_is_played_beside_a_high_card(self):
        table = given(hands=["baron princess", "guard"], deck="spy guard guard king")

        assert choice(table) == PlayCard("baron", (1,))

    def test_is_kept_beside_a_low_one(self):
        table = given(hands=["baron spy", "king"], deck="guard guard handmaid priest")

        assert choice(table) == PlayCard("spy")

    def test_is_not_played_against_a_higher_card_that_it_has_seen(self):
        table = having_looked("baron", "prince", "king", "baron", deck="guard guard guard")

        assert PlayCard("baron", (1,)) not in choices(table)


class TestTheCountess:
    @pytest.mark.parametrize("other", ["king", "prince"])
    def test_is_played_when_she_must_be(self, other):
        assert choice(given(hands=[f"countess {other}", "guard", "guard"], deck="spy")) == PlayCard("countess")

    def test_is_played_beside_the_princess(self):
        assert choice(given(hands=["countess princess", "guard", "guard"], deck="spy")) == PlayCard("countess")


class TestTheKing:
    def test_takes_a_high_card_that_it_has_seen_when_the_round_is_about_to_end(self):
        table = given(hands=["priest spy", "princess"], deck="guard king")
        table.play("priest", 1)
        table.play("guard", 0, names="baron")

        assert choice(table) == PlayCard("king", (1,))

    def test_is_kept_when_it_will_win_the_showdown(self):
        table = given(hands=["king spy", "guard"], deck="", discards={1: "countess princess"}, set_aside="guard")

        assert choice(table) == PlayCard("spy")


class TestTheChancellor:
    def decision(self, **more):
        table = given(hands=["chancellor spy", "king", "baron"], **more)
        table.play("chancellor")
        return table

    def test_keeps_a_high_card_for_a_round_about_to_end(self):
        assert {answer.keep for answer in choices(self.decision(deck="princess guard"))} == {"princess"}

    def test_gives_the_princess_to_nobody_who_draws_her_before_the_end(self):
        assert {answer.keep for answer in choices(self.decision(deck="countess princess"))} == {"princess"}

    def test_puts_the_higher_card_where_it_will_draw_it_itself(self):
        table = given(hands=["chancellor countess", "king"], deck="princess spy")
        table.play("chancellor")

        # Two seats are in and two cards under the deck: the rival draws the first, the seat itself the second.
        assert choice(table).bottom[0] == "spy"


class TestTheLastTurn:
    def test_keeps_the_higher_card(self):
        assert choice(given(hands=["handmaid countess", "baron"], deck="")) == PlayCard("handmaid")

    def test_guesses_a_card_that_would_win_rather_than_one_that_would_not(self):
        table = given(
            hands=["guard prince", "king"],
            deck="",
            discards={0: "guard guard guard priest baron handmaid handmaid", 1: "prince chancellor chancellor spy"},
        )
        assert {action.guess for action in choices(table)} <= {"king", "countess", "princess"}


class TestNobodyToChoose:
    def test_is_no_reason_to_give_a_higher_card_away(self):
        table = given(hands=["guard king", "baron"], deck="spy spy spy", protected=[1])

        assert choice(table) == PlayCard("guard")


class TestTheSpy:
    def test_is_shown_for_its_token(self):
        table = given(hands=["spy priest", "guard", "guard"], deck="guard guard guard guard guard guard")

        assert choice(table) == PlayCard("spy")


class TestAnswersItKnowsNothingAbout:
    def test_are_equal(self):
        known = seen_by_the_seat_to_act(given(hands=["guard priest", "king"], deck="spy"))
        answers = [Wave(left=True), Wave(left=False)]

        assert cautious.judge(known, answers) == [0, 0]
        assert {cautious.choose(Question(known, answers), random.Random(seed)) for seed in range(30)} == set(answers)


@dataclass(frozen=True)
class Wave:
    """An action of a kind that no edition asks for."""

    type: ClassVar[str] = "wave"
    left: bool
