"""The tables at which the engine is compared with the second model: every edition, number of seats and option."""

import pytest

from engine.editions import EDITIONS

TABLES = [
    (edition.id, seats, options)
    for edition in EDITIONS.values()
    for options in [{}, *({name: value} for name, values in edition.options.items() for value in values[1:])]
    for seats in edition.seats
]
EVERYWHERE = pytest.mark.parametrize(
    ("edition", "seats", "options"),
    TABLES,
    ids=["-".join([table[0], str(table[1]), *table[2].values()]) for table in TABLES],
)
