"""The one command, with everything real."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from billet import cli
from billet.processes.serve import worker_parts
from service.settings import Settings
from tools.testbed.installation import BILLET, Installation, free_port, installed
from tools.testbed.processes import wait_until_gone
from tools.testbed.waiting import wait_until

ROOT = Path(__file__).parents[3]


def register(one):
    status, body = one.call("POST", "/v1/players", {"name": "Ann"})
    assert status == 201
    return body["token"]


def known(one, token):
    return one.call("GET", "/v1/players/me", token=token)[0] == 200


def test_it_is_killed_starts_and_stops_without_a_trace_and_goes_on_with_what_was_there(tmp_path):
    """What lies in a data directory after a stop is for `tests/e2e/server/test_serve.py`."""
    with installed(tmp_path / "data") as one:
        tree = one.tree()
        assert len(tree) >= 4  # Redis, a worker, the API's main process and its one process
        token, place = register(one), one.output.stat().st_size
        one.kill_supervisor()
        # At once: what is left of the old one may not be in the way.
        one.start()
        assert wait_until_gone(tree, 120) == []
        one.wait_until_ready()  # a process of the old one may have said so before
        assert known(one, token), "after a killed supervisor"
        wait_until(lambda: "Ctrl-C stops everything" in one.said_since(place), one.said)
        said = one.said_since(place)
        for path in ("/v1", "/docs", "/openapi.json", "/readyz"):
            assert f"{one.base}{path}" in said
        assert {line[9:18].strip() for line in said.splitlines()} <= {"billet", "redis", "api", "worker-1"}
        assert one.stop() == (0, [])
        assert "does not stop" not in one.said()
        assert [path.name for path in tmp_path.iterdir()] == ["data"]
        done = one.run("rebuild")  # which runs a Redis when none does
        assert (done.returncode, done.stderr) == (0, "")
        assert "games: 0" in done.stdout


def test_only_the_api_holds_the_secrets_of_operators(tmp_path):
    token, key = 40 * "x", 40 * "y"
    with installed(tmp_path / "data", ADMIN_TOKEN=token, REGISTRATION_KEY=token, BACKUP_KEY=key) as one:
        for part in ("redis", "worker", "api"):
            for process in one.part(part):
                assert key not in Path(f"/proc/{process.pid}/environ").read_text(), "no part makes backups"
        for part in ("redis", "worker"):
            for process in one.part(part):
                assert token not in Path(f"/proc/{process.pid}/environ").read_text()
        assert one.part("worker")
        assert one.part("redis")
        assert one.call("GET", "/v1/admin/players", token=token)[0] == 200


def test_a_second_one_on_the_same_data_is_refused(installation):
    other = {**installation.environment, "PORT": str(free_port())}
    done = subprocess.run([*BILLET, "serve"], env=other, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"is in use by another billet (process {installation.process.pid})" in line
    assert installation.call("GET", "/readyz")[0] == 200


def test_other_commands_find_the_redis_of_the_running_one(installation):
    done = installation.run("rebuild")
    assert done.returncode == 0, done.stderr
    assert "games: " in done.stdout
    wait_until(lambda: installation.run("health", "worker").stdout == "worker: alive\n")


def test_what_cannot_start_stops_everything(tmp_path):
    shadow = tmp_path / "shadow" / "workers"
    shadow.mkdir(parents=True)
    (shadow / "__init__.py").touch()
    (shadow / "main.py").write_text("raise ImportError('broken on purpose')\n")
    one = Installation(
        tmp_path / "data", (sys.executable, "-P", "-m", "billet"), PYTHONPATH=f"{tmp_path}/shadow:{ROOT}"
    )
    with pytest.raises(AssertionError, match="billet serve has ended"):
        one.start()
    assert one.process.returncode == 2
    said = one.said()
    assert "worker-1 | ImportError: broken on purpose" in said
    assert "billet: worker-1 ended with status 1 while starting; its last lines say why" in said


def test_the_compose_file_runs_what_answers_here(tmp_path, redis_url, monkeypatch, capsys):
    """The very commands of the containers, with their settings but for the addresses of this machine."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    one = Installation(tmp_path)
    here = {"PATH": os.environ["PATH"], "REDIS_URL": redis_url, "HOST": "127.0.0.1", "PORT": str(one.port)}
    with (tmp_path / "log").open("wb") as log:
        parts = [
            subprocess.Popen([*BILLET, *services[name]["command"][1:]], env=here, stdout=log, stderr=log)
            for name in ("api", "worker")
        ]
        try:
            wait_until(lambda: one.call("GET", "/readyz")[0] == 200, (tmp_path / "log").read_text)
            for name, value in here.items():
                monkeypatch.setenv(name, value)
            for name in ("api", "worker"):
                words = services[name]["healthcheck"]["test"][2:]
                wait_until(lambda words=words: cli.main(words) == 0)
                assert capsys.readouterr().out.endswith(f"{name}: alive\n")
        finally:
            for part in parts:
                part.terminate()
            statuses = [part.wait(120) for part in parts]
    assert statuses == [0, 0], (tmp_path / "log").read_text()


@pytest.mark.parametrize(("workers", "quick"), [(1, []), (2, ["worker-1"]), (5, ["worker-1"])])
def test_of_several_workers_the_first_one_never_waits_for_a_bot_that_thinks(workers, quick):
    parts = worker_parts(Settings(workers=workers), {})
    assert [part.name for part in parts] == [f"worker-{number}" for number in range(1, workers + 1)]
    assert [part.name for part in parts if part.command[-1] == "--quick"] == quick
