"""Fixtures of the tests of generated clients: the clients, and an installation to play on."""

import os

import pytest

from tests.e2e.installation import Installation
from tests.sdk.workshop import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory):
    """The workshop of the whole test session, whichever process a test runs in."""
    mine = tmp_path_factory.getbasetemp()
    shared = mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine
    return Workshop(shared / "sdk")


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """An installation that all tests of this process share."""
    installation = Installation(tmp_path_factory.mktemp("served"))
    installation.start()
    yield installation
    installation.close()
