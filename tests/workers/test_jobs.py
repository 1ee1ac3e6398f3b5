"""Jobs are tasks: they name games and versions at most, may come twice, late or never, and fail without harm."""

import contextlib
import json
import logging
import random
import threading
import time
import zlib

import pytest
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from billet.status import Measured
from engine import rules
from engine.bots import BOTS, Bot
from games.bots import turns
from service.changing import changes
from service.inputs import clock
from service.jobs import pending
from service.jobs import schedule as due
from service.jobs.form import (
    FAILURE_SECONDS,
    JOB_SECONDS,
    QUEUES,
    THINKING,
    TIMEOUTS,
    TURNS,
    UNATTENDED,
    UNATTENDED_THINKING,
)
from service.jobs.schedule import Task
from service.store import keys
from tests.service.at_table import EN, Game
from tests.service.states import folded
from tests.service.states import read as read_states
from tests.service.still_clock import still_clock
from tests.service.stored import add_poison
from tools.testbed.waiting import wait_until
from workers import jobs as jobs_module
from workers.main import HEARTBEAT_SECONDS


def queue(client, name=TURNS):
    return Queue(name, connection=client, serializer=JSONSerializer)


def bot_first(service, *kinds, **more):
    """Opens a table where a bot begins; `more` may say how the first round is dealt."""
    return Game.open(service, "creator", *kinds, sandbox={"rounds": [{"starter": 1, **more}]})


def tasks(client, name=TURNS):
    """Returns the ids of the jobs that wait, without their last part, which only tells them apart."""
    return [job_id.rpartition("-")[0] for job_id in queue(client, name).job_ids]


def failures(client):
    """Returns how many jobs have failed."""
    return sum(FailedJobRegistry(name, client).count for name in QUEUES)


def left_of_jobs(client):
    """Returns the keys that jobs leave behind."""
    return sorted(name for name in client.keys("rq:*") if b":job:" in name or b":results:" in name)


@pytest.fixture
def an_hour_passes(monkeypatch):
    """Lets an hour pass for clocks, which stand still then: how long anything takes does not matter."""

    def pass_by():
        later = clock.now_ms() + 3_600_000
        for module in (changes, due):
            monkeypatch.setattr(module, "now_ms", lambda: later)

    return pass_by


# --- what is asked for ---


def test_a_bots_turn_is_asked_for_when_it_begins(service, client):
    game = bot_first(service, "random")
    version = game.view()["version"]
    assert tasks(client) == [f"bots-{game.id}-{version}"]


def test_games_of_bots_alone_wait_for_those_with_people(service, client):
    game = Game.open(service, "random", "random", clock={"seconds": 3600, "on_timeout": "bot_plays"})
    assert tasks(client, UNATTENDED) == [f"bots-{game.id}-{game.view()['version']}"]
    assert tasks(client) == tasks(client, TIMEOUTS) == []
    task = service.play.bot_turns(game.id, 0)
    assert task.unattended, "it goes on as it began"


def test_a_game_that_all_people_have_left_is_one_of_bots_alone(service, client):
    # Whichever card the first bot plays, the second is still there.
    game = bot_first(service, "random", "random", order=["priest", "priest", "king", "handmaid", "handmaid"])
    assert tasks(client, UNATTENDED) == []
    assert not service.play.bot_turns(game.id, 0).unattended
    client.delete(*client.keys("rq:*"))
    service.tables.leave(game.creator.token, game.id, words=EN)
    assert tasks(client, UNATTENDED) == [f"bots-{game.id}-{game.view()['version']}"]
    assert tasks(client) == []


def test_a_persons_turn_is_not_asked_for(service, client):
    Game.begin(service, 3).play(random.Random(1), 5)
    assert client.keys("rq:*") == []


def test_a_job_is_json_with_an_import_path_and_at_most_a_game_and_a_version(service, client):
    game = bot_first(service, "random")
    version = game.view()["version"]
    service.jobs.enqueue([Task("time_out", game.id, version)])
    expected = {
        TURNS: ("workers.jobs.play_bots", "bots", []),
        TIMEOUTS: ("workers.jobs.time_out", "time_out", [[game.id, version]]),
    }
    for name, (function, kind, games) in expected.items():
        assert tasks(client, name) == [f"{kind}-{game.id}-{version}"]
        job_id = queue(client, name).job_ids[0]
        raw = client.hgetall(f"rq:job:{job_id}")
        assert json.loads(zlib.decompress(raw[b"data"])) == [function, None, games, {}]
        job = Job.fetch(job_id, connection=client, serializer=JSONSerializer)
        assert (job.timeout, job.result_ttl, job.failure_ttl) == (JOB_SECONDS, 0, FAILURE_SECONDS)
        assert job.origin == name
        secrets = [client.hget(keys.meta(game.id), "secret"), game.creator.token.split(".")[1].encode()]
        stored = b" ".join([*raw, *raw.values(), zlib.decompress(raw[b"data"])])
        assert not any(secret in stored for secret in secrets)


