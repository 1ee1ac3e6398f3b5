"""Nothing is half there: every event, decision, card and action is declared, documented, coded and exercised."""

import re
from dataclasses import fields
from functools import cache
from typing import get_args

import pytest

from engine.actions import ACTIONS, Action, PlayCard
from engine.audience import EVERYBODY, NOBODY, Audience, audience_of, doc_of, hidden, public, shown_to
from engine.editions import EDITIONS, rulebook
from engine.errors import UnknownEdition
from engine.events import EVENTS, Event, GameAborted, RoundStarted, event
from engine.logs.codec import read_event, store_event
from engine.state import MOST_SEATS
from tests.engine.given import given
from tests.engine.random_games import BANK, OUTERMOST, random_game

KINDS = set(ACTIONS)
SHIPPED = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.id)


@cache
def seen_at(edition_id):
    """Returns what is seen in random games at an edition's largest table: the cards played, and the answers asked for.

    The games go on until all that the edition declares was seen, but not for ever.
    """
    edition, played, asked = EDITIONS[edition_id], set(), set()

    def watch(state, seat, action, happened):
        if state.decision is not None:
            asked.add((state.decision.card, state.decision.kind))
            assert action.type == state.decision.kind
        elif isinstance(action, PlayCard):
            played.add(action.card)

    for seed in range(60):
        random_game(edition_id, edition.seats[-1], seed, watch=watch)
        if played >= cards_of(edition) and asked >= answers_of(edition):
            break
    return played, asked


def cards_of(edition):
    return {card.key for card in edition.cards_for(edition.seats[-1])}


def answers_of(edition):
    answers = rulebook(edition.id, edition.seats[-1], {}).answers
    return {(card, kind) for card, kinds in answers.items() for kind in kinds}


class TestEvents:
    def test_are_listed_by_the_type_they_are_stored_under(self):
        assert all(kind.type == name for name, kind in EVENTS.items())
        declared = {kind.__name__ for kind in Event.__subclasses__() if kind.__module__ == Event.__module__}
        assert {kind.__name__ for kind in EVENTS.values()} == declared

    @pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
    def test_are_documented_field_by_field(self, kind):
        assert kind.__doc__.strip()[0].isupper()
        for one in fields(kind):
            assert doc_of(one).endswith(".")
        assert kind.fields == tuple(one.name for one in fields(kind))

    @pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
    def test_say_of_every_field_who_sees_it(self, kind):
        secrets = {one.name: audience_of(one) for one in fields(kind) if audience_of(one) != EVERYBODY}
        assert dict(kind.secrets) == secrets

    def test_cannot_be_declared_without_an_audience(self):
        with pytest.raises(TypeError, match=r"Leak\.card does not declare who may see it"):

            @event("leak")
            class Leak(Event):
                seat: int = public("The seat.")
                card: str

        assert "leak" not in EVENTS

    def test_cannot_be_shown_to_the_seat_of_a_field_that_is_not_there(self):
        with pytest.raises(TypeError, match=r"Leak\.card is shown to the seat of a field that does not exist"):

            @event("leak")
            class Leak(Event):
                card: str = shown_to("target", doc="The card.")

    def test_have_fields_of_the_types_that_are_annotated(self):
        types = {kind.type: {one.name: one.type for one in fields(kind)} for kind in EVENTS.values()}

        assert types["card_drawn"] == {"seat": int, "card": str | None, "source": str}
        assert types["round_started"]["hands"] == tuple[str | None, ...]
        assert not [one for kind in types.values() for one in kind.values() if isinstance(one, str)]

    def test_declare_nobody_everybody_or_some(self):
        deck = next(one for one in fields(RoundStarted) if one.name == "deck")
        hands = next(one for one in fields(RoundStarted) if one.name == "hands")

        assert audience_of(deck) == NOBODY
        assert audience_of(hands) == Audience(own_item=True)
        assert audience_of(hidden("Nobody.")) == NOBODY

    @pytest.mark.many
    def test_all_happen_somewhere_and_can_be_stored(self):
        seen = {GameAborted.type}
        assert read_event(store_event(GameAborted("called_off"), "now")) == GameAborted("called_off")
        for seed in range(60):
            for edition, seats in OUTERMOST:
                _, log = random_game(edition, seats, seed, leaving=0.02, clock=BANK)
                seen |= {happened.type for happened in log}
                assert all(read_event(store_event(happened, "now")) == happened for happened in log[::7])
            if seen == set(EVENTS):
                break
        assert seen == set(EVENTS)


class TestDecisions:
    def test_every_kind_is_an_answer_of_some_edition(self):
        assert {kind for edition in EDITIONS.values() for _, kind in answers_of(edition)} == KINDS

    @pytest.mark.many
    @SHIPPED
    def test_every_answer_of_an_edition_is_asked_for(self, edition):
        """A row with an answer nobody asks for, or a card that asks without one, does not get through random play."""
        assert seen_at(edition.id)[1] == answers_of(edition)

    def test_a_card_cannot_ask_what_it_cannot_hear(self, monkeypatch):
        table = given(hands=["chancellor guard", "guard"], deck="spy spy")
        monkeypatch.setattr(table.state.book, "answers", {**table.state.book.answers, "chancellor": {}})

        with pytest.raises(AssertionError, match="chancellor cannot be answered"):
            table.play("chancellor")


class TestActions:
    def test_are_listed_by_their_type(self):
        assert [kind.type for kind in get_args(Action)] == [*ACTIONS]

    def test_are_documented(self):
        assert all(kind.__doc__ for kind in get_args(Action))


class TestEditions:
    @SHIPPED
    def test_are_listed_by_their_id(self, edition):
        assert EDITIONS[edition.id] is edition
        assert re.fullmatch("[a-z]+", edition.id)

    @SHIPPED
    def test_name_each_card_once_by_a_plain_key(self, edition):
        for seats in edition.seats:
            cards = edition.cards_for(seats)
            assert len({card.key for card in cards}) == len(cards)
            assert all(re.fullmatch("[a-z]+(_[a-z]+)*", card.key) for card in cards)
            assert [card.value for card in cards] == sorted(card.value for card in cards)

    @SHIPPED
    def test_know_every_size_of_table_they_offer(self, edition):
        for seats in edition.seats:
            book = rulebook(edition.id, seats, {})
            assert book.tokens_to_win > 0
            assert len(book.deck) > 1 + book.shown_aside + seats

    @SHIPPED
    def test_have_no_more_seats_than_a_mask_holds(self, edition):
        assert edition.seats[-1] <= MOST_SEATS

    @SHIPPED
    def test_a_card_that_names_something_chooses_somebody(self, edition):
        book = rulebook(edition.id, edition.seats[0], {})
        for card in book.cards.values():
            if card.guess is not None:
                assert card.targets.most
                assert card.guess(book)

    @pytest.mark.many
    @SHIPPED
    def test_every_card_is_played_somewhere(self, edition):
        assert seen_at(edition.id)[0] == cards_of(edition)

    def test_options_take_their_default_when_left_out(self):
        assert rulebook("lovecraft", 2, {}).options == {"liber_ivonis": "showdown"}
        assert rulebook("lovecraft", 2, {}) is rulebook("lovecraft", 2, {"liber_ivonis": "showdown"})
        with pytest.raises(UnknownEdition):
            rulebook("lovecraft", 2, {"liber_ivonis": "never"})
