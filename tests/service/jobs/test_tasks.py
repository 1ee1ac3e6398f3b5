"""No answer waits for the Redis of the queues, and sweepers find what was lost on the way there."""

import socket
import threading
from dataclasses import replace

import pytest

from service import build
from service.jobs import queue
from service.jobs.queue import Jobs
from service.jobs.schedule import Task
from tests.service.at_table import Game
from tests.service.on_loop import OnLoop, running_loop

HANDMAID = {"type": "play_card", "card": "handmaid", "targets": []}
DEALT = {
    "rounds": [{"starter": 0, "order": ["princess", "spy", "king", "baron", "handmaid", "guard", "priest", "prince"]}]
}


@pytest.fixture(autouse=True)
def soon(monkeypatch, enqueue_soon):
    """Enqueues as in a process that serves."""
    monkeypatch.setattr(Jobs, "enqueue_soon", enqueue_soon)


@pytest.fixture
def silent(settings):
    """The service with queues in a Redis that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield build(replace(settings, queue_redis_url=f"redis://127.0.0.1:{listening.getsockname()[1]}"))


def before_a_bot(service):
    """Returns a game in which a bot is next after what a person does."""
    return Game.open(service, "creator", "random", sandbox=DEALT)


@pytest.mark.parametrize("on_loop", [False, True])
def test_an_action_is_answered_before_its_job_is_enqueued(service, client, monkeypatch, on_loop):
    game, go, enqueue = before_a_bot(service), threading.Event(), Jobs.enqueue

    def enqueue_late(jobs, tasks):
        go.wait(60)
        enqueue(jobs, tasks)

    monkeypatch.setattr(Jobs, "enqueue", enqueue_late)
    with running_loop(service) as loop:
        answer = (OnLoop(game, loop) if on_loop else game).act(0, HANDMAID)
    assert answer["game"]["to_act"] == 1
    assert client.llen("rq:queue:turns") == 0
    go.set()
    service.settle()
    assert client.llen("rq:queue:turns") == 1


def test_a_process_ends_though_the_queues_are_silent_and_sweepers_find_the_game(silent, client, clock, monkeypatch):
    monkeypatch.setattr(queue, "SETTLE_SECONDS", 0.1)
    games = [before_a_bot(silent) for _ in range(20)]
    for game in games:
        game.act(0, HANDMAID)
    silent.settle()
    clock.advance(1.1)
    assert {(task.kind, task.game) for task in silent.schedule.tasks()} == {("bots", game.id) for game in games}


def test_what_is_too_much_to_wait_in_a_process_is_left_to_the_sweepers(service, client, clock, monkeypatch):
    monkeypatch.setattr(queue, "MOST_ASKED", 0)
    game = before_a_bot(service)
    version = game.act(0, HANDMAID)["version"]
    service.settle()
    assert client.llen("rq:queue:turns") == 0
    clock.advance(1.1)
    [task] = service.schedule.tasks()
    assert task == Task("bots", game.id, version, humans=task.humans, address_hash=task.address_hash)


def test_a_job_that_cannot_be_made_is_logged(service, monkeypatch, caplog):
    monkeypatch.setattr(Jobs, "enqueue", lambda jobs, tasks: {}["nothing"])
    before_a_bot(service).act(0, HANDMAID)
    service.settle()
    assert "cannot enqueue" in caplog.text
