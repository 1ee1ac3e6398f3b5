"""The count: every card is where the view says or among the unseen, and beliefs follow from these."""

import random
from collections import Counter

import pytest

from engine.bots import BOTS, counting
from tests.engine.given import given, seen_by_the_seat_to_act
from tests.engine.random_games import EVERY_TABLE
from tools.players.bot_games import new_game, questions


@pytest.mark.many
@EVERY_TABLE
def test_what_is_really_hidden_is_what_counts_as_unseen(edition, seats):
    for seed in range(2):
        game = new_game(edition, seats, seed)
        for asked in questions(game, [BOTS["random"]] * seats, random.Random(seed)):
            known = asked.view
            truth, me = game.state, known.to_act
            hidden = [card for card, seen in zip(truth.deck, known.deck, strict=True) if seen is None]
            hidden += truth.set_aside
            for seat in truth.alive():
                if None in known.seats[seat].hand:
                    hidden += truth.seats[seat].hand
            unseen = counting.unseen_cards(known)
            assert unseen == Counter(hidden)

            for seat, held in counting.rival_hands(known, me, unseen).items():
                assert sum(held.values()) == pytest.approx(1)
                assert held[truth.seats[seat].hand[0]] > 0


class TestARivalsHand:
    def test_is_as_likely_as_the_copies_left(self):
        table = given(hands=["guard guard", "priest", "baron"], deck="spy spy", discards={1: "guard guard", 2: "king"})
        held = hands(table)[1]

        # Of the 21 cards, 2 Guards are in hand and 2 on the table, and so is the King.
        assert held["guard"] == pytest.approx(2 / 16)
        assert held["spy"] == pytest.approx(2 / 16)
        assert "king" not in held

    def test_is_certain_once_it_has_been_seen(self):
        table = given(hands=["priest guard", "king", "spy"], deck="spy baron handmaid")
        table.play("priest", 1)
        table.play("spy")
        table.play("spy")

        assert hands(table)[1] == {"king": 1.0}
        assert hands(table)[2]["guard"] == pytest.approx(5 / 15)

    def test_is_likelier_to_be_what_forces_the_countess_when_she_was_played_last(self):
        after_countess, after_guard = (
            hands(given(hands=["guard priest", "king", "baron"], deck="spy spy", discards={1: cards}))[1]
            for cards in ("guard countess", "countess guard")
        )
        assert after_countess["king"] / after_countess["handmaid"] == pytest.approx(
            counting.FORCED_TELLS * after_guard["king"] / after_guard["handmaid"]
        )
        assert after_countess["prince"] > after_guard["prince"]


class TestCardsOfTheDeck:
    def test_that_the_seat_put_there_are_certain(self):
        table = given(hands=["chancellor king", "countess", "spy"], deck="priest baron guard handmaid guard")
        table.play("chancellor")
        table.keep("king", bottom="baron priest")
        table.play("countess")
        table.play("handmaid")
        known = seen_by_the_seat_to_act(table)

        assert counting.next_cards(known, 2, counting.unseen_cards(known)) == [{"baron": 1.0}, {"priest": 1.0}]
        assert counting.replacement(known, counting.unseen_cards(known)) == {"baron": 1.0}

    def test_that_nobody_knows_are_as_likely_as_the_copies_left(self):
        known = seen_by_the_seat_to_act(given(hands=["guard priest", "king"], deck="spy baron"))
        unseen = counting.unseen_cards(known)

        assert counting.next_cards(known, 3, unseen) == [counting.belief(unseen)] * 2
        assert counting.replacement(known, unseen) == counting.belief(unseen)

    def test_replace_a_hand_from_the_card_set_aside_when_there_are_none(self):
        known = seen_by_the_seat_to_act(given(hands=["prince priest", "king"], deck="", set_aside="countess"))
        unseen = counting.unseen_cards(known)

        assert counting.replacement(known, unseen)["countess"] == pytest.approx(1 / 19)


VALUES = {"guard": 1, "priest": 2, "cardinal": 2}


class TestAGuess:
    def test_names_a_character(self):
        held = {"priest": 0.25, "cardinal": 0.75}

        assert counting.named(held, "priest", VALUES) == 0.25
        assert counting.not_named(held, "priest", VALUES) == {"cardinal": 1.0}

    def test_or_a_number(self):
        held = {"guard": 0.5, "priest": 0.25, "cardinal": 0.25}

        assert counting.named(held, 2, VALUES) == 0.5
        assert counting.not_named(held, 2, VALUES) == {"guard": 1.0}


def test_a_known_card_drawn_is_kept_if_it_is_the_higher_one():
    assert counting.higher_of({"guard": 0.5, "cardinal": 0.5}, "priest", VALUES) == {"priest": 0.5, "cardinal": 0.5}
    assert counting.higher_of({"guard": 0.5, "cardinal": 0.5}, "guard", VALUES) == {"guard": 0.5, "cardinal": 0.5}


def hands(table):
    known = seen_by_the_seat_to_act(table)
    return counting.rival_hands(known, known.to_act, counting.unseen_cards(known))
