"""Makes a page of reference cards in each language, from nothing but the catalogues and the tables of the editions."""

from engine.cards import Card
from engine.editions import EDITIONS
from engine.rulebook import Edition
from service.texts.cards import card_insane_short_text, card_insane_text, card_name, card_short_text, card_text
from service.texts.catalogue import Catalogue, catalogue
from service.texts.editions import (
    edition_text,
    edition_title,
    face_name,
    face_text,
    option_name,
    option_text,
    value_name,
    value_text,
)

FACES = ("sane", "insane")


def page(language: str) -> str:
    """Returns the reference cards of all editions in Markdown."""
    words = catalogue(language)
    return "\n".join(line for edition in EDITIONS.values() for line in _edition(words, edition))


def _edition(words: Catalogue, edition: Edition) -> list[str]:
    cards = edition.cards_for(edition.seats[-1])
    lines = [f"# {edition_title(words, edition.id)}", "", edition_text(words, edition.id), ""]
    lines += [_short(words, edition, card) for card in cards]
    lines += ["", *[line for card in cards for line in _full(words, edition, card)]]
    if any(card.insane is not None for card in cards):
        lines += [f"- *{face_name(words, face)}:* {face_text(words, face)}" for face in FACES] + [""]
    for name, values in edition.options.items():
        lines += [f"- *{option_name(words, name)}:* {option_text(words, name)}"]
        lines += [f"  - *{value_name(words, name, value)}:* {value_text(words, name, value)}" for value in values] + [
            ""
        ]
    return lines


def _short(words: Catalogue, edition: Edition, card: Card) -> str:
    line = f"- **{card.value} {card_name(words, card.key)}** ({_copies(edition, card)}): "
    line += card_short_text(words, edition.id, card.key)
    if card.insane is not None:
        line += f" / *{face_name(words, 'insane')}:* {card_insane_short_text(words, edition.id, card.key)}"
    return line


def _copies(edition: Edition, card: Card) -> str:
    """Returns how often a card is in the deck, as in "5x / 8x" where that depends on the number of seats."""
    decks = [edition.cards_for(seats) for seats in edition.seats]
    counts = dict.fromkeys(sum(other.copies for other in deck if other.key == card.key) for deck in decks)
    return " / ".join(f"{count}x" for count in counts)


def _full(words: Catalogue, edition: Edition, card: Card) -> list[str]:
    lines = [f"**{card_name(words, card.key)}.** {card_text(words, edition.id, card.key)}", ""]
    if card.insane is not None:
        told = card_insane_text(words, edition.id, card.key)
        lines += [f"**{card_name(words, card.key)}, {face_name(words, 'insane')}.** {told}", ""]
    return lines
