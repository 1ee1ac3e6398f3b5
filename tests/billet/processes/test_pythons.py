"""The service and its rules are the same on every Python of today: on all that are found here.

`make pythons` runs these tests."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.editions import EDITIONS
from games.records.portable import parsed
from tools.pythons.found import RUNNING, VERSIONS, found
from tools.testbed.installation import installed
from tools.testbed.waiting import wait_until

ROOT = Path(__file__).parents[3]
MADE = ROOT / "build" / "pythons"
UV = str(Path(sys.executable).with_name("uv"))
NEEDED = ("pytest", "pytest-timeout", "hypothesis", "httpx")
"""What the tests need that are run there, beside what is served; in the versions of pyproject.toml."""
TESTS = (
    "tests/engine/editions/test_scenarios.py",
    "tests/engine/test_facade.py",
    "tests/e2e/games/test_whole_games.py::test_a_fork_is_played_to_an_end_of_its_own_that_can_be_verified",
    "tests/e2e/games/test_whole_games.py::test_people_alone_play_to_the_end",
    "tests/workers/test_worker_process.py::test_a_job_imports_nothing",
)
BOT = {"kind": "bot", "bot": "random"}


def link_sources(target):
    """Links what git keeps, and removes everything else but what was built there."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.name != "build":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).hardlink_to(ROOT / name)


def wanted(*needed):
    """The requirements of packages, as the development environment has them."""
    dev = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    wanted = [one for one in dev if one.split(">")[0].split("=")[0] in needed]
    assert len(wanted) == len(needed)
    return wanted


def run(folder, *words, **environment):
    """Runs a command there that must succeed, and returns what it printed; nothing of this environment leaks in."""
    own = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH", "REDIS_URL")}
    done = subprocess.run(words, cwd=folder, env=own | environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{words}\n{done.stdout[-5000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(params=VERSIONS)
def there(request):
    """A folder with the sources, and in `.venv` an environment of another Python that has what is served."""
    if request.param == RUNNING:
        pytest.skip(f"all other tests run on {RUNNING}")
    python = found(request.param)
    if python is None:
        pytest.skip(f"no Python {request.param} found")
    folder = MADE / request.param
    link_sources(folder)
    run(folder, UV, "venv", "--quiet", "--python", str(python))
    run(folder, UV, "pip", "install", "--quiet", "--requirements", "pyproject.toml", *wanted("setuptools"))
    run(folder, UV, "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
    return folder


@pytest.mark.soak
def test_document_games_and_rules_are_the_same_there(there, tmp_path):
    """With a real Redis, a worker, and the process that verifies."""
    logs = [parsed(path.read_bytes()) for path in (ROOT / "tests/golden/logs/rules1").glob("*-2.ndjson")]
    assert {log["edition"] for log in logs} == set(EDITIONS)
    with installed(tmp_path, [there / ".venv/bin/billet"]) as one:
        assert one.call("GET", "/openapi.json") == (200, json.loads((ROOT / "openapi/openapi.json").read_text()))
        token = one.call("POST", "/v1/players", {"name": "Ann"})[1]["token"]
        table = {"edition": "premium", "seats": [{"kind": "creator"}, BOT, BOT], "starter": 0}
        status, game = one.call("POST", "/v1/games", table, token)
        assert status == 201, game
        path = f"/v1/games/{game['id']}"
        assert one.call("POST", f"{path}/actions", game["legal_actions"][0]["action"], token)[0] == 201
        assert one.call("DELETE", f"{path}/seats/me", token=token)[0] == 200
        wait_until(lambda: one.call("GET", path)[1]["status"] == "finished")
        for log in (one.call("GET", f"{path}/log")[1], *logs):
            status, verdict = one.call("POST", "/v1/logs/verify", log)
            assert (status, verdict["valid"]) == (200, True), verdict


@pytest.mark.soak
def test_tests_of_rules_and_games_pass_there(there):
    run(there, UV, "pip", "install", "--quiet", *wanted(*NEEDED))
    assert " passed" in run(there, ".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
