"""Fixtures for playing the front end: a service, and the page at another origin."""

import pytest

from tests.front_end.page import elsewhere
from tests.installation import installed


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """The address of a running service."""
    folder = tmp_path_factory.mktemp("service")
    with installed(folder / "data", folder / "log") as one:
        yield one.url


@pytest.fixture
def site(tmp_path):
    """The address of the front end, which is not that of the service."""
    with elsewhere(tmp_path) as address:
        yield address
