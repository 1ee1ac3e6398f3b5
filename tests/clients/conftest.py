"""An installation for the tests of both clients that kill what serves them; each start costs as much as a few games."""

import pytest

from tests.e2e.installation import Installation


@pytest.fixture(scope="session")
def killed(tmp_path_factory):
    made = Installation(tmp_path_factory.mktemp("killed") / "data")
    yield made
    made.close()


@pytest.fixture
def installation(killed):
    """The installation, running again whatever the test before did to it."""
    if killed.process is None or killed.process.poll() is not None:
        killed.start()
    killed.wait_until_ready()
    return killed
