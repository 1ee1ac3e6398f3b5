"""One whole installation for the tests here that leave it as it was."""

import pytest

from tests.installation import installed


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    """A running `billet serve`. Its parts may be killed: they come back."""
    folder = tmp_path_factory.mktemp("installation")
    with installed(folder / "data", folder / "log") as one:
        yield one
