"""A worker lives through every outage of its Redis, and plays on as soon as it is back."""

import contextlib
import os
import signal
import time

import pytest

from billet.redis import embedded
from service import Settings, build
from tests.service.at_table import Game

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


@pytest.mark.parametrize(
    ("outage", "seconds"),
    [(killed, KILLED_SECONDS), (frozen, OTHER_SECONDS), (full, OTHER_SECONDS), (read_only, OTHER_SECONDS)],
)
def test_a_worker_lives_through_an_outage_and_plays_on(server, client, start_worker, wait_until, outage, seconds):
    service = build(Settings(redis_url=server.url))
    worker = start_worker()
    wait_until(lambda: service.health.ready().worker)
    game = Game.open(service, "random", "random")
    wait_until(lambda: game.view()["version"] > 3)
    with outage(server, client):
        time.sleep(seconds)
        assert not worker.ended, worker.log.read_text()
    games = []

    def opened():
        with contextlib.suppress(Exception):
            games.append(Game.open(service, "random", "random"))
        return games

    wait_until(opened)
    wait_until(lambda: games[0].view()["status"] == "finished")
    wait_until(lambda: game.view()["status"] == "finished")
    assert not worker.ended, worker.log.read_text()
    assert worker.end() == 0


def test_a_worker_ends_when_told_to_while_redis_is_away(server, client, start_worker, wait_until):
    service = build(Settings(redis_url=server.url))
    worker = start_worker()
    wait_until(lambda: service.health.ready().worker)
    with killed(server, client):
        wait_until(lambda: "could not connect" in worker.log.read_text() or "Redis is away" in worker.log.read_text())
        assert worker.end() == 0
