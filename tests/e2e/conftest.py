"""Fixtures of the end-to-end tests: the real thing, started as an operator starts it."""

import pytest

from tests.api_process import running
from tools.players.person import Person


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
def port(redis_url, monkeypatch):
    """The port of an API process, which is this one; it soon gives up who does not read, and comments come soon."""
    monkeypatch.setattr("api.streams.SLOW_SECONDS", 1)
    monkeypatch.setattr("api.streams.KEEP_ALIVE_SECONDS", 1)
    monkeypatch.setattr("api.asgi.BUFFER_BYTES", 16_384)
    with running(redis_url) as number:
        yield number
