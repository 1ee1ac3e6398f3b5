"""Fixtures of the tests of the Python client: the package as users install it, and a service to call."""

import importlib
import sys

import pytest

from tests.clients.installed import python_client
from tests.e2e.installation import Installation


@pytest.fixture(scope="session")
def billet_client():
    """The package, installed."""
    folder = str(python_client())
    sys.path.append(folder)
    yield importlib.import_module("billet_client")
    sys.path.remove(folder)


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """An installation that the tests of this process share."""
    installation = Installation(tmp_path_factory.mktemp("served"))
    installation.start()
    yield installation
    installation.close()


@pytest.fixture
def register(billet_client, served):
    """Registers players of the shared installation."""
    made = []

    def register(name="Ann", **settings):
        made.append(billet_client.Billet(served.base, **settings).register(name))
        return made[-1]

    yield register
    for client in made:
        client.close()
