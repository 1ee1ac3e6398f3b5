"""Whoever can write to the Redis of the queues has a worker run nothing but what Billet asks of it (decision 024)."""

import json
import os
import pickle
import time
import zlib
from pathlib import Path

import pytest
import rq.job
import rq.webhook
from rq.command import send_kill_horse_command, send_shutdown_command, send_stop_job_command
from rq.suspension import suspend
from rq.worker import Worker

from service.jobs.form import KINDS, TURNS, OwnQueue, job_of
from service.jobs.schedule import Task
from tests.service.at_table import Game
from tools.testbed.waiting import wait_until

MARK = "tests.workers.test_hostile_jobs.mark"
TIME_OUT, PLAY = "workers.jobs.time_out", "workers.jobs.play_bots"
GAME = "no-such-game"
BOMB = zlib.compress(bytes(50_000_000))
BEFORE = 1_000_000_000
"""A time long ago, in seconds since 1970."""


def mark(*_, **__):
    """Shows that code has run, also in another process."""
    Path(os.environ["MARK"]).touch()


class Pickled:
    """Runs code when it is loaded."""

    def __reduce__(self):
        return mark, ()


def call(function, instance=None, arguments=((GAME, 1),), named=None):
    """Returns the data of a job."""
    return {"data": zlib.compress(json.dumps([function, instance, arguments, named or {}]).encode())}


def meta(value):
    return {"meta": json.dumps(value)}


SHELL = "touch $MARK"
PROGRAM = "import os, pathlib; pathlib.Path(os.environ['MARK']).touch()"
HOOK = {"url": "http://127.0.0.1:1/", "method": "POST"}
FIELDS = {
    "a_shell": call("os.system", None, [SHELL]),
    "a_function_without_arguments": call("os.getcwd", None, []),
    "exec": call("builtins.exec", None, [PROGRAM]),
    "eval": call("builtins.eval", None, [f"exec({PROGRAM!r})"]),
    "a_process": call("subprocess.run", None, [["sh", "-c", SHELL]]),
    "a_function_of_another_module": call(MARK),
    "a_function_that_ours_import": call("workers.jobs.service", None, []),
    "what_builds_the_service": call("workers.runtime.service", None, []),
    "another_worker": call("workers.main.run", None, []),
    "what_a_job_wraps": call(f"{PLAY}.__wrapped__", None, []),
    "a_class": call("workers.jobs.Failed"),
    "a_module_of_ours_in_ours": call("workers.jobs.logging.getLogger", None, []),
    "our_name_and_more": call(f"{TIME_OUT} "),
    "a_method_of_a_text": call("format", "{0.__class__}"),
    "a_method_of_a_list": call("append", [1]),
    "our_function_of_an_instance": call(TIME_OUT, "text"),
    "no_function": call(None),
    "a_number_as_function": call(7),
    "a_list_as_function": call([TIME_OUT]),
    "an_empty_function": call(""),
    "named_arguments": call(TIME_OUT, None, [[GAME, 1]], {"game": "x"}),
    "no_game": call(TIME_OUT, None, []),
    "too_many_games": call(TIME_OUT, None, [[GAME, 1]] * 21),
    "a_game_where_none_may_be": call(PLAY, None, [[GAME, 1]]),
    "a_game_that_names_another_key": call(TIME_OUT, None, [["x}:secret{", 1]]),
    "a_game_that_breaks_the_line_of_a_log": call(TIME_OUT, None, [["x\nERROR", 1]]),
    "a_number_as_game": call(TIME_OUT, None, [[7, 1]]),
    "a_list_as_game": call(TIME_OUT, None, [[["game"], 1]]),
    "a_game_without_a_version": call(TIME_OUT, None, [GAME]),
    "a_text_as_version": call(TIME_OUT, None, [[GAME, "1"]]),
    "more_than_a_version": call(TIME_OUT, None, [[GAME, 1, 1]]),
    "arguments_as_an_object": call(TIME_OUT, None, {"game": 1}),
    "no_json": {"data": zlib.compress(b"[")},
    "an_object": {"data": zlib.compress(b"{}")},
    "a_pickle": {"data": zlib.compress(pickle.dumps(Pickled()))},
    "a_pickle_as_it_is": {"data": pickle.dumps(Pickled())},
    "a_bomb": {"data": BOMB},
    "deep_json": {"data": zlib.compress(b"[" * 4000)},
    "nothing": {"data": b""},
    "on_success": {"success_callback_name": MARK},
    "on_failure": {"failure_callback_name": MARK, **call("no.such.function")},
    "on_stopped": {"stopped_callback_name": MARK},
    "a_webhook_at_the_end": {"webhooks": json.dumps([HOOK | {"job_status": "finished"}])},
    "a_webhook_for_failures": {"webhooks": json.dumps([HOOK | {"job_status": "failed"}]), **call(MARK)},
    "a_retry": {"retries_left": 3, "retry_intervals": "[0]"},
    "a_repeat": {"repeats_left": 3, "repeat_intervals": "[0]"},
    "a_dependency": {"dependency_ids": '["another"]'},
    "an_old_dependency": {"dependency_id": "another"},
    "a_group": {"group_id": "group"},
    "a_pickled_meta": {"meta": pickle.dumps(Pickled())},
    "more_meta": meta({"request": "-", "more": 1}),
    "no_request": meta({}),
    "a_request_that_breaks_the_line_of_a_log": meta({"request": "x\nERROR"}),
    "a_list_as_meta": meta(["request"]),
    "a_pickled_result": {"result": pickle.dumps(Pickled())},
    "a_bomb_as_error": {"exc_info": BOMB},
    "no_time_limit": {"timeout": -1},
    "a_result_that_stays": {"result_ttl": -1},
    "a_failure_that_stays": {"failure_ttl": -1},
    "an_unknown_state": {"status": "no state"},
    "another_queue": {"origin": "another"},
    "a_time_that_is_none": {"created_at": "never"},
    "a_serializer": {"serializer": "pickle"},
}
"""What a hostile job has in place of the fields of a good one."""


