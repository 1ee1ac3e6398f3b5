"""The one-line notation of actions, decks and positions: what is printed can be read, and nothing else can."""

import random

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from engine import rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.editions import EDITIONS
from engine.errors import MalformedNotation
from engine.scoresheets.notation import (
    RESERVED,
    parse_action,
    parse_deck,
    parse_position,
    print_action,
    print_deck,
    print_position,
)
from tests.engine.random_games import EVERY_TABLE, random_game
from tests.engine.random_positions import as_position, in_part, random_state

LETTERS = "abcdefghijklmnopqrstuvwxyz_"  # without an alphabet Hypothesis first makes a table of all of Unicode
cards = st.from_regex("[a-z][a-z_]{0,20}", fullmatch=True, alphabet=LETTERS).filter(lambda card: card not in RESERVED)
seats = st.integers(0, 99)
guesses = st.one_of(st.none(), cards, st.integers(0, 99))
actions = st.one_of(
    st.builds(PlayCard, cards, st.lists(seats, max_size=3).map(tuple), guesses, st.one_of(st.none(), cards)),
    st.builds(KeepCard, cards, st.lists(cards, max_size=3).map(tuple)),
    st.builds(RedrawHand, st.booleans()),
    st.builds(PeekHand, st.one_of(st.none(), seats)),
    st.builds(GiveHands, st.lists(st.tuples(seats, cards), max_size=4).map(tuple)),
)


class TestActions:
    @pytest.mark.parametrize(
        ("text", "action"),
        [
            ("spy", PlayCard("spy")),
            ("prince>0", PlayCard("prince", (0,))),
            ("guard>1:priest", PlayCard("guard", (1,), "priest")),
            ("guard>1:5", PlayCard("guard", (1,), 5)),
            ("guard>1:0", PlayCard("guard", (1,), 0)),
            ("cardinal>1,2", PlayCard("cardinal", (1, 2))),
            ("hound.insane>1", PlayCard("hound", (1,), None, "insane")),
            ("keep princess/guard,spy", KeepCard("princess", ("guard", "spy"))),
            ("keep princess/guard", KeepCard("princess", ("guard",))),
            ("redraw", RedrawHand(True)),
            ("stay", RedrawHand(False)),
            ("look 2", PeekHand(2)),
            ("look none", PeekHand()),
            ("give 1:cats,2:hound", GiveHands(((1, "cats"), (2, "hound")))),
            ("give none", GiveHands(())),
        ],
    )
    def test_are_one_line_each(self, text, action):
        assert print_action(action) == text
        assert parse_action(text) == action

    @pytest.mark.many
    @settings(max_examples=50)
    @for_all(actions)
    def test_come_back_from_text(self, action):
        assert parse_action(print_action(action)) == action

    @pytest.mark.many
    @EVERY_TABLE
    def test_that_are_legal_come_back_and_differ(self, edition, seats):
        def watch(state, seat, action, happened):
            legal = rules.legal_actions(state)
            texts = [print_action(candidate) for candidate in legal]
            assert len(set(texts)) == len(texts)
            assert tuple([parse_action(text) for text in texts]) == legal

        random_game(edition, seats, 1, watch=watch)

    @pytest.mark.parametrize(
        "text",
        ["", " ", "Guard", "guard>", "guard>x", "guard>1:", "guard:>1", "guard >1", "guard>1,", "guard.>1", "guard>²",
         "keep", "keep princess", "keep /guard", "keep princess/guard,", "look", "look -1", "look x",
         "give", "give 1", "give cats", "give 1:cats,", "redraw 1", "leaves", "stay\n", "spy\nspy"],
    )  # fmt: skip
    def test_that_are_none_are_refused(self, text):
        with pytest.raises(MalformedNotation):
            parse_action(text)

    @for_all(st.text(alphabet="abguards_>:/,.019* \n", max_size=20))
    def test_of_any_text_are_read_exactly_or_not_at_all(self, text):
        try:
            action = parse_action(text)
        except MalformedNotation:
            return
        assert parse_action(print_action(action)) == action


class TestDecks:
    @pytest.mark.parametrize(
        ("text", "deck"),
        [
            ("none", ()),
            ("spy", ("spy",)),
            ("guard*2,spy,guard", ("guard", "guard", "spy", "guard")),
        ],
    )
    def test_count_what_repeats(self, text, deck):
        assert print_deck(deck) == text
        assert parse_deck(text) == deck

    @pytest.mark.many
    @settings(max_examples=40)
    @for_all(st.lists(cards, max_size=12).map(tuple))
    def test_come_back_from_text(self, deck):
        assert parse_deck(print_deck(deck)) == deck

    @pytest.mark.parametrize(
        "text", ["", "guard,", "guard*0", "guard*", "2guard", "guard spy", "guard*2*2", "guard*100"]
    )
    def test_that_are_none_are_refused(self, text):
        with pytest.raises(MalformedNotation):
            parse_deck(text)


class TestPositions:
    @pytest.mark.parametrize(
        ("text", "position"),
        [
            ("", {}),
            ("hands guard,prince/none/priest", {"hands": [["guard", "prince"], [], ["priest"]]}),
            ("hands -", {"hands": []}),
            ("deck none set_aside king turn 2", {"deck": [], "set_aside": "king", "turn": 2}),
            ("out 0,2 protected none", {"out": [0, 2], "protected": []}),
            ("marks jester:0>1,sycophant:2>2",
             {"marks": [{"card": "jester", "seat": 0, "target": 1}, {"card": "sycophant", "seat": 2, "target": 2}]}),
            ("marks none tokens 2,0", {"marks": [], "tokens": [2, 0]}),
        ],
    )  # fmt: skip
    def test_are_one_line_each(self, text, position):
        assert print_position(position) == text
        assert parse_position(text) == position

    @pytest.mark.many
    @EVERY_TABLE
    def test_come_back_from_text(self, edition, seats):
        for seed in range(12):
            whole = as_position(random_state(edition, seats, seed))
            for position in (whole, in_part(whole, random.Random(seed))):
                assert parse_position(print_position(position)) == position

    @pytest.mark.parametrize(
        "text",
        ["hands", "cards guard", "turn 0 turn 1", "turn -1", "turn x", "turn 1234567890", "set_aside Guard",
         "set_aside guard*2", "deck guard,", "hands guard,/spy", "out 0,", "marks jester", "marks jester:0>",
         "marks jester:0>10", "tokens 1,a", "tokens ²"],
    )  # fmt: skip
    def test_that_are_none_are_refused(self, text):
        with pytest.raises(MalformedNotation):
            parse_position(text)


def test_no_card_is_called_like_a_word_of_the_notation():
    keys = {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}

    assert not RESERVED & keys
