"""`make serve` and the tests work on every Python of today: a quick part of the tests on all that are found here."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.pythons.found import RUNNING, VERSIONS, found

ROOT = Path(__file__).parents[2]
MADE = ROOT / "build" / "pythons"
UV = str(Path(sys.executable).with_name("uv"))
NEEDED = ("pytest", "pytest-timeout", "hypothesis", "httpx")
"""What the quick part needs beside what is served; in the versions of pyproject.toml."""
QUICK = (
    "tests/engine/editions/test_scenarios.py",
    "tests/engine/test_facade.py",
    "tests/e2e/games/test_whole_games.py::test_a_fork_is_played_to_an_end_of_its_own_that_can_be_verified",
)
"""The rules; and over HTTP, with a real Redis and workers, a game, its fork, and a log that a process verifies."""
MORE = (
    "tests/workers/test_worker_process.py::test_a_job_imports_nothing",
    "tests/e2e/games/test_whole_games.py::test_people_alone_play_to_the_end",
)


def copy_sources(target):
    """Copies what git keeps, and removes everything else but what was built there."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.name != "build":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def wanted():
    """The requirements of `NEEDED`, as the development environment has them."""
    dev = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    wanted = [one for one in dev if one.split(">")[0].split("=")[0] in NEEDED]
    assert len(wanted) == len(NEEDED)
    return wanted


def run(folder, *words, **environment):
    """Runs a command there that must succeed, and returns what it printed; nothing of this environment leaks in."""
    own = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH", "REDIS_URL")}
    done = subprocess.run(words, cwd=folder, env=own | environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{words}\n{done.stdout[-5000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("tests", [QUICK, pytest.param(QUICK + MORE, marks=pytest.mark.soak)], ids=["quick", "more"])
@pytest.mark.parametrize("version", VERSIONS)
def test_rules_games_and_document_are_the_same_there(version, tests):
    if version == RUNNING:
        pytest.skip(f"all other tests run on {version}")
    python = found(version)
    if python is None:
        pytest.skip(f"no Python {version} found")
    folder = MADE / version
    copy_sources(folder)

    run(folder, UV, "venv", "--quiet", "--python", str(python))
    run(folder, UV, "pip", "install", "--quiet", "--editable", ".", *wanted())

    assert json.loads(run(folder, ".venv/bin/billet", "openapi")) == json.loads(
        (ROOT / "openapi/openapi.json").read_text()
    )
    assert " passed" in run(folder, ".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
