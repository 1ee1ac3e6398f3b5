"""Actions and their numbers: each has one, and it means the same at every seat and at any time."""

import pytest

from billet_env.numbering import Arrangement, Numbering
from engine.actions import GiveHands, KeepCard, PlayCard
from engine.editions import rulebook
from tests.billet_env.play import positions
from tests.engine.given import given, seen_by_the_seat_to_act
from tests.engine.random_games import EVERY_TABLE


def numbering_of(known):
    return Numbering(known.book)


@EVERY_TABLE
def test_every_legal_action_has_a_number_and_every_legal_number_its_action(edition, seats):
    for environment in positions(edition, seats, 1):
        agent = environment.agent_selection
        known, numbering = environment.view(agent), environment.numbering
        legal = environment.legal_actions(agent)
        numbers = [numbering.number(known, action) for action in legal]
        assert len(set(numbers)) == len(legal)
        assert [numbering.action(known, number) for number in numbers] == legal


@EVERY_TABLE
def test_numbers_have_different_meanings(edition, seats):
    numbering = Numbering(rulebook(edition, seats, {}))
    assert len(set(numbering.meanings)) == len(numbering) > 0


def test_a_number_means_the_same_at_every_seat():
    numbers = set()
    for turn in range(4):
        hands = ["king"] * 4
        hands[turn] = "guard baron"
        known = seen_by_the_seat_to_act(given(hands=hands, deck="spy", turn=turn))
        next_but_one = (turn + 2) % 4
        numbers.add(numbering_of(known).number(known, PlayCard("guard", (next_but_one,), "priest")))
    [number] = numbers
    assert numbering_of(known).meanings[number] == PlayCard("guard", (2,), "priest")


def test_two_chosen_seats_are_counted_from_the_one_that_acts():
    known = seen_by_the_seat_to_act(
        given("premium", hands=["guard", "guard", "guard", "guard", "cardinal guard"], deck="guard", turn=4)
    )
    number = numbering_of(known).number(known, PlayCard("cardinal", (1, 4)))
    assert numbering_of(known).meanings[number] == PlayCard("cardinal", (0, 2))
    assert numbering_of(known).action(known, number) == PlayCard("cardinal", (1, 4))


class TestKeepingACard:
    def asked(self, deck):
        table = given(hands=["chancellor priest", "king"], deck=deck)
        table.play("chancellor")
        return seen_by_the_seat_to_act(table)

    def test_names_cards_by_their_place_in_the_order_of_the_table(self):
        known = self.asked("princess guard")
        number = numbering_of(known).number(known, KeepCard("priest", ("princess", "guard")))
        assert numbering_of(known).meanings[number] == Arrangement("keep_card", (1, 2, 0))

    def test_takes_the_first_of_those_that_come_to_the_same(self):
        known = self.asked("guard guard")
        numbering = numbering_of(known)
        legal = numbering.legal(known)
        assert [numbering.meanings[number].places for number in legal] == [(2, 0, 1), (0, 2, 1), (0, 1, 2)]
        other = numbering.meanings.index(Arrangement("keep_card", (1, 0, 2)))
        with pytest.raises(ValueError, match="not legal now"):
            numbering.action(known, other)

    def test_an_arrangement_of_more_cards_than_there_are_is_refused(self):
        known = self.asked("guard")
        numbering = numbering_of(known)
        assert {len(numbering.meanings[number].places) for number in numbering.legal(known)} == {2}
        with pytest.raises(ValueError, match="not legal now"):
            numbering.action(known, numbering.meanings.index(Arrangement("keep_card", (0, 1, 2))))


def test_hands_are_given_to_the_nearest_seat_first():
    table = given(
        "lovecraft",
        hands=["investigators", "nyarlathotep cats_of_ulthar", "deep_ones", "necronomicon"],
        deck="investigators",
        turn=1,
        discards={1: "deep_ones"},
    )
    table.play("nyarlathotep", face="insane")
    known = seen_by_the_seat_to_act(table)
    numbering = numbering_of(known)
    given_back = GiveHands(((0, "deep_ones"), (2, "necronomicon"), (3, "investigators")))
    number = numbering.number(known, given_back)
    # In the order of the table: investigators, deep_ones, necronomicon; seat 2 comes first after seat 1.
    order = [card for card in known.book.cards if card in {"investigators", "deep_ones", "necronomicon"}]
    places = tuple(order.index(card) for card in ("necronomicon", "investigators", "deep_ones"))
    assert numbering.meanings[number] == Arrangement("give_hands", places)
    assert numbering.action(known, number) == given_back


def test_an_answer_to_another_question_is_refused():
    known = seen_by_the_seat_to_act(given(hands=["chancellor priest", "king"], deck="guard guard"))
    numbering = numbering_of(known)
    with pytest.raises(ValueError, match="not legal now"):
        numbering.action(known, numbering.meanings.index(Arrangement("keep_card", (0, 1, 2))))
