"""The editions by id, one table of cards each."""

import copyreg
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from engine.editions.classic import CLASSIC
from engine.editions.lovecraft import LOVECRAFT
from engine.editions.premium import PREMIUM
from engine.editions.standard import STANDARD
from engine.errors import UnknownEdition
from engine.rulebook import Edition, Rulebook

EDITIONS: Final[Mapping[str, Edition]] = {edition.id: edition for edition in (STANDARD, CLASSIC, PREMIUM, LOVECRAFT)}


def rulebook(edition_id: str, seats: int, options: Mapping[str, str]) -> Rulebook:
    """Returns the rules of an edition for a number of seats; options left out take their default.

    Raises:
        UnknownEdition: there is no such edition, or it has no such number of seats, option or value.
    """
    edition = EDITIONS.get(edition_id)
    if edition is None:
        raise UnknownEdition(f"there is no edition {edition_id!r}, only {', '.join(EDITIONS)}")
    if seats not in edition.seats:
        raise UnknownEdition(f"{edition_id} is for {edition.seats[0]} to {edition.seats[-1]} seats, not {seats}")
    for name, value in options.items():
        if value not in edition.options.get(name, ()):
            raise UnknownEdition(f"{edition_id} has no option {name!r} with the value {value!r}")
    full = {name: options.get(name, values[0]) for name, values in edition.options.items()}
    return _shared(edition_id, seats, tuple(sorted(full.items())))


@lru_cache(maxsize=256)
def _shared(edition_id: str, seats: int, options: tuple[tuple[str, str], ...]) -> Rulebook:
    return Rulebook(EDITIONS[edition_id], seats, dict(options))


def _by_name(book: Rulebook) -> tuple[Any, ...]:
    return rulebook, (book.edition.id, book.seats, book.options)


copyreg.pickle(Rulebook, _by_name)  # a copy of what holds a rulebook shares it, and another process makes its own
