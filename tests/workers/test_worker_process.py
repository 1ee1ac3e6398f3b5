"""Worker processes: they work, end when told to, and write no card into their log."""

import contextlib
import json
import re
import signal
from itertools import cycle

import pytest
import redis
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from engine.editions import EDITIONS
from service.jobs.form import QUEUES
from service.jobs.schedule import Task
from service.store import keys
from service.store.redis.client import connect
from tests.service.at_table import Game
from tests.service.states import folded
from tests.service.states import read as read_states
from tests.service.stored import add_poison
from tools.testbed.waiting import wait_until
from workers import main
from workers.main import WarmWorker
from workers.outages import Outages


def cards():
    return {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}


def test_a_worker_plays_games_to_the_end_beside_poisoned_ones_and_ends_when_told_to(service, client, start_worker, log):
    poisoned = Game.open(service, "random", "random")
    add_poison(client, poisoned.id)
    damaged = Game.open(service, "random", "random")
    client.hset(keys.meta(damaged.id), "asked", "no time")
    worker = start_worker()
    service.jobs.enqueue([Task("time_out", poisoned.id, 1), Task("time_out", "no-such-game", 1)])
    games = [Game.open(service, *["random", "cautious"] * half) for half in (1, 2, 3)]
    timed = Game.begin(service, 3, clock={"seconds": 1, "on_timeout": "forfeit"})
    wait_until(lambda: all(game.view()["status"] == "finished" for game in games))
    wait_until(lambda: timed.view()["status"] == "finished")
    for game in (*games, timed):
        assert read_states(log, game.id) == folded(log, game.id)
    assert not worker.ended
    assert worker.end(signal.SIGTERM) == 0
    said = worker.log.read_text().lower()
    for game in (*games, timed, poisoned, damaged):
        said = said.replace(game.id, "")  # in which chance may write the name of a card
    words = set(re.findall(r"[a-z_]+", said))
    assert "debug" in words, "the log is at its most talkative"
    assert words & cards() == set()


@pytest.mark.parametrize("state", [WorkerStatus.BUSY, WorkerStatus.IDLE], ids=["between_two_jobs", "while_it_logs"])
def test_no_moment_lets_a_worker_miss_that_it_is_told_to_end(redis_url, monkeypatch, state):
    """RQ only notes a signal that comes before it is idle; later it raises, and logging suppresses that."""
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    worker = WarmWorker(list(QUEUES), connection=connect(redis_url), serializer=JSONSerializer)
    worker.set_state(state)
    with contextlib.suppress(StopRequested):
        worker.request_stop(signal.SIGTERM, None)
    with pytest.raises(StopRequested):
        worker.dequeue_job_and_maintain_ttl(1, max_idle_time=5)


def test_a_worker_whose_redis_went_away_during_a_job_ends_when_told_to(settings, monkeypatch):
    """RQ's worker has ended then, in the middle of a job, and its own handler would only note the signal.

    What our handler raises is lost if the signal comes while a connection is being deleted.
    """
    monkeypatch.setattr(WarmWorker, "stop_requested", False)
    handlers, outages = {signal.SIGTERM: None}, Outages(main._log, "Redis", "work resumes")
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)

    def work(worker, **options):
        worker._install_signal_handlers()
        worker.set_state(WorkerStatus.BUSY)
        raise redis.ResponseError

    monkeypatch.setattr(WarmWorker, "work", work)
    assert not main._work_until_outage(settings, QUEUES, outages)
    with pytest.raises(main.Stop):
        handlers[signal.SIGTERM](signal.SIGTERM, None)
    assert main._work_until_outage(settings, QUEUES, outages)


def test_a_job_imports_nothing(service, start_worker):
    """What is warm was imported before the first job came, whatever it is about."""
    worker = start_worker("tests.workers.watched_worker", BOT_THINK_MS="10", LOG_LEVEL="warning")
    quick = cycle(("cautious", "random"))
    games = [Game.open(service, "expert", bot, edition=edition) for edition, bot in zip(EDITIONS, quick, strict=False)]
    timed = Game.begin(service, 3, clock={"seconds": 1, "on_timeout": "bot_plays"})
    wait_until(lambda: all(game.view()["status"] == "finished" for game in games))
    wait_until(lambda: "workers.jobs.time_out" in worker.log.read_text())
    assert timed.events()
    assert worker.end() == 0
    jobs = [json.loads(line) for line in worker.log.read_text().splitlines() if line.startswith("{")]
    done = {job["function"].removeprefix("workers.jobs.") for job in jobs}
    assert done - {"notify"} == {"play_bots", "think", "time_out", "record"}, (
        "players are told by a job where others are late"
    )
    assert [job["imported"] for job in jobs if job["imported"]] == []
