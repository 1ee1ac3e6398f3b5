"""Gives the habits of seats: which of two cards they tend to play, as counted in games of `cautious` bots.

The figures are in `habits_table`, which `python -m tools.tournament.habits` writes. `inference` draws conclusions from
them about the hands of others.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from engine.bots.expert.habits_table import TABLES
from engine.options import playable
from engine.rulebook import Rulebook

Shares: TypeAlias = Mapping[tuple[bool, str, str], float]
"""By whether the seat is insane, the card played and the card kept: how often it is so, from 0 to 1."""

UNKNOWN: Final = 0.5
"""The share of a play that the table does not have, such as one of an edition that came later."""


@lru_cache(maxsize=64)
def shares(book: Rulebook, oddity: float = 0.0) -> Shares:
    """Returns the habit of a seat for the expert: how often it plays one of two cards; forced plays are 0 or 1.

    `oddity` is how often a seat that is free to choose plays either, whatever its habits.
    """
    counted = _counted(book.edition.id, book.seats)
    found = {}
    for insane in (False, True):
        for card in book.cards:
            for kept in book.cards:
                free = playable(book, [card, kept], insane)
                share = counted.get((insane, card, kept), UNKNOWN) * (1 - oddity) + oddity / 2
                found[insane, card, kept] = share if len(free) == 2 else float(card in free)
    return found


@lru_cache(maxsize=64)
def firm_shares(book: Rulebook) -> Shares:
    """Returns the shares of a seat in the expert's playouts, which holds to its habits more than players do.

    What varies in a habit has its reasons; a seat that does not know them does best to vary less.
    """
    return {key: share**2 / (share**2 + (1 - share) ** 2) for key, share in shares(book).items()}


def _counted(edition: str, seats: int) -> Shares:
    """Returns the expert's counted habits at tables with at most so many seats; those of more seats prevail."""
    found: dict[tuple[bool, str, str], float] = {}
    for (name, least, insane), table in TABLES.items():
        if name == edition and least <= seats:
            found |= {(insane, card, kept): percent / 100 for card, kept, percent in _cells(table)}
    return found


def _cells(table: str) -> list[tuple[str, str, int]]:
    """Returns the cells of a table of the expert's habits: card played, card kept, how often out of 100 times."""
    rows = [line.split() for line in table.strip().splitlines()]
    cards = [row[0] for row in rows]
    return [
        (card, kept, int(cell)) for card, *cells in rows for kept, cell in zip(cards, cells, strict=True) if cell != "."
    ]
