"""The sweeper hands what is due to the workers, brings lost bot turns back, and outlives whatever happens to it."""

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from games.errors import TakesNoWrites, Unavailable
from games.times import ms_of
from service import build
from service.inputs.clock import now_ms
from service.jobs import schedule
from service.jobs.queue import MOST_TIMEOUTS
from service.jobs.schedule import Task
from service.store import keys
from tests.service.at_table import Game
from tools.testbed.waiting import wait_until
from workers.sweeper import sweep


@pytest.fixture
def sweeping():
    """Starts sweepers, which are stopped after the test."""
    stop, threads = threading.Event(), []

    def start(service):
        threads.append(threading.Thread(target=sweep, args=(service, stop)))
        threads[-1].start()
        return threads[-1]

    yield start
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def waiting(client, name):
    return [job_id.decode() for job_id in client.lrange(f"rq:queue:{name}", 0, -1)]


def test_a_due_timeout_is_handed_to_the_workers(service, settings, client, sweeping, monkeypatch):
    game = Game.begin(service, clock={"seconds": 3600, "on_timeout": "forfeit"})
    begun = game.view()
    version, deadline = begun["version"], ms_of(begun["deadline"])
    ahead = deadline - now_ms() - 1000  # by so much is the sweeper's clock: it has a second to wait, whoever is slow
    monkeypatch.setattr(schedule, "now_ms", lambda: now_ms() + ahead)
    sweeping(build(settings))
    wait_until(lambda: waiting(client, "timeouts"))
    assert 0 <= now_ms() + ahead - deadline < 60_000
    assert waiting(client, "timeouts")[0].startswith(f"time_out-{game.id}-{version}-")
    assert client.xlen(keys.log(game.id)) == version, "the sweeper itself changes no game"


def test_while_workers_are_behind_with_timeouts_others_wait_where_operators_count_them(
    service, settings, client, sweeping, monkeypatch
):
    own = build(settings)
    looks, are_behind = [], own.jobs.are_behind
    monkeypatch.setattr(type(own.jobs), "are_behind", lambda self: looks.append(are_behind()) or looks[-1])
    client.rpush("rq:queue:timeouts", *(f"waiting-{i}" for i in range(MOST_TIMEOUTS)))
    first, game = (Game.begin(service, clock={"seconds": 3600, "on_timeout": "forfeit"}) for _ in range(2))
    for one in (first, game):
        client.hset(keys.meta(one.id), "deadline", 1)
    client.zadd(keys.DUE, {first.id: 1})
    sweeping(own)
    wait_until(lambda: looks)
    client.zadd(keys.DUE, {game.id: 1})
    wait_until(lambda: len(looks) > 3)
    assert all(looks)
    assert client.zscore(keys.DUE, game.id) == 1
    client.delete("rq:queue:timeouts")
    wait_until(lambda: any(name.startswith(f"time_out-{game.id}-") for name in waiting(client, "timeouts")))


def test_while_the_queues_are_away_games_stay_due_and_a_sweeper_waits_once_for_an_answer(
    service, settings, client, sweeping
):
    own = build(replace(settings, queue_redis_url="redis://127.0.0.1:1/0"))
    calls, are_behind = [], own.jobs.are_behind
    own.jobs.are_behind = lambda: calls.append(are_behind()) or calls[-1]
    own.jobs.enqueue = lambda tasks: calls.append(tasks) if tasks else None
    game = Game.begin(service, clock={"seconds": 3600, "on_timeout": "forfeit"})
    service.notifier.settle()
    client.hset(keys.meta(game.id), "deadline", 1)
    client.zadd(keys.DUE, {game.id: 1})
    sweeping(own)
    wait_until(lambda: len(calls) > 1)
    assert ([task.game for task in calls[0]], calls[1]) == ([game.id], True)
    client.zadd(keys.DUE, {game.id: 1})
    wait_until(lambda: len(calls) > 4)
    assert all(call is True for call in calls[1:])
    assert client.zscore(keys.DUE, game.id) == 1


def test_a_sweeper_says_that_a_worker_is_alive_also_when_it_has_much_to_do(
    service, settings, client, sweeping, monkeypatch
):
    busy = build(settings)
    monkeypatch.setattr(type(busy.schedule), "pause_ms", lambda self, longest: 0)
    monkeypatch.setattr(type(busy.schedule), "tasks", lambda self: time.sleep(0.05) or [])
    assert not service.health.ready().worker
    sweeping(busy)
    wait_until(lambda: client.exists(keys.WORKER_ALIVE))
    for _ in range(3):
        wait_until(lambda: client.pttl(keys.WORKER_ALIVE) < 4_500)
        wait_until(lambda: client.pttl(keys.WORKER_ALIVE) > 4_500)
    wait_until(lambda: service.health.ready().worker)


def test_a_sweeper_goes_on_after_an_error(service, settings, client, sweeping, monkeypatch, caplog):
    own = build(settings)
    tasks, failures = own.schedule.tasks, [RuntimeError("out of order"), KeyError("lost")]

    def failing(self):
        if failures:
            raise failures.pop()
        return tasks()

    monkeypatch.setattr(type(own.schedule), "tasks", failing)
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    service.notifier.settle()  # or players would wait there to be told, too
    client.delete("rq:queue:turns")
    sweeping(own)
    wait_until(lambda: waiting(client, "turns"))
    assert waiting(client, "turns")[0].startswith(f"bots-{game.id}-")
    assert caplog.text.count("a sweep failed") == 2


@pytest.mark.parametrize(
    ("found", "seconds", "warns"),
    [
        (list, 0.0, ""),
        (lambda: [Task("bots", "g", 1)], 0.1, ""),
        (lambda: fail(Unavailable("away")), 0.2, "Redis is unreachable"),
        (lambda: fail(TakesNoWrites("full")), 0.2, "Redis takes no writes"),
    ],
    ids=["nothing", "something", "away", "full"],
)
def test_a_sweeper_rests_after_what_it_finds_so_that_more_shares_a_job_and_after_an_outage(
    caplog, found, seconds, warns
):
    asked, rests = [], []
    service = SimpleNamespace(
        health=SimpleNamespace(record_heartbeat=lambda: None),
        schedule=SimpleNamespace(tasks=found, pause_ms=lambda longest: 0),
        pending=SimpleNamespace(tasks=list),
        unrecorded=SimpleNamespace(tasks=list),
        waves=SimpleNamespace(tasks=list),
        match_waves=SimpleNamespace(tasks=list),
        day_waves=SimpleNamespace(tasks=list),
        reviews=SimpleNamespace(tasks=list),
        jobs=SimpleNamespace(enqueue=asked.extend),
    )
    sweep(service, SimpleNamespace(is_set=lambda: bool(rests), wait=rests.append))
    assert rests == [seconds]
    assert len(asked) == (seconds == 0.1)
    assert warns in caplog.text


def fail(error):
    raise error
