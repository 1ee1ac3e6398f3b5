"""A seat that leaves a running game (rules, "Leaving a running game")."""

import pytest

from engine.errors import IllegalAction
from engine.events import (
    CardDrawn,
    CardsReturned,
    DecisionTaken,
    GameFinished,
    SeatLeft,
    TokenAwarded,
    TurnStarted,
)
from tests.engine.given import given, round_over, round_part


class TestItsHand:
    def test_goes_face_up_on_its_discards_without_effect(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy", discards={1: "spy"})

        assert table.leave(1) == [SeatLeft(1, ("princess",), "resigned")]
        assert table.discards(1) == "spy princess"


class TestItsTurn:
    def test_passes_to_the_next_seat(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy")

        assert table.leave(0) == [
            SeatLeft(0, ("guard", "king"), "resigned"),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]


class TestADecisionThatWaitsForIt:
    def test_is_answered_by_chance_with_a_legal_answer(self):
        table = given(hands=["chancellor guard", "princess", "baron"], deck="spy king prince")
        table.play("chancellor")
        happened = table.leave(0)

        assert happened[0] == DecisionTaken(0, "chancellor", "keep_card")
        assert isinstance(happened[1], CardsReturned)
        (kept,) = happened[2].cards
        assert sorted([kept, *happened[1].cards]) == ["guard", "king", "spy"]
        assert happened[3:] == [TurnStarted(1), CardDrawn(1, "prince", "deck")]


class TestTheRound:
    def test_ends_when_one_seat_is_left_in_it(self):
        table = given(hands=["guard king", "princess", None], deck="spy")

        assert round_part(table.leave(1))[1:] == [
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]


class TestTheGame:
    def test_is_won_by_the_last_seat_in_it(self):
        table = given(hands=["guard king", "princess"], deck="spy")

        assert table.leave(0, "timed_out") == [SeatLeft(0, ("guard", "king"), "timed_out"), GameFinished((1,))]


class TestRefusals:
    def test_leaving_twice(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy")
        table.leave(1)

        with pytest.raises(IllegalAction) as refusal:
            table.leave(1)
        assert refusal.value.reason == "seat_left"
