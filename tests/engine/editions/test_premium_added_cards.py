"""The cards that the premium edition has from five seats on, one class each (rules, "The cards of premium").

Three of them have a file of their own: `test_premium_decisions` and `test_premium_sycophant`.
"""

import pytest

from engine.cards import Targets
from engine.editions import EDITIONS
from engine.events import (
    CardDrawn,
    CardPlayed,
    HandDiscarded,
    HandsCompared,
    KnockedOut,
    SeatMarked,
    TokenAwarded,
    TurnStarted,
)
from tests.engine.editions.premium_tables import premium, targets_of
from tests.engine.given import round_over, round_part


class TestAssassin:
    """In hand only: whoever plays a Guard on it is out."""

    @pytest.mark.parametrize("number", [0, 2, 3, 4, 5, 6, 7, 8, 9])
    def test_knocks_out_the_guards_player_whatever_was_named(self, number):
        table = premium(hands=["guard count", "assassin", "princess"], deck="prince count")

        assert table.play("guard", 1, names=number) == [
            CardPlayed(0, "guard", (1,), None, number, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_is_replaced_also_when_it_leaves_one_seat(self):
        table = premium(hands=["guard count", "assassin"], deck="prince")

        assert round_part(table.play("guard", 1, names=2)) == [
            CardPlayed(0, "guard", (1,), None, 2, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            round_over(1, (1,), "last_seat"),
            TokenAwarded(1, "round", "favor"),
        ]


class TestJester:
    """A mark for the round, paid at its end."""

    def test_marks_another_seat(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count")

        assert targets_of(table, "jester") == [(1,), (2,)]
        assert table.refused("jester", 0) == "target_self"
        assert table.play("jester", 1)[:2] == [
            CardPlayed(0, "jester", (1,), None, None, None),
            SeatMarked("jester", 0, 1),
        ]
        assert table.state.marks == {"jester": (0, 1)}


class TestBaroness:
    """One or two hands, chosen when she is played."""

    def test_chooses_one_or_two_others(self):
        table = premium(hands=["baroness guard", "prince", "princess", "king"], deck="count")

        assert targets_of(table, "baroness") == [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)]
        assert table.refused("baroness", 0, 1) == "target_self"
        assert table.refused("baroness", 1, 2, 3) == "target_count"
        assert table.refused("baroness", 1, 1) == "target_repeated"
        assert table.refused("baroness", 2, 1) == "target_order"


class TestCount:
    """In the own discards it adds one at the showdown."""

    def test_has_no_effect_when_played(self):
        table = premium(hands=["count guard", "prince", "princess"], deck="priest")

        assert table.play("count")[1] == TurnStarted(1)


class TestConstable:
    """In the discards of a seat that is knocked out it pays a token."""

    def lying(self, hands, seat, **situation):
        deck = situation.pop("deck", "count count")
        return premium(hands=hands, deck=deck, discards={seat: "constable"}, **situation)

    def test_has_no_effect_when_played(self):
        table = premium(hands=["constable guard", "prince", "princess"], deck="priest")

        assert table.play("constable")[1] == TurnStarted(1)


class TestDowagerQueen:
    """A comparison in which the higher is out."""

    def test_the_higher_is_out(self):
        table = premium(hands=["dowager_queen guard", "prince", "king"], deck="count")
        assert table.play("dowager_queen", 1)[1:3] == [
            HandsCompared(0, 1, ("guard",), ("prince",)),
            KnockedOut(1, ("prince",)),
        ]

        table = premium(hands=["dowager_queen princess", "prince", "king"], deck="count")
        assert table.play("dowager_queen", 1)[2] == KnockedOut(0, ("princess",))


class TestTheCardsThatChoose:
    def test_choose_as_their_rows_say(self):
        chosen = {card.key: card.targets for card in EDITIONS["premium"].cards_for(8) if card.targets.most}
        anybody = {"prince", "sycophant"}

        assert chosen.pop("cardinal") == Targets(2, 2, own=True)
        assert chosen.pop("baroness") == Targets(1, 2)
        assert chosen == {card: Targets(1, 1, own=card in anybody) for card in chosen}
