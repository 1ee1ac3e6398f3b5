"""Fixtures of the tests of the TypeScript package: the package as it is installed."""

import fcntl

import pytest

from tests.clients.typescript.project import Project


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """The package installed and all programs compiled, once for all processes of a test run."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if own.name.startswith("popen-") else own) / "typescript"
    shared.mkdir(exist_ok=True)
    made = Project(shared / "project")
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "made").exists():
            made.folder.mkdir()
            made.make()
            (shared / "made").touch()
    return made