# --- what is done ---


def test_one_job_plays_all_turns_of_bots_that_follow_one_another(service, client, work, monkeypatch):
    monkeypatch.setattr(jobs_module, "SLICE_SECONDS", 600)
    game = bot_first(service, "random", "cautious", "random", "random")
    assert queue(client).count == 1
    assert work(max_jobs=1)
    assert game.to_act() in (0, None)
    assert queue(client).count == 0, "the turns in between were not asked for one by one"


def test_a_job_gives_others_their_turn_and_asks_to_go_on(service, client, work, monkeypatch):
    monkeypatch.setattr(jobs_module, "SLICE_SECONDS", 0)
    game = Game.open(service, "random", "random")
    for _ in range(5):
        version = game.view()["version"]
        assert tasks(client, UNATTENDED) == [f"bots-{game.id}-{version}"]
        work(max_jobs=1)
        assert game.view()["version"] > version


def test_games_among_bots_play_to_their_end(service, client, work, log):
    games = [
        Game.open(service, *["random", "cautious"] * 3),
        Game.open(service, "cautious", "random", edition="classic"),
    ]
    work()
    for game in games:
        assert game.view()["status"] == "finished"
        assert read_states(log, game.id) == folded(log, game.id)
    assert left_of_jobs(client) == []


def test_bots_play_on_when_the_last_person_resigns(service, client, work):
    game = Game.open(service, "creator", "random", "cautious", starter=0)
    service.tables.leave(game.token(0), game.id, words=EN)
    work()
    assert game.view()["status"] == "finished"


def test_a_timeout_is_carried_out_when_it_is_due_and_not_before(service, client, work, an_hour_passes):
    game = Game.begin(service, 3, clock={"seconds": 3600, "on_timeout": "bot_plays"})
    version = game.view()["version"]
    service.jobs.enqueue([Task("time_out", game.id, version)])
    work()
    assert game.view()["version"] == version, "too early"
    an_hour_passes()
    service.jobs.enqueue([Task("time_out", game.id, version)])
    work()
    assert [event["type"] for event in game.events(after=version)][:1] == ["seat_timed_out"]


@pytest.mark.parametrize("count", [1, 3])
def test_timeouts_are_carried_out_though_the_clock_was_set_back(service, client, work, log, monkeypatch, count):
    wall_clock = still_clock(monkeypatch)
    games = [Game.begin(service, clock={"seconds": 20, "on_timeout": "bot_plays"}) for _ in range(count)]
    late = [Task("time_out", game.id, game.view()["version"]) for game in games]
    wall_clock.advance(-3600)
    service.jobs.enqueue([Task("time_out", task.game, task.version - 1) for task in late])
    work()
    assert [game.view()["version"] for game in games] == [task.version for task in late], "they were for another turn"
    service.jobs.enqueue(late)
    assert client.llen(f"rq:queue:{TIMEOUTS}") == 1
    work()
    for game in games:
        assert [entry.event.type for entry in log.entries(game.id, 0)].count("seat_timed_out") == 1


@pytest.mark.parametrize("unattended", [False, True])
def test_neither_quick_nor_thinking_bots_keep_the_others_waiting(service, client, work, unattended):
    quick, thinking = (UNATTENDED, UNATTENDED_THINKING) if unattended else (TURNS, THINKING)
    for kind in ("bots", "think"):
        service.jobs.enqueue([Task(kind, f"{kind}-{i}", 1, unattended, ("ann",)) for i in range(4)])
    work(max_jobs=4)
    assert [queue(client, name).count for name in (quick, thinking)] == [2, 2]


def test_timeouts_and_games_with_people_come_first_whatever_bots_had_the_last_turn(service, client, work):
    for kind in ("bots", "think"):
        service.jobs.enqueue([Task(kind, f"{kind}-{i}", 1, humans=("ann",)) for i in range(2)])
        service.jobs.enqueue([Task(kind, f"alone-{kind}", 1, unattended=True, humans=("ann",))])
    service.jobs.enqueue([Task("time_out", "late", 1)])
    work(max_jobs=5)
    assert [queue(client, name).count for name in QUEUES] == [0, 0, 0, 0, 1, 1]


def test_many_timeouts_do_not_keep_bots_waiting(service, client, work):
    """As after an outage of all workers."""
    for kind in ("bots", "think"):
        service.jobs.enqueue([Task(kind, f"{kind}-{i}", 1, humans=("ann",)) for i in range(2)])
        service.jobs.enqueue([Task(kind, f"alone-{kind}", 1, unattended=True, humans=("ann",))])
    for i in range(6):
        service.jobs.enqueue([Task("time_out", f"late-{i}", 1)])
    work(max_jobs=7)
    assert [queue(client, name).count for name in QUEUES] == [2, 0, 1, 0, 1, 1]


