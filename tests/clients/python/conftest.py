"""Fixtures of the tests of the Python client: the package as users install it, and services to call."""

from contextlib import ExitStack

import pytest

from tools.testbed.installed import imported


@pytest.fixture(scope="session")
def billet_client():
    """The package, installed."""
    return imported()


@pytest.fixture
def connected(billet_client):
    """Makes clients that are closed after the test."""
    with ExitStack() as closing:
        yield lambda url, token=None, **settings: closing.enter_context(billet_client.Billet(url, token, **settings))


@pytest.fixture
def impatient(connected):
    """Makes clients whose calls can be foreseen: they commit to no nonce, and are as patient as a test says."""
    brief = {"timeout": 60, "commit": False}
    return lambda url, patience=100.0, **settings: connected(url, "TOKEN", patience=patience, **brief | settings)


@pytest.fixture
def register(connected, served):
    """Registers players of the shared installation, whose games start as soon as every seat is taken.

    They wait long for an answer: on a busy machine a verdict takes its time, which a process of low priority gives.
    """
    mine = {"commit": False, "timeout": 200}
    return lambda name="Ann", **settings: connected(served.base, **mine | settings).register(name)
