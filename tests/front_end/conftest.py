"""Fixtures for playing the front end: a service, and the page at another origin."""

import pytest

from tests.front_end.page import elsewhere


@pytest.fixture
def service(served):
    """The address of a running service."""
    return served.base


@pytest.fixture
def site(tmp_path):
    """The address of the front end, which is not that of the service."""
    with elsewhere(tmp_path) as address:
        yield address
