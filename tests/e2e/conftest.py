"""Fixtures of the end-to-end tests: the real thing, started as an operator starts it."""

import pytest

from tests.e2e.players import Person


@pytest.fixture
def ann(register):
    return register("Ann")


@pytest.fixture
def ben(register):
    return register("Ben")


@pytest.fixture
def register(served, closed):
    """Registers players of the shared installation."""
    return lambda name="Ann": closed(Person.register(served.base, name))
