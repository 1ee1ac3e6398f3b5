"""The two premium cards that ask somebody something, the Cardinal and the Bishop (rules, "The cards of premium")."""

import pytest

from engine.actions import PeekHand
from engine.events import (
    CardPlayed,
    DecisionOpened,
    GameFinished,
    HandsTraded,
    TokenAwarded,
)
from tests.engine.editions.premium_tables import numbers_of, premium
from tests.engine.given import given, round_over


class TestCardinal:
    """Two hands change places, then its player may look at one of them."""

    def table(self, **situation):
        return premium(hands=["cardinal guard", "prince", "princess"], deck="count", **situation)

    def test_swaps_two_hands_and_then_asks(self):
        table = self.table()

        assert table.play("cardinal", 1, 2) == [
            CardPlayed(0, "cardinal", (1, 2), None, None, None),
            HandsTraded(1, 2, ("princess",), ("prince",)),
            DecisionOpened(0, "cardinal", "peek_hand", (1, 2)),
        ]
        assert table.state.to_act == 0
        assert table.legal() == [PeekHand(), PeekHand(1), PeekHand(2)]
        assert table.refused_action(PeekHand(0)) == "seat_not_offered"
        assert table.refused_action(PeekHand(1), seat=1) == "not_your_turn"


class TestBishop:
    """A token at once, and a decision by the seat that was hit."""

    def hit(self, **situation):
        deck = situation.pop("deck", "count count cardinal")
        return premium(hands=["bishop guard", "prince", "princess"], deck=deck, **situation)

    @pytest.mark.parametrize("seats", [5, 6, 7, 8])
    def test_names_any_number_but_1(self, seats):
        table = given("premium", hands=["bishop king", *["priest"] * (seats - 1)])

        assert numbers_of(table, "bishop") == [0, 2, 3, 4, 5, 6, 7, 8, 9]
        assert table.refused("bishop", 1, names=1) == "guess_not_allowed"
        assert table.refused("bishop", 1, names="priest") == "guess_not_allowed"
        assert table.refused("bishop", 1) == "guess_required"
        assert table.refused("bishop", 0, names=6) == "target_self"

    def test_a_token_that_reaches_the_target_ends_the_game_before_the_decision(self):
        for deck in ("count", ""):
            table = self.hit(deck=deck, tokens=[3, 0, 0])
            assert table.play("bishop", 1, names=5)[1:] == [TokenAwarded(0, "bishop", "favor"), GameFinished((0,))]
            assert table.state.decision is None
            assert table.legal() == []

    @pytest.mark.parametrize("counts", ["", "count", "count count"])
    def test_is_beaten_by_the_princess_at_the_showdown_whatever_the_counts(self, counts):
        table = premium(hands=["handmaid bishop", "princess", "king"], discards={0: counts}, deck="")

        assert round_over(1, (1,), "showdown") in table.play("handmaid")

    def test_beaten_by_the_princess_leaves_her_to_beat_the_others(self):
        hands = ["handmaid bishop", "princess", "countess"]
        table = premium(hands=hands, discards={2: "count count"}, deck="")

        assert round_over(1, (2,), "showdown") in table.play("handmaid")
