"""Players of the tests of tables."""

import pytest

from tests.service.at_table import Guest, guest


@pytest.fixture
def ann(service) -> Guest:
    """Who opens the tables."""
    return guest(service, "Ann")


@pytest.fixture
def ben(service) -> Guest:
    """Another player."""
    return guest(service, "Ben")


@pytest.fixture
def cleo(service) -> Guest:
    """A third one."""
    return guest(service, "Cleo")
