"""One whole installation for the tests of a process that leave it as it was."""

import pytest

from tests.installation import installed


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    """A running `billet serve`."""
    folder = tmp_path_factory.mktemp("installation")
    with installed(folder / "data", folder / "log") as one:
        yield one
