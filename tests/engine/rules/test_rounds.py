"""How rounds and games go on, in every edition (rules, "A round"); each class is one of its numbered rules."""

import random
from collections import Counter

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.errors import GAME_NOT_STARTED, IllegalAction, UnknownEdition
from engine.events import (
    CardDrawn,
    CardPlayed,
    GameAborted,
    GameFinished,
    GameStarted,
    HandsRevealed,
    KnockedOut,
    RoundStarted,
    SeatTaken,
    SeatVacated,
    TokenAwarded,
    TurnStarted,
    fold,
)
from engine.shuffle import LooseChance
from engine.state import ABORTED, OPEN
from tests.engine.given import chance, created, given, next_round, round_over, round_part
from tests.engine.random_games import TABLES
from tests.second_model.model.cards import FACE_UP, deck_of


def started(edition="standard", seats=3, seed=1, starter=None, rounds=()):
    state = rules.begin(created(edition, seats))
    events = rules.start(state, [""] * seats, chance(seed, rounds), starter)
    return fold(state, events), events


class TestRule1Deal:
    @pytest.mark.parametrize(("edition", "seats"), TABLES)
    def test_one_card_each_one_aside_and_the_rest_to_draw(self, edition, seats):
        state, (_, deal, *_) = started(edition, seats)

        assert len(deal.hands) == seats
        assert len(deal.shown_aside) == (FACE_UP[edition] if seats == 2 else 0)
        assert len(deal.deck) == len(deck_of(edition, seats)) - seats - 1 - len(deal.shown_aside)
        cards = [*deal.hands, *deal.deck, *deal.shown_aside, deal.set_aside]
        assert Counter(cards) == Counter(state.book.deck)

    def test_the_order_of_the_deck_says_who_gets_what(self):
        order = ["spy", "guard", "priest", "baron", "handmaid", "prince", "king", "countess"]
        _, (_, deal, *_) = started(seats=2, rounds=[{"order": order}])

        assert deal.set_aside == "spy"
        assert deal.shown_aside == ("guard", "priest", "baron")
        assert deal.hands == ("handmaid", "prince")
        assert deal.deck[:2] == ("king", "countess")

    def test_a_game_starts_with_its_players_and_the_first_turn(self):
        state = rules.begin(created(seats=2))
        fold(state, [SeatTaken(0, "first player", "", ""), SeatTaken(1, "second player", "n", "")])
        before = state.copy()
        events = rules.start(state, ["", "n"], chance(), starter=1)

        assert before == state
        assert events[0] == GameStarted(("first player", "second player"), ("", "n"), (), ())
        assert [type(event) for event in events[1:]] == [RoundStarted, TurnStarted, CardDrawn]
        assert fold(state, events).to_act == 1


class TestRule2Turns:
    def test_a_turn_draws_one_and_plays_one_of_two(self):
        table = given(hands=["spy guard", "priest", "baron"], deck="king prince")

        assert table.legal_cards() == ["spy", "guard"]
        assert table.play("spy")[-2:] == [TurnStarted(1), CardDrawn(1, "king", "deck")]


class TestRule3KnockedOut:
    def test_lays_the_hand_on_the_discards_without_effect(self):
        table = given(hands=["guard king", "handmaid", "baron"], deck="spy spy", discards={1: "spy"})
        table.play("guard", 1, names="handmaid")

        assert table.discards(1) == "spy handmaid"
        assert table.hand(1) == ""
        assert not table.state.is_protected(1)


class TestRule4EndOfTheRound:
    def test_when_one_seat_is_left(self):
        table = given(hands=["guard king", None, "baron"], deck="spy spy")

        assert round_part(table.play("guard", 2, names="baron")) == [
            CardPlayed(0, "guard", (2,), "baron", None, None),
            KnockedOut(2, ("baron",)),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]


class TestRule5Targets:
    """Each case is tested at the cards: Guard, Priest, Prince; here is what holds for every card that chooses."""

    @pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
    def test_a_card_for_others_is_void_when_nobody_can_be_chosen(self, card):
        table = given(hands=[f"{card} handmaid", "spy", "spy"], deck="spy spy", protected=[1, 2])

        assert PlayCard(card) in table.legal()
        assert [type(event) for event in table.play(card)] == [CardPlayed, TurnStarted, CardDrawn]

    @pytest.mark.parametrize("card", ["guard", "priest", "baron", "king", "prince"])
    def test_nobody_cannot_be_chosen_while_somebody_can(self, card):
        table = given(hands=[f"{card} handmaid", "spy", "spy"], deck="spy spy", protected=[1])

        assert PlayCard(card) not in table.legal()
        assert table.refused(card) == "target_required"

    def test_a_void_card_names_nothing(self):
        table = given(hands=["guard handmaid", "spy", "spy"], deck="spy spy", protected=[1, 2])

        assert table.refused("guard", names="spy") == "guess_not_allowed"