def hostile(client, job="hostile", **fields):
    """Stores a job that runs `mark` when it can, and returns its id."""
    good(client, job, enqueued=False)
    client.hset(f"rq:job:{job}", mapping=fields or {"failure_callback_name": MARK, **call(MARK)})
    return job


def good(client, job, *, enqueued=True):
    """Stores a good job of a game that there is not, and returns its id."""
    OwnQueue(TURNS, client, serializer="json").enqueue_many([job_of([Task("time_out", GAME, 1)])._replace(job_id=job)])
    if not enqueued:
        client.lpop("rq:queue:turns")
    return job


def in_line(client):
    client.hset("billet:{lines}turns:places", "x}:{", "a p")
    client.zadd("billet:{lines}turns:line:a:p", {"x}:{": 1})
    client.zadd("billet:{lines}turns:players:a", {"p": 1})
    client.zadd("billet:{lines}turns:turns", {"a": 1})


KEYS = {
    "a_list_as_job": lambda client: (client.rpush("rq:job:list", "x"), client.rpush("rq:queue:turns", "list")),
    "a_strange_id": lambda client: client.rpush("rq:queue:turns", "../x y\nERROR"),
    "an_id_of_bytes": lambda client: client.rpush("rq:queue:turns", b"\xff\xfe"),
    "an_execution_as_id": lambda client: client.rpush("rq:queue:turns", f"{hostile(client)}:execution"),
    "what_depends_on_a_good_job": lambda client: client.sadd(
        f"rq:job:{good(client, 'good')}:dependents", hostile(client)
    ),
    "what_depends_on_a_good_job_and_is_ours": lambda client: client.sadd(
        f"rq:job:{good(client, 'good')}:dependents", good(client, "other", enqueued=False)
    ),
    "an_abandoned_job": lambda client: client.zadd("rq:wip:turns", {f"{hostile(client)}:execution": BEFORE}),
    "a_job_between_two_queues": lambda client: (
        client.rpush("rq:queue:turns:intermediate", hostile(client)),
        client.set("rq:queue:turns:intermediate:first_seen:hostile", BEFORE),
    ),
    "a_failed_job": lambda client: client.zadd("rq:failed:turns", {hostile(client): BEFORE}),
    "a_finished_job": lambda client: client.zadd("rq:finished:turns", {hostile(client): BEFORE}),
    "a_deferred_job": lambda client: client.zadd("rq:deferred:turns", {hostile(client): BEFORE}),
    "a_scheduled_job": lambda client: client.zadd("rq:scheduled:turns", {hostile(client): BEFORE}),
    "a_job_of_a_group": lambda client: (client.sadd("rq:groups", "g"), client.sadd("rq:group:g", hostile(client))),
    "an_execution_that_is_none": lambda client: client.zadd(
        f"rq:executions:{good(client, 'good')}", {"none": time.time() + 600}
    ),
    "a_registry_of_another_type": lambda client: client.set("rq:finished:turns", "x"),
    "a_group_of_another_type": lambda client: client.set("rq:groups", "x"),
    "workers_that_are_none": lambda client: client.sadd("rq:workers:turns", "rq:worker:x", MARK),
    "no_work_for_now": suspend,
    "a_game_in_line_that_is_none": in_line,
}
"""What else RQ or Billet reads in the Redis of the queues."""


@pytest.fixture
def resolved(monkeypatch, tmp_path):
    """Checks that no code has run, and returns the names that RQ resolves."""
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    monkeypatch.setattr(rq.webhook, "urlopen", mark)
    names = []
    resolve = rq.job.import_attribute
    monkeypatch.setattr(rq.job, "import_attribute", lambda name: (names.append(name), resolve(name))[1])
    yield names
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("way", [*FIELDS, *KEYS])
def test_no_hostile_job_runs_and_good_ones_go_on(service, client, work, resolved, caplog, way):
    if way in FIELDS:
        client.rpush("rq:queue:turns", hostile(client, **FIELDS[way]))
    else:
        KEYS[way](client)
    assert service.jobs.waiting()[TURNS].jobs == client.llen("rq:queue:turns"), "operators see it"
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    for _ in range(2):  # as in a process, where another worker of RQ follows one that a broken queue has ended
        work()
    assert game.to_act() in (0, None)
    assert set(resolved) <= {kind.function for kind in KINDS.values()}
    if way in FIELDS:
        assert "refused the job hostile: it is none of Billet's" in caplog.text
        assert set(resolved) == {PLAY}
    assert "\nERROR" not in caplog.text


def test_a_worker_takes_no_orders_over_redis(service, client, start_worker):
    """It goes on with games whatever is published where RQ's workers listen."""
    worker = start_worker()
    wait_until(lambda: Worker.all(client))
    [listed] = Worker.all(client)
    send_shutdown_command(client, listed.name)
    send_kill_horse_command(client, listed.name)
    good(client, "good", enqueued=False)
    client.hset("rq:job:good", mapping={"worker_name": listed.name, "status": "started"})
    send_stop_job_command(client, "good", serializer="json")
    assert client.pubsub_channels("rq:*") == [], "there is none who could hear it"
    game = Game.open(service, "random", "random")
    wait_until(lambda: game.view()["status"] == "finished")
    assert not worker.ended
