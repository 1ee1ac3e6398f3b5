"""The editions as front ends read them: seats, decks, tokens to win, cards with names and texts."""

from typing import Any

from engine.editions import EDITIONS, rulebook
from engine.rulebook import Edition
from service.errors import not_found
from service.texts.cards import card_name, card_text
from service.texts.catalogue import catalogue


def listing() -> list[dict[str, Any]]:
    """Returns all editions in short."""
    return [_short(edition) for edition in EDITIONS.values()]


def detail(edition_id: str) -> dict[str, Any]:
    """Returns an edition with its decks and cards.

    Raises:
        Refused: `not_found`.
    """
    edition = EDITIONS.get(edition_id)
    if edition is None:
        raise not_found("edition")
    words = catalogue("en")
    largest = edition.cards_for(edition.seats[-1])
    return _short(edition) | {
        "tables": [_table(edition, seats) for seats in edition.seats],
        "cards": [
            {
                "card": card.key,
                "value": card.value,
                "copies": card.copies,
                "name": card_name(words, card.key),
                "text": card_text(words, edition.id, card.key) if edition.id in ("standard", "classic") else card.key,
            }
            for card in largest
        ],
    }


def _short(edition: Edition) -> dict[str, Any]:
    return {
        "id": edition.id,
        "title": edition.title,
        "seats": {"min": edition.seats[0], "max": edition.seats[-1]},
        "options": [{"name": name, "values": list(values)} for name, values in edition.options.items()],
    }


def _table(edition: Edition, seats: int) -> dict[str, Any]:
    book = rulebook(edition.id, seats, {})
    return {
        "seats": seats,
        "deck_size": len(book.deck),
        "tokens_to_win": book.tokens_to_win,
        "shown_aside": book.shown_aside,
    }
