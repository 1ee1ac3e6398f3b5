"""Reads the texts of each language by key from gettext catalogues."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal

from babel import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po

from games.texts.languages import LANGUAGES as LANGUAGES  # for those who ask for the words of each

DOMAINS: Final = ("cards", "logs", "play", "problems", "commands")
"""The files of a language in `locale/`: cards, what verifying a log says, what happens in a game, what is refused, what
commands print."""


class Catalogue:
    """All texts of one language; there is nothing to fall back to."""

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        self.language = language
        self.texts = texts
        self._locale = Locale(language)

    def text(self, key: str, **values: object) -> str:
        """Returns a text of the catalogue in its language, with its `{places}` filled.

        Raises:
            KeyError: the language has no such text, or the text has a place that no value is given for.
        """
        return self.texts[key].format_map(values)

    def listed(self, items: Sequence[str], style: Literal["standard", "or"] = "standard") -> str:
        """Returns words as an enumeration in a catalogue's language: "Ann, Ben and Cleo"; with `or`, "Ann or Ben"."""
        # Most enumerations have one item, and Babel looks its patterns up each time.
        return items[0] if len(items) == 1 else format_list(items, style=style, locale=self._locale)


@lru_cache
def catalogue(language: str) -> Catalogue:
    """Returns the catalogue of texts in one of `LANGUAGES`."""
    texts = {}
    for domain in DOMAINS:
        with (files(__package__) / "locale" / language / f"{domain}.po").open("rb") as file:
            texts.update({str(message.id): str(message.string) for message in read_po(file) if message.id})
    return Catalogue(language, texts)
