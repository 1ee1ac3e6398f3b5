"""The Sycophant of the premium edition with every card that chooses (rules, "The cards of premium")."""

import pytest

from engine.actions import PlayCard
from engine.events import (
    CardDrawn,
    CardPlayed,
    HandDiscarded,
    KnockedOut,
    SeatBound,
    SeatTimedOut,
    TurnStarted,
    fold,
)
from tests.engine.editions.premium_tables import CHOOSERS, choose, premium, targets_of
from tests.engine.given import timed_out
from tests.second_model.model.cards import ONE_OF_ALL, ONE_OR_TWO_OTHERS, ONE_OTHER, TWO_OF_ALL, chooses

BOUND_TO_ANOTHER = {
    ONE_OTHER: [(2,)],
    ONE_OF_ALL: [(2,)],
    TWO_OF_ALL: [(0, 2), (1, 2), (2, 3)],
    ONE_OR_TWO_OTHERS: [(2,), (0, 2), (2, 3)],
}
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

    def test_must_bind_its_own_seat_when_all_others_are_protected(self):
        table = premium(hands=["sycophant count", "guard", "prince"], deck="count", protected=[1, 2])

        assert targets_of(table, "sycophant") == [(0,)]

    @pytest.mark.parametrize("card", CHOOSERS)
    def test_makes_the_next_card_include_another_seat(self, card):
        table = self.bound_to(2, card)

        assert targets_of(table, card) == BOUND_TO_ANOTHER[chooses(card, None)]
        assert table.refused(card) == "target_required"
        elsewhere = (0, 3) if card == "cardinal" else (0,)
        assert table.refused(card, *elsewhere) == "target_bound"

    @pytest.mark.parametrize("card", CHOOSERS)
    def test_makes_the_next_card_include_its_own_player_or_be_void(self, card):
        table = self.bound_to(1, card)

        assert targets_of(table, card) == BOUND_TO_ONESELF[chooses(card, None)]
        elsewhere = (0, 2) if card == "cardinal" else (2,)
        void = BOUND_TO_ONESELF[chooses(card, None)] == [()]
        assert table.refused(card, *elsewhere) == ("target_not_allowed" if void else "target_bound")

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

    @pytest.mark.parametrize("card", CHOOSERS)
    @pytest.mark.parametrize("seat", [1, 2])
    def test_ends_with_that_card(self, seat, card):
        table = self.bound_to(seat, card)
        choose(table, card, *targets_of(table, card)[0])

        assert table.state.bound == (seat if card == "sycophant" else None), "a Sycophant binds it anew"

    @pytest.mark.parametrize("card", ["handmaid", "count", "constable", "countess", "assassin", "princess"])
    def test_ends_with_a_card_that_chooses_nobody(self, card):
        table = self.bound_to(2, card)
        assert PlayCard(card) in table.legal()
        table.play(card)

        assert table.state.bound is None
        assert (3,) in targets_of(table, "prince")

    def test_ends_with_a_card_that_was_void(self):
        table = self.bound_to(1)
        table.play("guard")

        assert table.state.to_act == 2
        assert (3,) in targets_of(table, "prince")

    def test_must_hit_its_own_prince_even_with_the_princess(self):
        table = premium(hands=["sycophant count", "prince", "guard"], deck="princess count")
        table.play("sycophant", 1)

        assert table.legal() == [PlayCard("prince", (1,)), PlayCard("princess")]
        assert table.play("prince", 1)[1:3] == [HandDiscarded(1, ("princess",)), KnockedOut(1, ())]

    def test_does_not_force_a_card_to_be_played(self):
        table = self.bound_to(2, "guard")

        assert table.legal_cards() == ["guard", "handmaid"]

    def test_does_not_lift_the_countess(self):
        table = premium(hands=["sycophant count", "countess", "guard"], deck="prince count")
        table.play("sycophant", 1)

        assert table.legal() == [PlayCard("countess")]
        table.play("countess")
        assert table.state.bound is None

    def test_is_not_used_up_by_cards_that_are_drawn_or_discarded(self):
        table = self.bound_to(2)
        fold(table.state, [HandDiscarded(3, ("priest",)), CardDrawn(3, "count", "deck")])

        assert table.state.bound == 2

    def test_lasts_until_a_card_is_played_whoever_leaves(self):
        table = self.bound_to(2)
        table.leave(0)
        assert table.state.bound == 2
        table.leave(1)

        assert table.state.to_act == 2
        assert targets_of(table, "prince") == [(2,)]

    def test_is_lifted_when_the_bound_seat_leaves(self):
        table = self.bound_to(2)
        table.leave(2)

        assert table.state.bound is None
        assert targets_of(table, "guard") == [(0,), (3,)]

    def test_is_lifted_when_the_bound_seat_forfeits_its_turn(self):
        table = self.bound_to(1)
        table.leave(1, "timed_out")

        assert table.state.to_act == 2
        assert (3,) in targets_of(table, "prince")

    def test_holds_for_a_card_that_is_played_by_the_clock(self):
        table = self.bound_to(2)
        happened = timed_out(table.state, 1, PlayCard("guard", (2,), 5), table.chance)

        assert happened[:3] == [
            SeatTimedOut(1),
            CardPlayed(1, "guard", (2,), None, 5, None),
            KnockedOut(2, ("prince",)),
        ]

    def test_binds_nobody_when_it_is_discarded_by_force(self):
        table = premium(hands=["prince guard", "sycophant", "princess"], deck="count count")
        table.play("prince", 1)

        assert table.state.bound is None

    def test_is_forgotten_in_the_next_round(self):
        table = premium(hands=["sycophant count", "guard", "prince"], deck="")
        table.play("sycophant", 1)

        assert table.state.round_number == 2
        assert table.state.bound is None
