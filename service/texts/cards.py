"""What editions and their cards are called and what cards do, in words; what is made of a card in play is elsewhere.

A card has the same name in every edition; what it does is told for each edition, since the same name may do something
else there.
"""

from collections.abc import Mapping
from typing import Final

from service.texts.catalogue import Catalogue

_TOLD_AS: Final[Mapping[str, str]] = {"classic": "standard"}
"""Editions all of whose cards do what they do in another are told in its words."""


def edition_title(words: Catalogue, edition: str) -> str:
    """Returns what an edition is called."""
    return words.text(f"edition.{edition}.title")


def card_name(words: Catalogue, card: str) -> str:
    """Returns the name of a card, as in "Guard"."""
    return words.text(f"card.{card}.name")


def card_object(words: Catalogue, card: str) -> str:
    """Returns a card as the object of a sentence, as in "the Guard"."""
    return words.text(f"card.{card}.object")


def card_text(words: Catalogue, edition: str, card: str) -> str:
    """Returns all that a card does, for somebody who does not know the rules; of two effects, the sane one."""
    return words.text(f"card.{_TOLD_AS.get(edition, edition)}.{card}.text")


def card_short_text(words: Catalogue, edition: str, card: str) -> str:
    """Returns the line of a reference card; of two effects, the sane one."""
    return words.text(f"card.{_TOLD_AS.get(edition, edition)}.{card}.short")
