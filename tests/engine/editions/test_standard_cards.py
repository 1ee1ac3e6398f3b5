"""The cards of the standard edition, one class each (rules, "The cards of standard and classic")."""

from collections import Counter

import pytest

from engine.actions import PlayCard
from engine.editions import EDITIONS, rulebook
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    DecisionOpened,
    DecisionTaken,
    HandDiscarded,
    HandsCompared,
    HandShown,
    HandsTraded,
    KnockedOut,
    SeatProtected,
    TokenAwarded,
    TurnStarted,
)
from engine.views import redact
from tests.engine.given import given
from tests.second_model.model.cards import deck_of, table_of

SPY_TOKEN = "spy"


def spy_tokens(happened):
    return [event.seat for event in happened if isinstance(event, TokenAwarded) and event.reason == SPY_TOKEN]


class TestTheDeck:
    def test_holds_the_21_cards_of_the_rules(self):
        cards = EDITIONS["standard"].cards_for(2)
        assert {card.key: (card.value, card.copies) for card in cards} == table_of("standard", 2)

        deck = rulebook("standard", 2, {}).deck
        assert len(deck) == 21
        assert Counter(deck) == Counter(deck_of("standard", 2))

    @pytest.mark.parametrize(("seats", "tokens"), [(2, 6), (3, 5), (4, 4), (5, 3), (6, 3)])
    def test_asks_for_fewer_tokens_the_more_seats_there_are(self, seats, tokens):
        assert rulebook("standard", seats, {}).tokens_to_win == tokens


class TestSpy:
    def test_does_nothing_when_played(self):
        table = given(hands=["spy guard", "priest", "baron"], deck="king")

        assert table.play("spy") == [
            CardPlayed(0, "spy", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "king", "deck"),
        ]

    def test_of_a_seat_that_is_out_neither_counts_nor_blocks(self):
        table = given(hands=["countess guard", None, "baron"], discards={0: "spy", 1: "spy"})

        assert spy_tokens(table.play("countess")) == [0]


class TestGuard:
    def test_a_hit_knocks_the_seat_out(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy spy")

        assert table.play("guard", 1, names="priest") == [
            CardPlayed(0, "guard", (1,), "priest", None, None),
            KnockedOut(1, ("priest",)),
            TurnStarted(2),
            CardDrawn(2, "spy", "deck"),
        ]
        assert table.discards(1) == "priest"

    def test_may_name_a_character_of_which_all_copies_are_visible(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy", discards={0: "countess"})

        assert PlayCard("guard", (1,), "countess") in table.legal()


class TestPriest:
    def test_shows_a_hand_to_its_player_alone(self):
        table = given(hands=["priest king", "guard", "baron"], deck="spy spy")
        happened = table.play("priest", 1)

        assert happened[:2] == [CardPlayed(0, "priest", (1,), None, None, None), HandShown(1, 0, ("guard",))]
        assert redact(happened[1], viewer=0) == HandShown(1, 0, ("guard",))
        assert redact(happened[1], viewer=2) == HandShown(1, 0, (None,))


class TestBaron:
    def test_the_lower_target_is_out(self):
        table = given(hands=["baron king", "guard", "priest"], deck="spy spy")

        assert table.play("baron", 1)[:3] == [
            CardPlayed(0, "baron", (1,), None, None, None),
            HandsCompared(0, 1, ("king",), ("guard",)),
            KnockedOut(1, ("guard",)),
        ]


class TestHandmaid:
    def test_protects_until_the_own_next_turn(self):
        table = given(hands=["handmaid king", "guard", "guard"], deck="spy spy spy spy")

        assert table.play("handmaid") == [
            CardPlayed(0, "handmaid", (), None, None, None),
            SeatProtected(0),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]
        assert table.refused("guard", 0, names="king") == "target_protected"
        table.play("spy")
        assert table.state.is_protected(0)
        table.play("spy")
        assert not table.state.is_protected(0)
        assert table.state.to_act == 0


class TestPrince:
    def test_another_seat_discards_its_hand_and_draws(self):
        table = given(hands=["prince guard", "king", "baron"], deck="spy priest")

        assert table.play("prince", 1) == [
            CardPlayed(0, "prince", (1,), None, None, None),
            HandDiscarded(1, ("king",)),
            CardDrawn(1, "spy", "deck"),
            TurnStarted(1),
            CardDrawn(1, "priest", "deck"),
        ]
        assert table.discards(1) == "king"


class TestChancellor:
    def test_draws_two_keeps_one_and_returns_two(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="king spy prince")

        assert table.play("chancellor") == [
            CardPlayed(0, "chancellor", (), None, None, None),
            CardDrawn(0, "king", "deck"),
            CardDrawn(0, "spy", "deck"),
            DecisionOpened(0, "chancellor", "keep_card", ()),
        ]
        assert table.keep("king", bottom="spy guard") == [
            DecisionTaken(0, "chancellor", "keep_card"),
            CardsReturned(0, ("spy", "guard")),
            TurnStarted(1),
            CardDrawn(1, "prince", "deck"),
        ]
        assert table.hand(0) == "king"
        assert table.state.deck == ["spy", "guard"]


class TestKing:
    def test_swaps_hands(self):
        table = given(hands=["king guard", "priest", "baron"], deck="spy")

        assert table.play("king", 1) == [
            CardPlayed(0, "king", (1,), None, None, None),
            HandsTraded(0, 1, ("priest",), ("guard",)),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]
        assert (table.hand(0), table.hand(1)) == ("priest", "guard spy")


class TestCountess:
    def test_does_nothing_when_played(self):
        table = given(hands=["countess guard", "priest", "baron"], deck="spy")

        assert table.play("countess") == [
            CardPlayed(0, "countess", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]


class TestPrincess:
    def test_played_is_out_with_the_other_card(self):
        table = given(hands=["princess guard", "priest", "baron"], deck="spy")

        assert table.play("princess") == [
            CardPlayed(0, "princess", (), None, None, None),
            KnockedOut(0, ("guard",)),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]
        assert table.discards(0) == "princess guard"
