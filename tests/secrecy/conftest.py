"""Fixtures of the tests of secrecy: a player of the shared installation, and a Redis that can be lost."""

import pytest

from tests.service.store.broken_redis import Proxy
from tools.players.person import Person


@pytest.fixture
def ann(served, closed):
    """A player of the shared installation."""
    return closed(Person.register(served.base, "Ann"))


@pytest.fixture
def proxy(redis_url, closed):
    """A proxy before the Redis, which breaks connections as it is told to."""
    return closed(Proxy(redis_url))