# --- twice, late, never ---


def test_the_same_hint_many_times_is_done_once(service, client, work):
    game = bot_first(service, "random")
    version = game.view()["version"]
    service.jobs.enqueue([Task("bots", game.id, version)] * 5)
    service.jobs.enqueue([Task("bots", game.id, version)])
    assert len(client.keys("rq:job:*")) == 1
    work()
    taken = [event for event in game.events(after=version) if event["type"] == "card_played"]
    assert len(taken) >= 1
    assert game.to_act() == 0
    now = game.view()["version"]
    service.jobs.enqueue([Task("bots", game.id, version), Task("bots", game.id, 1), Task("time_out", game.id, version)])
    work()
    assert game.view()["version"] == now
    assert left_of_jobs(client) == []


def test_hints_of_games_that_are_over_or_are_not_do_nothing(service, client, work):
    over = Game.begin(service)
    service.tables.leave(over.token(0), over.id, words=EN)
    version = over.view()["version"]
    waiting = Game.open(service, "creator", "open")
    for game in (over.id, waiting.id, "no-such-game"):
        service.jobs.enqueue([Task("bots", game, 3), Task("time_out", game, 3)])
    work()
    assert over.view()["version"] == version
    assert failures(client) == 0


def test_two_workers_with_the_same_job_play_one_turn(service, client, start_worker, log):
    """Jobs of one id are enqueued again while they are worked on, by processes that play all at once."""
    workers = [start_worker(), start_worker()]
    wait_until(lambda: client.scard("rq:workers") == 2)
    games = [Game.open(service, "random", "cautious", "random") for _ in range(3)]

    def waiting():
        return sum(queue(client, name).count for name in QUEUES)

    def again():
        views = {game.id: game.view() for game in games}
        # No more than workers of a slow machine can do too, or they come to what is asked for last when it is too late.
        for game, view in views.items() if waiting() < 100 else ():
            for _ in range(3):
                service.jobs.enqueue([Task("bots", game, view["version"]), Task("bots", game, view["version"] - 1)])
        return all(view["status"] == "finished" for view in views.values())

    wait_until(again)
    for game in games:
        assert read_states(log, game.id) == folded(log, game.id)
    wait_until(lambda: waiting() == 0)
    assert failures(client) == 0
    for worker in workers:
        assert worker.end() == 0
    stays = [name for name in left_of_jobs(client) if client.ttl(name) < 0]
    assert stays == [], "nothing of a job stays for good, not even of one that was taken by a worker about to end"


# --- failure ---


def test_a_game_that_cannot_be_read_fails_its_job_and_stops_nobody(service, client, work, caplog):
    poisoned, healthy = bot_first(service, "random"), bot_first(service, "random")
    add_poison(client, poisoned.id)
    service.jobs.enqueue([Task("time_out", poisoned.id, 999)])
    with caplog.at_level(logging.CRITICAL, "rq.worker"):
        work()
    assert healthy.to_act() == 0
    failed = FailedJobRegistry(TURNS, client)
    assert failed.count == 1
    for name in left_of_jobs(client):
        assert 0 < client.ttl(name) <= FAILURE_SECONDS, name
    service.jobs.enqueue([Task("bots", poisoned.id, 999), Task("bots", healthy.id, healthy.view()["version"])])
    work()
    assert healthy.to_act() == 0


def test_what_is_logged_and_kept_of_a_failed_job_is_not_what_the_error_says(service, client, work, caplog, monkeypatch):
    secret = "she holds the princess"

    def fails(*_):
        raise LookupError(secret)

    monkeypatch.setattr(rules, "play", fails)
    bot_first(service, "random")
    with caplog.at_level(logging.DEBUG):
        work()
    (failed,) = FailedJobRegistry(TURNS, client, serializer=JSONSerializer).get_job_ids()
    kept = Job.fetch(failed, connection=client, serializer=JSONSerializer).latest_result().exc_string
    for told in (caplog.text, kept):
        assert secret not in told
        assert "LookupError" in told
        assert "in fails" in told, "where it was raised"


