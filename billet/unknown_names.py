"""Explains unknown names: a language, an edition or a number of seats that does not exist."""

from collections.abc import Sequence
from typing import Any

from billet.errors import StartError
from games.texts.catalogue import LANGUAGES, Catalogue, catalogue


def words_in(language: str) -> Catalogue:
    """Returns the texts of the language given to a command. Raises StartError if it is unknown."""
    if language not in LANGUAGES:
        # In none of ours would it be more polite.
        raise StartError(f"--language must be one of {', '.join(LANGUAGES)}, not {language!r}")
    return catalogue(language)


def require_edition(words: Catalogue, wanted: str, known: Sequence[str]) -> None:
    """Checks that the edition given to a command is known. Raises StartError if not."""
    if wanted not in known:
        raise StartError(words.text("unknown.edition", wanted=wanted, known=words.listed(known)))


def require_seats(words: Catalogue, edition: dict[str, Any], seats: int) -> None:
    """Checks that the edition given to a command has tables with so many seats. Raises StartError if not."""
    least, most = edition["seats"]["min"], edition["seats"]["max"]
    if not least <= seats <= most:
        raise StartError(words.text("unknown.seats", title=edition["title"], min=least, max=most, seats=seats))
