"""A seat that leaves a running game (rules, "Leaving a running game")."""

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.errors import IllegalAction
from engine.events import (
    CardDrawn,
    CardsReturned,
    DecisionTaken,
    GameFinished,
    HandsRevealed,
    SeatLeft,
    TokenAwarded,
    TurnStarted,
)
from engine.views import redact_log
from tests.engine.given import given, next_round, round_over, round_part


class TestItsHand:
    def test_goes_face_up_on_its_discards_without_effect(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy", discards={1: "spy"})

        assert table.leave(1) == [SeatLeft(1, ("princess",), "resigned")]
        assert table.discards(1) == "spy princess"

    def test_is_laid_down_by_number_so_that_nobody_learns_what_was_drawn_last(self):
        logs = []
        for hand in ("guard king", "king guard"):
            table = given(hands=[hand, "princess", "baron"], deck="spy")
            assert table.leave(0)[0] == SeatLeft(0, ("guard", "king"), "resigned")
            logs.append(redact_log(table.log, 1))
        assert logs[0] == logs[1]

    def test_is_empty_when_it_was_out(self):
        table = given(hands=["guard king", None, "baron"], deck="spy")

        assert table.leave(1) == [SeatLeft(1, (), "resigned")]


class TestItsTurn:
    def test_passes_to_the_next_seat(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy")

        assert table.leave(0) == [
            SeatLeft(0, ("guard", "king"), "resigned"),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]

    def test_of_another_goes_on(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy")
        table.leave(2)

        assert table.state.to_act == 0

    def test_the_last_of_the_round_ends_it(self):
        table = given(hands=["guard king", "princess", "baron"], deck="")

        assert round_part(table.leave(0))[1:3] == [
            HandsRevealed((None, "princess", "baron")),
            round_over(1, (1,), "showdown"),
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

    def test_the_answers_of_chance_differ(self):
        kept = set()
        for seed in range(20):
            table = given(hands=["chancellor guard", "princess", "baron"], deck="spy king prince", seed=seed)
            table.play("chancellor")
            kept.add(table.leave(0)[2].cards)
        assert kept == {("guard",), ("king",), ("spy",)}

    def test_goes_on_waiting_when_another_seat_leaves(self):
        table = given(hands=["chancellor guard", "princess", "baron"], deck="spy king prince")
        table.play("chancellor")

        assert table.leave(1) == [SeatLeft(1, ("princess",), "resigned")]
        assert table.state.to_act == 0
        assert table.keep("king", bottom="guard spy")[-2] == TurnStarted(2)

    def test_lapses_when_it_is_the_last_seat_of_the_round(self):
        table = given(hands=["chancellor guard", "princess", None], deck="spy king prince")
        table.play("chancellor")

        assert round_part(table.leave(1)) == [
            SeatLeft(1, ("princess",), "resigned"),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]
        assert table.state.decision is None
        assert table.state.is_in_round(0)


class TestTheRound:
    def test_ends_when_one_seat_is_left_in_it(self):
        table = given(hands=["guard king", "princess", None], deck="spy")

        assert round_part(table.leave(1))[1:] == [
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]

    def test_is_dealt_without_the_seat(self):
        table = given(hands=["spy king", "princess", "baron"], deck="")
        table.leave(2)
        deal = next_round(table.play("spy"))

        assert deal.seats == (0, 1)
        assert deal.left == (2,)
        assert deal.hands[2] is None
        assert not table.state.is_in_round(2)
        assert table.state.seats[2].left

    def test_keeps_the_deck_and_the_tokens_of_the_starting_table(self):
        table = given(hands=["spy king", "princess", "baron"], deck="", tokens=[3, 3, 0])
        table.leave(2)
        deal = next_round(table.play("spy"))

        assert deal.shown_aside == ()
        assert len(deal.deck) == 21 - 1 - 2
        assert table.state.book.tokens_to_win == 5

    def test_starts_elsewhere_when_its_winner_left_before_it(self):
        table = given(hands=["spy king", "princess", "baron"], deck="prince")
        table.leave(1)
        happened = table.leave(0)

        assert happened[-1] == GameFinished((2,))


class TestTheGame:
    def test_is_won_by_the_last_seat_in_it(self):
        table = given(hands=["guard king", "princess"], deck="spy")

        assert table.leave(0, "timed_out") == [SeatLeft(0, ("guard", "king"), "timed_out"), GameFinished((1,))]

    def test_is_won_by_the_last_seat_even_while_it_is_asked_something(self):
        table = given(hands=["chancellor king", "princess"], deck="spy")
        table.play("chancellor")

        assert table.leave(1)[-1] == GameFinished((0,))
        assert table.state.decision is None

    def test_cannot_be_won_by_a_seat_that_has_left(self):
        table = given(hands=["countess guard", "king", "baron"], left=[2], tokens=[0, 4, 5])

        assert table.play("countess")[-1] == GameFinished((1,))


class TestRefusals:
    def test_leaving_twice(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy")
        table.leave(1)

        with pytest.raises(IllegalAction) as refusal:
            table.leave(1)
        assert refusal.value.reason == "seat_left"

    def test_leaving_a_game_that_is_over(self):
        table = given(hands=["guard king", "princess"], deck="spy")
        table.leave(1)

        with pytest.raises(IllegalAction) as refusal:
            table.leave(0)
        assert refusal.value.reason == "game_over"

    def test_the_state_is_left_as_it_was(self):
        table = given(hands=["chancellor king", "princess", "baron"], deck="spy prince")
        table.play("chancellor")
        before = table.state.copy()
        rules.leave(table.state, 0, "resigned", table.chance)

        assert before == table.state

    def test_acting_after_leaving(self):
        table = given(hands=["guard king", "princess", "baron"], deck="spy prince")
        table.leave(0)

        assert table.refused_action(PlayCard("guard", (1,), "king"), seat=0) == "not_your_turn"
