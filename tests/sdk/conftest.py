"""Fixtures of the tests of generated clients: the clients, and an installation to play on."""

import os

import pytest

from tools.sdk_games.workshop import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory):
    """The workshop of the whole test session, whichever process a test runs in."""
    mine = tmp_path_factory.getbasetemp()
    shared = mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine
    return Workshop(shared / "sdk")
