"""The tables at which the engine is compared with the second model: every edition, number of seats and option."""

import pytest

from engine.editions import EDITIONS
from tests.engine.random_games import OUTERMOST

TABLES = [
    (edition.id, seats, options)
    for edition in EDITIONS.values()
    for options in [{}, *({name: value} for name, values in edition.options.items() for value in values[1:])]
    for seats in edition.seats
]
SOME = [(edition, 5 if seats == 8 else seats, {}) for edition, seats in OUTERMOST]
SOME += [("lovecraft", 3, {"liber_ivonis": "published"})]
"""The smallest and the largest of each edition, but of `premium` the smallest with its large deck."""


def at(tables):
    """Parametrizes a test with tables."""
    ids = ["-".join([edition, str(seats), *options.values()]) for edition, seats, options in tables]
    return pytest.mark.parametrize(("edition", "seats", "options"), tables, ids=ids)


EVERYWHERE, SOMEWHERE = at(TABLES), at(SOME)
