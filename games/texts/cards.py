"""Names and describes cards in words.

A card has the same name in every edition. Its effect is described per edition, because it may differ.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from games.texts.catalogue import Catalogue

_TEXT_EDITIONS: Final[Mapping[str, str]] = {"classic": "standard"}
"""Editions whose cards all behave as in another edition reuse that edition's texts."""


def text_edition(edition: str) -> str:
    """Returns the edition whose texts an edition uses, usually its own."""
    return _TEXT_EDITIONS.get(edition, edition)


def card_name(words: Catalogue, card: str) -> str:
    """Returns in words the name of a card, as in "Guard"."""
    return words.text(f"card.{card}.name")


def card_object(words: Catalogue, card: str) -> str:
    """Returns in words a card as the object of a sentence, as in "the Guard"."""
    return words.text(f"card.{card}.object")


@lru_cache(maxsize=1024)
def card_objects(words: Catalogue, cards: tuple[str, ...]) -> str:
    """Returns cards in words that keep their order, for the texts of actions and of events."""
    listed = card_object(words, cards[0])
    for card in cards[1:]:
        listed = words.text("cards.in_order", before=listed, card=card_object(words, card))
    return listed


def card_text(words: Catalogue, edition: str, card: str, *, insane: bool = False) -> str:
    """Returns the full text of a card's sane or insane effect, for readers who do not know the rules."""
    source = text_edition(edition)
    return words.text(f"card.{source}.{card}.insane_text" if insane else f"card.{source}.{card}.text")


def card_short_text(words: Catalogue, edition: str, card: str, *, insane: bool = False) -> str:
    """Returns what a reference card says of a card's sane or insane effect."""
    source = text_edition(edition)
    return words.text(f"card.{source}.{card}.insane_short" if insane else f"card.{source}.{card}.short")
