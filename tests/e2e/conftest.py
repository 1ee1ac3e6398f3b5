"""Fixtures of the end-to-end tests: the real thing, started as an operator starts it."""

from contextlib import ExitStack

import httpx
import pytest

from tests.e2e.installation import Installation
from tests.e2e.players import NO_TLS, Person

SETTINGS = {
    "API_PROCESSES": "2",
    "WORKERS": "2",
    "LOG_LEVEL": "debug",
    "TRUSTED_PROXIES": "1",
    "STREAM_KEEP_ALIVE_SECONDS": "1",
    "STREAM_SLOW_SECONDS": "2",
    "STREAM_BUFFER_BYTES": "65536",
    "STREAMS_PER_PLAYER": "6",
}
"""Two API processes do not know each other's memory. The log says as much as it can, and comments come soon."""


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """The installation of all end-to-end tests of this process but those that need other settings or no other games."""
    made = Installation(tmp_path_factory.mktemp("served"), **SETTINGS)
    made.start()
    yield made
    made.close()


@pytest.fixture
def installation(served):
    """The same, for tests that kill, freeze or stop its processes: the next test finds it ready."""
    yield served
    served.revive()


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


@pytest.fixture
def anybody(served):
    """A client of the shared installation without a token."""
    with httpx.Client(base_url=served.base, timeout=40, verify=NO_TLS) as client:
        yield client