def test_players_who_cannot_be_told_are_told_when_they_can_and_keep_no_others_waiting(
    service, own_service, client, work, monkeypatch
):
    failing, sound = Game.begin(service), Game.begin(service)
    service.notifier.settle()
    for game in (failing, sound):
        client.hset(keys.meta(game.id), "told", 0)
        version = game.view()["version"]
        client.zadd(keys.PENDING_NOTICES, {f"{game.id} {version}": 1})
    tell, tried = own_service.notifier.send_pending, []

    def cannot(game):
        tried.append(game)
        if game == failing.id:
            raise LookupError("no feed")
        tell(game)

    with monkeypatch.context() as away:
        now = clock.now_ms()
        away.setattr(pending, "now_ms", lambda: now)  # however long it takes to get there
        away.setattr(type(own_service.notifier), "send_pending", lambda self, game: cannot(game))
        service.jobs.enqueue(service.pending.tasks())
        work()
        service.jobs.enqueue(service.pending.tasks())
        work()
    assert sorted(tried) == sorted([failing.id, sound.id]), "what has failed is not tried again at once"
    assert failures(client) == 1
    ((waiting, due),) = client.zrange(keys.PENDING_NOTICES, 0, -1, withscores=True)
    assert waiting.decode().startswith(failing.id)
    client.zadd(keys.PENDING_NOTICES, {waiting: due - 60_000})
    service.jobs.enqueue(service.pending.tasks())
    work()
    assert client.hget(keys.meta(failing.id), "told") == str(failing.view()["version"]).encode()
    assert client.zcard(keys.PENDING_NOTICES) == 0


def test_a_bot_that_does_not_come_to_an_answer_is_ended_and_stood_in_for_in_the_same_job(
    service, client, work, monkeypatch
):
    def brooding(asked, rng):
        while True:
            with contextlib.suppress(Exception):
                while True:
                    pass

    monkeypatch.setitem(BOTS, "random", Bot(brooding))
    monkeypatch.setattr(turns, "GRACE_SECONDS", 1)
    game = bot_first(service, "random")
    version = game.view()["version"]
    work(max_jobs=1)  # one that no alarm ended would brood on after that of the job
    assert game.view()["version"] > version
    assert failures(client) == 0


def test_hints_that_cannot_be_enqueued_are_logged_and_no_more(service, caplog, monkeypatch):
    from redis.exceptions import ConnectionError as Away

    def away(*arguments, **more):
        raise Away("away")

    for one in service.jobs._queues.values():
        monkeypatch.setattr(one, "enqueue_many", away)
    game = bot_first(service, "random")
    assert game.view()["status"] == "active"
    assert "cannot enqueue" in caplog.text


# --- many timeouts at once ---


def test_timeouts_that_are_asked_for_together_share_jobs_and_each_is_carried_out_once(
    service, client, work, log, an_hour_passes
):
    games = [Game.begin(service, clock={"seconds": 3600, "on_timeout": "bot_plays"}) for _ in range(45)]
    an_hour_passes()
    tasks = service.schedule.tasks()
    assert {task.game for task in tasks} == {game.id for game in games}
    service.jobs.enqueue(tasks)
    service.jobs.enqueue(tasks)  # nobody minds
    assert client.llen(f"rq:queue:{TIMEOUTS}") == 6
    work()
    for game in games:
        assert [entry.event.type for entry in log.entries(game.id, 0)].count("seat_timed_out") == 1


def test_a_game_that_cannot_be_timed_out_keeps_the_others_of_its_job_from_nothing(
    service, own_service, client, work, log, an_hour_passes
):
    games = [Game.begin(service, clock={"seconds": 3600, "on_timeout": "forfeit"}) for _ in range(5)]
    client.hset(keys.meta(games[2].id), "secret", "no secret")
    an_hour_passes()
    service.jobs.enqueue(service.schedule.tasks())
    assert client.llen(f"rq:queue:{TIMEOUTS}") == 1
    work()
    assert failures(client) == 1, "operators see that something was wrong"
    assert Measured(own_service.survey.state().measured).count("jobs_failed", job="time_out") == 1
    for game in (*games[:2], *games[3:]):
        assert [entry.event.type for entry in log.entries(game.id, 0)].count("seat_left") == 1


def test_a_job_ends_only_after_all_of_its_games():
    failed, ended = threading.Event(), []

    def work(game, version):
        if game == "fails":
            failed.set()
            raise LookupError
        failed.wait()
        time.sleep(0.1)
        ended.append(True)

    with pytest.raises(LookupError):
        jobs_module._at_once(work, [("fails", 1), ("goes on", 1)])
    assert ended


def test_a_worker_says_that_it_lives_now_and_then_and_not_with_every_job(service, client, work, monkeypatch):
    said = []
    heartbeat = SimpleWorker.heartbeat

    def noted(self, timeout=None, pipeline=None):
        said.append(pipeline)
        heartbeat(self, timeout, pipeline)

    monkeypatch.setattr(SimpleWorker, "heartbeat", noted)
    service.jobs.enqueue([Task("bots", f"g{i}", 1) for i in range(20)])
    began = time.monotonic()
    work()
    assert client.llen(f"rq:queue:{TURNS}") == 0
    assert 1 <= sum(pipeline is None for pipeline in said) <= 1 + (time.monotonic() - began) / HEARTBEAT_SECONDS
