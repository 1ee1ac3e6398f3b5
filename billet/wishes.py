"""Says in words what cannot be had: a language, an edition or a number of seats that there is not."""

from collections.abc import Sequence
from typing import Any

from billet.errors import StartError
from service.texts.catalogue import LANGUAGES, Catalogue, catalogue


def words_in(language: str) -> Catalogue:
    """Return the texts of a language. Raises StartError when there is no such language."""
    if language not in LANGUAGES:
        # In none of ours would it be more polite.
        raise StartError(f"--language must be one of {', '.join(LANGUAGES)}, not {language!r}")
    return catalogue(language)


def bank(words: Catalogue, wanted: str) -> dict[str, Any]:
    """Return the clock that SECONDS or SECONDS+MORE asks for. Raises StartError when it is neither."""
    seconds, plus, more = wanted.partition("+")
    if not seconds.isdecimal() or (plus and not more.isdecimal()):
        raise StartError(words.text("wish.clock", wanted=wanted))
    return {"kind": "bank", "seconds": int(seconds), "increment": int(more or 0)}


def demand_edition(words: Catalogue, wanted: str, known: Sequence[str]) -> None:
    """Raise StartError unless the wanted edition is one of those known."""
    if wanted not in known:
        raise StartError(words.text("wish.edition", wanted=wanted, known=words.listed(known)))


def demand_seats(words: Catalogue, edition: dict[str, Any], seats: int) -> None:
    """Raise StartError unless an edition, as front ends read it, has tables of so many seats."""
    least, most = edition["seats"]["min"], edition["seats"]["max"]
    if not least <= seats <= most:
        raise StartError(words.text("wish.seats", title=edition["title"], min=least, max=most, seats=seats))