class TestRule6Protection:
    def test_ends_before_the_seat_draws(self):
        table = given(hands=["spy guard", "king", "priest"], deck="baron prince", protected=[1])
        happened = table.play("spy")

        assert happened[-2:] == [TurnStarted(1), CardDrawn(1, "baron", "deck")]
        assert not table.state.is_protected(1)


class TestRule7Starter:
    def test_is_chosen_by_the_creator(self):
        assert started(seats=4, starter=2)[0].to_act == 2

    def test_is_drawn_at_random_if_none_was_chosen(self):
        assert {started(seats=3, seed=seed)[0].to_act for seed in range(40)} == {0, 1, 2}

    def test_is_the_winner_of_the_last_round(self):
        table = given(hands=["spy guard", "king", "priest"], deck="")

        assert next_round(table.play("spy")).starter == 1

    def test_of_several_winners_one_of_them(self):
        starters = set()
        for seed in range(20):
            table = given(hands=["spy guard", "king", "king"], deck="", seed=seed)
            starters.add(next_round(table.play("spy")).starter)
        assert starters == {1, 2}

    def test_of_a_sandbox_is_the_chosen_one(self):
        assert started(seats=4, rounds=[{"starter": 3}])[0].to_act == 3

    def test_of_a_sandbox_is_the_chosen_one_in_later_rounds_too(self):
        table = given(hands=["spy guard", "king", "priest"], deck="", next_rounds=[{"starter": 2}])

        assert next_round(table.play("spy")).starter == 2

    def test_of_a_sandbox_that_has_left_is_followed_by_the_next_seat(self):
        hands = ["spy guard", "king", None, "priest"]
        table = given(hands=hands, deck="", left=[2], next_rounds=[{"starter": 2}])
        assert next_round(table.play("spy")).starter == 3

        table = given(hands=[*hands[:2], "baron", None], deck="", left=[3], next_rounds=[{"starter": 3}])
        assert next_round(table.play("spy")).starter == 0


class TestRule8TheCardSetAside:
    def test_is_drawn_when_the_deck_is_empty(self):
        table = given(hands=["prince guard", "king", "priest"], deck="", set_aside="baron")
        happened = table.play("prince", 1)

        assert CardDrawn(1, "baron", "set_aside") in happened

    def test_lies_there_otherwise(self):
        table = given(hands=["prince guard", "king", "priest"], deck="spy spy", set_aside="baron")
        table.play("prince", 1)

        assert table.state.set_aside == ["baron"]

    def test_does_not_delay_the_end_of_the_round(self):
        table = given(hands=["prince guard", "king", "priest"], deck="", set_aside="baron")

        assert HandsRevealed(("guard", "baron", "priest")) in table.play("prince", 1)


class TestEndOfTheGame:
    def test_when_a_seat_has_the_tokens_it_wins(self):
        table = given(hands=["spy king", "priest"], tokens=[4, 0])

        assert table.play("spy")[-1] == GameFinished((0,))
        assert table.state.to_act is None
        assert table.legal() == []


class TestBeforeTheStart:
    def test_seats_are_taken_and_given_up(self):
        state = rules.begin(created(seats=2))
        assert state.status == OPEN
        assert state.to_act is None
        assert rules.legal_actions(state) == ()
        fold(state, [SeatTaken(1, "second player", "", "")])
        assert [seat.player for seat in state.seats] == [None, "second player"]
        fold(state, [SeatVacated(1)])
        assert [seat.player for seat in state.seats] == [None, None]

    def test_a_game_can_be_aborted(self):
        state = rules.begin(created(seats=2))
        assert fold(state, [GameAborted("called_off")]).status == ABORTED

    def test_nobody_can_leave_a_game_that_has_not_started(self):
        with pytest.raises(IllegalAction) as refusal:
            rules.leave(rules.begin(created()), 0, "resigned", chance())
        assert refusal.value.reason == GAME_NOT_STARTED

    @pytest.mark.parametrize(
        ("edition", "seats", "options"),
        [("whist", 2, {}), ("standard", 7, {}), ("classic", 5, {}), ("standard", 2, {"deck": "short"})],
    )
    def test_there_is_no_table_without_rules(self, edition, seats, options):
        with pytest.raises(UnknownEdition):
            rules.begin(created(edition, seats, options))


class TestPlay:
    def test_is_decide_in_place(self):
        table = given(hands=["spy king", "priest"], deck="baron")
        decided = rules.decide(table.state, 0, PlayCard("spy"), chance())
        played = rules.play(table.state, PlayCard("spy"), LooseChance(random.Random(1)))

        assert played == decided
        assert table.state.turn == 1
