"""`billet check`, as an operator types it."""

import random

import pytest
import redis

from billet import check, cli
from service import Settings, build
from service.store import keys
from tests.service.at_table import Game


@pytest.fixture
def billet(monkeypatch, redis_url, capfd):
    """Runs a command in this process and returns its exit status and what it has said."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setattr(check.os, "nice", lambda by: None)  # this process goes on

    def run(*words):
        status = cli.main(words)
        said = capfd.readouterr()
        return status, said.out, said.err

    return run


def test_it_names_damaged_games_and_says_how_far_it_is(billet, redis_url, monkeypatch):
    service = build(Settings(redis_url=redis_url))
    games = [Game.begin(service, 2).play(random.Random(1)) for _ in range(3)]
    assert billet("check") == (0, "games: 3\ndamaged: 0\n", "")
    with redis.Redis.from_url(redis_url) as client:
        client.xdel(keys.log(games[1].id), "5-0")
    monkeypatch.setattr(check, "PROGRESS_SECONDS", 0.0)
    status, said, error = billet("check")
    assert (status, said) == (1, "games: 3\ndamaged: 1\n")
    named = f"billet: game {games[1].id} is damaged: event 5 is missing, or another one is doubled\n"
    assert named in error
    assert "billet: 1 of 3 games checked, " in error
    assert billet("status")[1].count(games[1].id) == 1, "operators are told elsewhere, too"
