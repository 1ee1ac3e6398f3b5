"""The shared installation, for the commands of those who run one."""

import pytest

from tests.installation import Installation


@pytest.fixture
def installation(served):
    """A running `billet serve`. Its parts may be killed: the next test finds it whole."""
    yield Installation.of(served)
    served.revive()
