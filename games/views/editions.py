"""Describes the editions for front ends: all they need to draw a reference card and to offer a play."""

from collections.abc import Sequence
from typing import Any

from engine.cards import Card, Face
from engine.editions import EDITIONS, rulebook
from engine.options import face_of, faces
from engine.rulebook import Edition, Rulebook
from games.errors import Refused
from games.messages import Message
from games.texts import cards
from games.texts.catalogue import Catalogue
from games.views.appearance import APPEARANCES, PLAIN

SET_ASIDE = 1
"""The card that every round sets aside face down."""


def listing(words: Catalogue) -> list[dict[str, Any]]:
    """Returns all editions in short, as views for front ends."""
    return [_short_edition_view(edition, words) for edition in EDITIONS.values()]


def check_edition(edition_id: str) -> None:
    """Checks that there is an edition.

    Raises:
        Refused: `not_found`.
    """
    if edition_id not in EDITIONS:
        raise Refused("not_found", Message("detail.no_such_edition"))


def detail(edition_id: str, words: Catalogue) -> dict[str, Any]:
    """Returns an edition with its tables and cards, as a view for front ends.

    Raises:
        Refused: `not_found`.
    """
    check_edition(edition_id)
    edition = EDITIONS[edition_id]
    # Decks and what may be named depend on the number of seats, not on the options.
    books = [rulebook(edition.id, seats, {}) for seats in edition.seats]
    return _short_edition_view(edition, words) | {
        "text": words.text(f"edition.{cards.text_edition(edition.id)}.text"),
        "faces": [_face_meaning_view(face, words) for face in _face_names(edition)],
        "tables": [_table_size_view(book) for book in books],
        "cards": [_card_view(card, books, words) for card in books[-1].cards.values()],
    }


def _short_edition_view(edition: Edition, words: Catalogue) -> dict[str, Any]:
    kinds = ("sane", "insane") if edition.insane_tokens_to_win else ("favor",)
    return {
        "id": edition.id,
        "title": words.text(f"edition.{edition.id}.title"),
        "seats": {"min": edition.seats[0], "max": edition.seats[-1]},
        "tokens": [{"kind": kind, "name": words.text(f"token.{kind}.name")} for kind in kinds],
        "options": [_option_view(name, values, words) for name, values in edition.options.items()],
    }


def _option_view(name: str, values: Sequence[str], words: Catalogue) -> dict[str, Any]:
    return {
        "name": name,
        "title": words.text(f"option.{name}.name"),
        "text": words.text(f"option.{name}.text"),
        "values": list(values),
        "choices": [
            {
                "value": value,
                "title": words.text(f"option.{name}.{value}.name"),
                "text": words.text(f"option.{name}.{value}.text"),
            }
            for value in values
        ],
    }


def _face_names(edition: Edition) -> tuple[str, ...]:
    """Returns the faces that cards of an edition have, for its view; none where every card has one effect."""
    cards = edition.cards_for(edition.seats[-1])
    return ("sane", "insane") if any(card.insane is not None for card in cards) else ()


def _face_meaning_view(face: str, words: Catalogue) -> dict[str, Any]:
    return {"face": face, "name": words.text(f"face.{face}.name"), "text": words.text(f"face.{face}.text")}


def _table_size_view(book: Rulebook) -> dict[str, Any]:
    named = {what for card in book.cards.values() for way in _ways(card) if way.guess for what in way.guess(book)}
    return {
        "seats": book.seats,
        "deck_size": len(book.deck),
        "tokens_to_win": book.tokens_to_win,
        "insane_tokens_to_win": book.edition.insane_tokens_to_win or None,
        "shown_aside": book.shown_aside,
        # Every turn draws a card, and none comes back but for one that was drawn besides.
        "max_turns": len(book.deck) - SET_ASIDE - book.shown_aside - book.seats,
        "guesses": [card for card in book.cards if card in named],
        "guess_values": sorted(what for what in named if isinstance(what, int)),
    }


def _card_view(card: Card, books: Sequence[Rulebook], words: Catalogue) -> dict[str, Any]:
    edition = books[-1].edition.id
    return {
        "card": card.key,
        "value": card.value,
        "copies": card.copies,
        "copies_by_seats": [{"seats": book.seats, "copies": book.deck.count(card.key)} for book in books],
        "name": cards.card_name(words, card.key),
        "text": cards.card_text(words, edition, card.key),
        "short_text": cards.card_short_text(words, edition, card.key),
        "symbol": APPEARANCES.get(card.key, PLAIN).symbol,
        "colour": APPEARANCES.get(card.key, PLAIN).colour,
        "insanity": card.insanity,
        "faces": [_card_face_view(card, face, books[-1], words) for face in faces(card, insane=True)],
        "decisions": list(books[-1].answers[card.key]),
    }


def _card_face_view(card: Card, face: str | None, book: Rulebook, words: Catalogue) -> dict[str, Any]:
    """Returns one way to play a card, as front ends see it."""
    way, edition = face_of(card, face), book.edition.id
    insane = way is not card
    return {
        "face": face,
        "name": words.text(f"face.{face}.name") if face is not None else None,
        "text": cards.card_text(words, edition, card.key, insane=insane),
        "short_text": cards.card_short_text(words, edition, card.key, insane=insane),
        "targets": {"min": way.targets.least, "max": way.targets.most, "own": way.targets.own},
        "guess": _guess_kind(way, book),
        "decisions": list(way.answers),
    }


def _guess_kind(way: Card | Face, book: Rulebook) -> str | None:
    """Returns what a card names, as front ends see it: a card, a number of cards, or nothing."""
    if way.guess is None:
        return None
    return "value" if isinstance(way.guess(book)[0], int) else "card"


def _ways(card: Card) -> list[Card | Face]:
    """Returns all ways to play a card that front ends see."""
    return [face_of(card, face) for face in faces(card, insane=True)]
