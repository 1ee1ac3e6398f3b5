"""Runs schemathesis against an installation without limits, with a player and games for it; returns what it finds."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from service.settings import Settings
from tools.testbed.installation import installed

HERE = Path(__file__).parent
LEFT_OUT = ",".join(
    [
        "positive_data_acceptance",  # `what_is_as_documented_is_accepted` in hooks.py does the same and looks closer
        "use_after_free",  # DELETE calls a game off; it stays and can be read, with the status `aborted`
    ]
)
"""The checks of schemathesis that do not suit."""
VARIABLES = [setting.metadata["variable"] for setting in fields(Settings)]
UNLIMITED = {variable: "0" for variable in VARIABLES if variable.startswith("LIMIT_")}
"""A run makes more calls than anybody should; the tests of the limits are elsewhere."""
PATIENCE = 200
"""How many seconds an answer may take: on a busy machine some take longer than the ten that schemathesis gives them.

Most of all a verdict, which a process of low priority gives.
"""
CREATOR, OPEN, BOT = {"kind": "creator"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}


class Outcome(NamedTuple):
    """What a run came to."""

    requests: int
    failures: list[str]
    operations: int
    said: str
    """What schemathesis printed."""


def games_for(one, token):
    """The ids of games in every state, at which the player of the run sits."""
    found = []
    for edition in ("standard", "classic", "premium", "lovecraft"):
        for seats in ([CREATOR, BOT], [CREATOR, OPEN], [CREATOR, BOT, BOT]):
            status, game = one.call("POST", "/v1/games", {"edition": edition, "seats": seats}, token)
            assert status == 201, game
            found.append(game["id"])
    status, game = one.call("DELETE", f"/v1/games/{found[0]}/seats/me", None, token)
    assert (status, game["status"]) == (200, "finished")
    return found


def config(games, unbounded):
    """The configuration with the ids of the games among the values to be tried."""
    known = f"\n[dictionaries.games]\nvalues = {json.dumps(games)}\n"
    known += '\n[parameters]\n"path.game_id" = { dictionary = "games", probability = 0.7 }\n'
    if unbounded:
        known += f"\n[[operations]]\ninclude-operation-id = {json.dumps(unbounded)}\nphases.coverage.enabled = false\n"
    return (HERE / "schemathesis.toml").read_text() + known


@contextmanager
def unlimited():
    """Starts an installation for runs, for the length of a `with` block."""
    with tempfile.TemporaryDirectory() as name, installed(name, **UNLIMITED) as one:
        yield one


def run(one, examples, seed, *, document=None, unbounded=(), phases="examples,coverage,fuzzing,stateful"):
    """Runs schemathesis with so many examples for each operation; a document given is tested instead of the served.

    The boundaries that the document suggests are not tried of the operations that are `unbounded`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        status, player = one.call("POST", "/v1/players", {"name": "Ann"})
        assert status == 201, player
        (folder / "schemathesis.toml").write_text(config(games_for(one, player["token"]), unbounded))
        (folder / "openapi.json").write_text(json.dumps(document or one.call("GET", "/openapi.json")[1]))
        words = ["--config-file", "schemathesis.toml", "run", "openapi.json", "--url", one.base, "--seed", str(seed)]
        words += ["--max-examples", str(examples), "--request-timeout", str(PATIENCE)]
        words += ["--checks", "all", "--exclude-checks", LEFT_OUT, "--continue-on-failure"]
        words += ["--phases", phases]
        words += ["--suppress-health-check", "all", "--warnings", "off"]
        words += ["--generation-database", "none"]  # a run is to depend on its seed alone
        words += ["--report", "json", "--report-json-path", "report.json"]
        done = subprocess.run(
            [str(Path(sys.executable).with_name("schemathesis")), *words],
            cwd=folder,
            env={
                **os.environ,
                "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"),
                "BILLET_URL": one.base,
                "BILLET_TOKEN": player["token"],
                "HYPOTHESIS_STORAGE_DIRECTORY": str(HERE.parents[1] / ".hypothesis"),  # a table of all characters
                "NO_COLOR": "1",
            },
            capture_output=True,
            text=True,
            timeout=3600,
        )
        assert (folder / "report.json").is_file(), done.stdout + done.stderr
        return outcome(json.loads((folder / "report.json").read_text()), done)


def outcome(report, done):
    """What a report says."""
    failures = [
        f"{failure['count']} x {failure['title']}: {', '.join(failure['operations'])}" for failure in report["failures"]
    ]
    errors = report["test_cases"]["errored"] + report["operations"]["errored"]
    if not report["complete"] or errors or (done.returncode != 0 and not failures):
        failures.append(f"the run ended early or with {errors} errors")
    return Outcome(report["test_cases"]["generated"], failures, report["operations"]["tested"], done.stdout)
