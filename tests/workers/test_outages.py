"""A worker lives through every outage of its Redis, and plays on as soon as it is back."""

import contextlib
import os
import re
import signal
import time

import pytest

from billet.redis import embedded
from service import Settings, build
from tests.service.at_table import Game
from tools.testbed.waiting import wait_until

KILLED_SECONDS = 5.0
"""Longer than RQ's own worker lives without its Redis, four seconds."""
OTHER_SECONDS = 1.5
"""Long enough for every kind of call to fail meanwhile."""


@pytest.fixture
def server(tmp_path):
    """A Redis of this test's own, to be killed."""
    with embedded.running(tmp_path / "own", fsync="no") as running:
        yield running


@pytest.fixture
def redis_url(server):
    return server.url


@contextlib.contextmanager
def killed(server, client):
    client.close()
    server._process.kill()
    server._process.wait()
    yield
    server.start()


@contextlib.contextmanager
def frozen(server, client):
    pid = client.info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def refusing(server, client, name, value, healed):
    client.config_set(name, value)
    yield
    client.config_set(name, healed)


def full(server, client):
    return refusing(server, client, "maxmemory", 1, 0)


def read_only(server, client):
    return refusing(server, client, "min-replicas-to-write", 1, 0)


def test_a_worker_lives_through_outages_plays_on_and_ends_when_told_to_while_redis_is_away(
    server, client, start_worker
):
    service = build(Settings(redis_url=server.url))
    worker = start_worker()
    wait_until(lambda: service.health.ready().worker)
    for outage in (frozen, full, read_only, killed):
        game = Game.open(service, "random", "random")
        wait_until(lambda game=game: game.view()["version"] > 3)
        with outage(server, client):
            time.sleep(KILLED_SECONDS if outage is killed else OTHER_SECONDS)
            assert not worker.ended, f"{outage.__name__}: {worker.log.read_text()}"
        games = []

        def opened(games=games):
            with contextlib.suppress(Exception):
                games.append(Game.open(service, "random", "random"))
            return games

        wait_until(opened)
        for one in (games[0], game):
            wait_until(lambda one=one: one.view()["status"] == "finished")
        assert not worker.ended, f"{outage.__name__}: {worker.log.read_text()}"
    before = len(worker.log.read_text())
    with killed(server, client):
        wait_until(lambda: "Redis is unreachable" in worker.log.read_text()[before:])
        assert worker.end() == 0
    said = worker.log.read_text()
    assert re.search(r"workers\.sweeper .*: Redis works again after \d+ s", said)
    assert "the Redis of the queues is unreachable; work resumes when that is over" in said
    assert re.findall("could not connect|connection timeout|unhandled exception", said) == [], "RQ's own words"
