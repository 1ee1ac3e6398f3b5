"""The one-line notation of actions: what is printed can be read, and nothing else can."""

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from engine import rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.editions import EDITIONS
from engine.errors import MalformedNotation
from engine.notation import RESERVED, parse_action, print_action
from tests.engine.random_games import EVERY_TABLE, random_game

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
         "give", "give 1", "give cats", "give 1:cats,", "redraw 1", "none", "stay\n", "spy\nspy"],
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


def test_no_card_is_called_like_a_word_of_the_notation():
    keys = {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}

    assert not RESERVED & keys
