"""The cards of the classic edition, one class each: the standard ones in a smaller deck.

The functions behind the rows are the same, so each class shows that this edition's row is wired to its card, and
what the smaller deck changes.
"""

from collections import Counter

import pytest

from engine.actions import PlayCard
from engine.editions import EDITIONS, rulebook
from engine.events import (
    CardDrawn,
    CardPlayed,
    HandDiscarded,
    HandsCompared,
    HandShown,
    HandsTraded,
    KnockedOut,
    SeatProtected,
    TurnStarted,
)
from tests.engine.given import given
from tests.second_model.model.cards import deck_of, table_of


def classic(**situation):
    return given("classic", **situation)


class TestTheDeck:
    def test_holds_the_16_cards_of_the_rules(self):
        cards = EDITIONS["classic"].cards_for(2)
        assert {card.key: (card.value, card.copies) for card in cards} == table_of("classic", 2)

        deck = rulebook("classic", 2, {}).deck
        assert len(deck) == 16
        assert Counter(deck) == Counter(deck_of("classic", 2))

    @pytest.mark.parametrize(("seats", "tokens"), [(2, 6), (3, 5), (4, 4)])
    def test_asks_for_fewer_tokens_the_more_seats_there_are(self, seats, tokens):
        assert rulebook("classic", seats, {}).tokens_to_win == tokens


class TestGuard:
    def test_a_hit_knocks_the_seat_out(self):
        table = classic(hands=["guard king", "priest", "baron"], deck="guard")

        assert table.play("guard", 1, names="priest")[:2] == [
            CardPlayed(0, "guard", (1,), "priest", None, None),
            KnockedOut(1, ("priest",)),
        ]


class TestPriest:
    def test_shows_a_hand(self):
        table = classic(hands=["priest king", "guard", "baron"], deck="guard")

        assert table.play("priest", 1)[1] == HandShown(1, 0, ("guard",))


class TestBaron:
    def test_the_lower_hand_is_out(self):
        table = classic(hands=["baron king", "guard", "priest"], deck="guard")

        assert table.play("baron", 1)[1:3] == [HandsCompared(0, 1, ("king",), ("guard",)), KnockedOut(1, ("guard",))]


class TestHandmaid:
    def test_protects(self):
        table = classic(hands=["handmaid king", "guard", "priest"], deck="guard")

        assert table.play("handmaid")[1] == SeatProtected(0)
        assert table.refused("guard", 0, names="king") == "target_protected"


class TestPrince:
    def test_a_seat_discards_its_hand_and_draws(self):
        table = classic(hands=["prince guard", "king", "baron"], deck="guard priest")

        assert table.play("prince", 1)[1:3] == [HandDiscarded(1, ("king",)), CardDrawn(1, "guard", "deck")]


class TestKing:
    def test_swaps_hands(self):
        table = classic(hands=["king guard", "priest", "baron"], deck="guard")

        assert table.play("king", 1)[1] == HandsTraded(0, 1, ("priest",), ("guard",))


class TestCountess:
    @pytest.mark.parametrize("other", ["king", "prince"])
    def test_must_be_played_beside_the_king_or_a_prince(self, other):
        table = classic(hands=[f"countess {other}", "guard", "guard"], deck="guard")

        assert table.legal() == [PlayCard("countess")]


class TestPrincess:
    def test_played_is_out(self):
        table = classic(hands=["princess guard", "priest", "baron"], deck="guard")

        assert table.play("princess") == [
            CardPlayed(0, "princess", (), None, None, None),
            KnockedOut(0, ("guard",)),
            TurnStarted(1),
            CardDrawn(1, "guard", "deck"),
        ]
