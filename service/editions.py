"""The editions as front ends read them: seats, decks, tokens to win, cards with names and texts."""

from typing import Any

from engine.editions import EDITIONS, rulebook
from engine.rulebook import Edition
from service.errors import Refused
from service.said import Said
from service.texts.cards import card_name, card_text
from service.texts.catalogue import Catalogue
from service.texts.editions import edition_title


def listing(words: Catalogue) -> list[dict[str, Any]]:
    """Returns all editions in short."""
    return [_short(edition, words) for edition in EDITIONS.values()]


def detail(edition_id: str, words: Catalogue) -> dict[str, Any]:
    """Returns an edition with its decks and cards.

    Raises:
        Refused: `not_found`.
    """
    edition = EDITIONS.get(edition_id)
    if edition is None:
        raise Refused("not_found", Said("detail.no_such_edition"))
    largest = edition.cards_for(edition.seats[-1])
    return _short(edition, words) | {
        "tables": [_table(edition, seats) for seats in edition.seats],
        "cards": [
            {
                "card": card.key,
                "value": card.value,
                "copies": card.copies,
                "name": card_name(words, card.key),
                "text": card_text(words, edition.id, card.key),
            }
            for card in largest
        ],
    }


def _short(edition: Edition, words: Catalogue) -> dict[str, Any]:
    return {
        "id": edition.id,
        "title": edition_title(words, edition.id),
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
