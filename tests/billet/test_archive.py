"""`billet archive` as a process: what it says, and that it may be killed at any moment, also with another beside it."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from billet.cli import main
from service import Settings, build
from service.store import keys
from tests.service.at_table import EN, read
from tests.service.upkeep.archived import answers, called_off, ended, made

GAMES = 50
KILLS = 6


@pytest.fixture
def settings(redis_url, tmp_path):
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")))


@pytest.fixture
def environment(settings, monkeypatch):
    """The environment in which the command finds Redis and the archive."""
    for name in ("REDIS_URL", "ARCHIVE_URL", "RETAIN_FINISHED_DAYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REDIS_URL", settings.redis_url)
    monkeypatch.setenv("ARCHIVE_URL", settings.archive_url)
    return monkeypatch


PROGRAM = """
import os, sys
import service, service.settings
from billet.logs import archive

settings = service.settings.Settings.from_env()
for line in sys.stdin:
    children = []
    for _ in range(int(line)):
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os._exit(archive.run(service.build(settings), 0))
        children.append(child)
    print(*children, flush=True)
    sys.stdin.readline()  # until then they are there, also when they have ended
    print(*[os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children], flush=True)
"""
"""Runs the command in processes that have loaded already what it needs: that takes much longer than what it does."""


class Archivers:
    """Processes that archive beside each other."""

    def __init__(self):
        command = [sys.executable, "-c", PROGRAM]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, number, seconds=None):
        """Runs some, kills them after a while unless they may end, and returns their exit statuses."""
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        pids = [int(pid) for pid in self._process.stdout.readline().split()]
        if seconds is not None:
            time.sleep(seconds)
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return [int(status) for status in self._process.stdout.readline().split()]

    def end(self):
        self._process.stdin.close()
        self._process.wait(120)
        self._process.stdout.close()


@pytest.fixture
def archivers(environment):
    made = Archivers()
    yield made
    made.end()


def test_killing_archivers_at_any_moment_loses_nothing(settings, archivers, client):
    service = build(settings)
    long = [ended(service, seed, 2) for seed in range(2)]
    games = [*(called_off(service) for _ in range(GAMES)), *long]
    logs = {game.id: service.games.log(None, game.id) for game in games}
    before = {game.id: answers(service, game) for game in long}
    rng = random.Random(7)
    killed = 0
    for _ in range(KILLS):
        killed += archivers.run(2, rng.uniform(0, 0.1)).count(-signal.SIGKILL)
        fresh = build(settings)
        for game in games:
            there = [name for name in ("log", "summary") if client.exists(getattr(keys, name)(game.id))]
            assert len(there) == 1, "it is in one place"
        for game in rng.sample(games, 8):
            assert fresh.games.log(None, game.id) == logs[game.id]
    assert killed
    assert archivers.run(2) == [0, 0]
    assert not [game.id for game in games if client.exists(keys.log(game.id))]
    assert not client.exists(keys.ENDED, keys.NOT_ARCHIVED)
    fresh = build(settings)
    assert {game.id: fresh.games.log(None, game.id) for game in games} == logs
    assert {game.id: answers(fresh, game) for game in long} == before


def test_it_says_what_it_has_done(settings, environment, capsys):
    service = build(settings)
    game = called_off(service)
    environment.setenv("RETAIN_FINISHED_DAYS", "1")
    assert main(["archive"]) == 0
    assert capsys.readouterr().out == "archived: 0\nnot archived: 0\nmatches removed: 0\n"
    assert main(["archive", "--days", "0"]) == 0
    assert capsys.readouterr().out == "archived: 1\nnot archived: 0\nmatches removed: 0\n"
    assert read(service.games.view(None, game.id, words=EN))["id"] == game.id
    assert service.survey.state().games.not_archived == 0


def test_it_fails_if_a_game_stays(settings, environment, capsys, tmp_path):
    service = build(settings)
    called_off(service)
    (tmp_path / "archive").rmdir()
    (tmp_path / "archive").write_text("no directory")
    assert main(["archive", "--days", "0"]) == 1
    assert capsys.readouterr().out == "archived: 0\nnot archived: 1\nmatches removed: 0\n"
    main(["status"])
    assert "games that cannot be archived: 1, one of them for NotADirectoryError" in capsys.readouterr().out
    (tmp_path / "archive").unlink()
    (tmp_path / "archive").mkdir()
    assert main(["archive", "--days", "0"]) == 0


@pytest.mark.parametrize(
    ("variables", "arguments", "wrong"),
    [
        ({"ARCHIVE_URL": ""}, ["--days", "1"], "set ARCHIVE_URL"),
        ({}, [], "set RETAIN_FINISHED_DAYS or say --days"),
        ({}, ["--days", "-1"], "set RETAIN_FINISHED_DAYS or say --days"),
        ({"ARCHIVE_URL": "", "RETAIN_FINISHED_DAYS": "3"}, [], "RETAIN_FINISHED_DAYS needs an ARCHIVE_URL"),
        (
            {"ARCHIVE_URL": "ftp://there"},
            [],
            "ARCHIVE_URL must be the absolute path of a directory or like s3://BUCKET/PREFIX",
        ),
    ],
)
def test_it_says_what_is_missing(environment, capsys, variables, arguments, wrong):
    for name, value in variables.items():
        environment.setenv(name, value)
    assert main(["archive", *arguments]) == 2
    assert wrong in capsys.readouterr().err
