"""Fixtures of the end-to-end tests: the real thing, started as an operator starts it."""

import pytest

from tests.api_process import running
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


@pytest.fixture
def port(redis_url):
    """The port of an API process, which is this one; it soon gives up who does not read."""
    with running(redis_url, stream_slow_seconds=1, stream_buffer_bytes=16_384) as number:
        yield number
