"""The Sycophant of the premium edition with every card that chooses (rules, "The cards of premium")."""

import pytest

from engine.actions import PlayCard
from engine.events import (
    CardDrawn,
    CardPlayed,
    HandDiscarded,
    SeatBound,
    TurnStarted,
    fold,
)
from tests.engine.editions.premium_tables import CHOOSERS, premium, targets_of
from tests.second_model.model.cards import ONE_OF_ALL, ONE_OR_TWO_OTHERS, ONE_OTHER, TWO_OF_ALL, chooses

BOUND_TO_ONESELF = {
    ONE_OTHER: [()],
    ONE_OF_ALL: [(1,)],
    TWO_OF_ALL: [(0, 1), (1, 2), (1, 3)],
    ONE_OR_TWO_OTHERS: [()],
}
"""What seat 1 may choose with a card, by whom the card chooses."""


class TestSycophant:
    """The next card that is played must choose the seat, if it chooses."""

    def bound_to(self, seat, card="guard", **situation):
        """Returns a table of four at which seat 1 holds a card, and seat 0 has played the Sycophant on a seat."""
        hands = ["sycophant count", card, "prince", "priest"]
        table = premium(hands=hands, deck="handmaid count prince guard", **situation)
        assert table.play("sycophant", seat)[:2] == [
            CardPlayed(0, "sycophant", (seat,), None, None, None),
            SeatBound(seat),
        ]
        return table

    def test_binds_any_seat_that_can_be_chosen_also_the_own(self):
        table = premium(hands=["sycophant count", "guard", "prince", "priest"], deck="count", protected=[2])

        assert targets_of(table, "sycophant") == [(0,), (1,), (3,)]
        assert table.refused("sycophant", 2) == "target_protected"
        assert table.refused("sycophant", 4) == "target_out"

    @pytest.mark.parametrize("card", [card for card in CHOOSERS if BOUND_TO_ONESELF[chooses(card, None)] == [()]])
    def test_a_card_that_cannot_choose_the_bound_seat_has_no_effect(self, card):
        table = self.bound_to(1, card)

        assert table.refused(card, names=5) == "guess_not_allowed"
        assert table.refused(card, 1) == "target_not_allowed"
        assert table.play(card) == [
            CardPlayed(1, card, (), None, None, None),
            TurnStarted(2),
            CardDrawn(2, "count", "deck"),
        ]

    @pytest.mark.parametrize("card", ["handmaid", "count", "constable", "countess", "assassin", "princess"])
    def test_ends_with_a_card_that_chooses_nobody(self, card):
        table = self.bound_to(2, card)
        assert PlayCard(card) in table.legal()
        table.play(card)

        assert table.state.bound is None
        assert (3,) in targets_of(table, "prince")

    def test_is_not_used_up_by_cards_that_are_drawn_or_discarded(self):
        table = self.bound_to(2)
        fold(table.state, [HandDiscarded(3, ("priest",)), CardDrawn(3, "count", "deck")])

        assert table.state.bound == 2

    def test_is_lifted_when_the_bound_seat_leaves(self):
        table = self.bound_to(2)
        table.leave(2)

        assert table.state.bound is None
        assert targets_of(table, "guard") == [(0,), (3,)]
