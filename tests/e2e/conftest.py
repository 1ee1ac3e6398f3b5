"""Fixtures of the end-to-end tests: the real thing, started as an operator starts it."""

from contextlib import ExitStack

import pytest

from tests.e2e.players import Person


@pytest.fixture
def closed():
    """Passes on what it is given and closes it after the test."""
    with ExitStack() as stack:

        def closed(made):
            stack.callback(made.close)
            return made

        yield closed


@pytest.fixture
def register(served, closed):
    """Registers players of the shared installation."""
    return lambda name="Ann": closed(Person.register(served.base, name))
