"""What `billet status` says of an installation, and with which exit status."""

import json
import os
import random
import signal
import time
from dataclasses import replace
from importlib.metadata import version

import pytest
import redis

from api.metrics.exposition import Exposition
from billet import cli, data_lock
from billet.errors import StartError
from billet.redis.choice import require_safe
from billet.redis.embedded import EmbeddedRedis
from billet.status import as_data, faults, lines, quantile
from service import Settings, build
from service.jobs.queue import Waiting
from service.metrics import latest
from service.metrics.reporting import Reporting
from service.metrics.survey import InstallationState
from service.store import keys
from service.store.metrics.counts import GameCounts
from service.store.redis.client import connect
from service.store.redis.condition import Condition
from tests.service.at_table import Game
from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until

NOWHERE = "redis://127.0.0.1:1/0"
PATIENT_SECONDS = 60.0
"""How long a Redis is waited for that nobody should wait for: longer than a busy machine takes for anything else."""
WELL = InstallationState(
    redis=True,
    queue_redis=True,
    processes={"api": 1, "worker": 2, "quick_worker": 1},
    queues={"timeouts": Waiting(0, 0.0), "turns": Waiting(3, 0.25), "unattended": Waiting(900, 300.0)},
    games=GameCounts({"standard": 4, "classic": 0, "premium": 0, "lovecraft": 0}),
)


def scraped(redis_url):
    return Exposition().scrape(build(Settings(redis_url=redis_url)).survey).decode()


@pytest.fixture
def here(monkeypatch, capsys):
    """Runs a command in this process and returns its exit status and what it has said."""

    def here(*words, **environment):
        for name in ("REDIS_URL", "DATA_DIR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        status = cli.main([*words])
        return status, *capsys.readouterr()

    return here


@pytest.fixture
def client_without_a_log(redis_url):
    """The address of a Redis that keeps nothing on its disk."""
    with redis.Redis.from_url(redis_url) as client:
        client.config_set("appendonly", "no")
        yield redis_url
        client.config_set("appendonly", "yes")
        wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])


def rows(said, head):
    """The rows of the table that begins with a word, as words."""
    found = [line.split() for line in said.split(f"\n{head} ", 1)[1].splitlines()[1:]]
    return found[: found.index([])] if [] in found else found


@pytest.fixture
def living(redis_url):
    """A process of each kind that lives, and a game that has been played."""
    api, worker = (build(Settings(redis_url=redis_url)) for _ in range(2))
    with Reporting(api.totals, "api"), Reporting(worker.totals, "worker"):
        Game.begin(api, edition="classic")
        Game.open(api, "creator", "cautious", edition="premium").play(random.Random(1))
        for process in (api, worker):
            process.totals.report()
        with redis.Redis.from_url(redis_url) as client:
            client.delete(*client.keys("rq:*"))  # jobs that no worker takes are a fault before long
        yield


def test_all_is_well(living, redis_url, here):
    status, out, err = here("status", REDIS_URL=redis_url)
    assert (status, err) == (0, "")
    assert out.startswith("all is well\n")
    assert rows(out, "processes") == [["api", "1"], ["worker", "1"], ["quick_worker", "0"]]
    assert "last backup: never" in out
    assert ["timeouts", "0", "0.0", "ms"] in rows(out, "queue")
    games = {row[0]: row[1:] for row in rows(out, "games  ")}
    assert games["classic"][:4] == ["1", "0", "0", "2"]
    assert games["premium"][:3] == ["0", "0", "1"]
    ((edition, bot, turns, *times),) = rows(out, "bot turns")
    assert (edition, bot) == ("premium", "cautious")
    assert int(turns) >= 1
    assert len(times) == 8


def test_the_same_for_programs(living, redis_url, monkeypatch, capsys):
    monkeypatch.setenv("REDIS_URL", redis_url)
    assert cli.main(["status", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["faults"] == []
    assert said["processes"] == {"api": 1, "worker": 1, "quick_worker": 0}
    assert (said["stand_ins"], said["failed_jobs"], said["backed_up"]) == (0, 0, None)
    assert said["queues"]["timeouts"] == {"jobs": 0, "oldest_seconds": 0}
    assert (said["games"]["classic"]["active"], said["games"]["premium"]["games_ended"]) == (1, 1)
    turns = said["games"]["premium"]["bots"]["cautious"]["turns"]
    assert turns["number"] >= 1
    assert 0 < turns["median"] <= turns["p99"]
    monkeypatch.setenv("REDIS_URL", NOWHERE)
    assert cli.main(["status", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["faults"] == list(
        faults(build(Settings(redis_url=NOWHERE)).survey.state())
    )


def test_the_metrics_count_processes_by_version(living, redis_url):
    metrics = scraped(redis_url)
    assert f'billet_build_info{{version="{version("billet-server")}"}} 3.0' in metrics


def test_the_memory_is_that_of_the_node_with_the_least_room():
    store = [Condition("one:1", {}, 2**30, 2**40), Condition("two:1", {}, 50 * 2**20, 100 * 2**20)]
    assert "memory of Redis: 50 MB of 100 MB" in lines(as_data(replace(WELL, store=store)))
    assert "memory of Redis: 5 MB, without a bound" in lines(as_data(replace(WELL, store=[Condition(used=5 * 2**20)])))


def test_processes_that_cannot_report_are_not_called_dead():
    store = [Condition("", {"full": "is full"})]
    assert faults(replace(WELL, store=store, processes={"api": 0, "worker": 0})) == ["the Redis of the games is full"]


def test_a_fault_of_a_node_names_the_node():
    store = [Condition("one:1"), Condition("two:1", {"read_only": "is read-only: it is a replica"})]
    assert faults(replace(WELL, store=store)) == ["the node two:1 is read-only: it is a replica"]


@pytest.mark.parametrize(
    ("spoil", "heal", "says", "fault"),
    [
        (("maxmemory", 1), ("maxmemory", 0), "the Redis of the games is full and takes no writes", "full"),
        (
            ("min-replicas-to-write", 1),
            ("min-replicas-to-write", 0),
            "the Redis of the games is read-only",
            "read_only",
        ),
        (
            ("maxmemory-policy", "allkeys-lru"),
            ("maxmemory-policy", "noeviction"),
            "the Redis of the games deletes games when its memory runs out",
            "evicts",
        ),
    ],
)
def test_a_redis_that_answers_and_does_not_do_is_not_called_away(living, redis_url, here, spoil, heal, says, fault):
    with redis.Redis.from_url(redis_url) as client:
        client.config_set(*spoil)
        try:
            status, out, err = here("status", REDIS_URL=redis_url)
            metrics = scraped(redis_url)
        finally:
            client.config_set(*heal)
    assert (status, err) == (1, "")
    assert out.startswith(f"NOT WELL: {says}")
    assert "does not answer" not in out
    assert "no API process" not in out
    assert 'billet_redis_up{keeps="games"} 1.0' in metrics
    assert f'billet_redis_faults{{fault="{fault}",keeps="games"}} 1.0' in metrics
    assert 'billet_redis_faults{fault="away",keeps="games"} 0.0' in metrics


@pytest.mark.parametrize("words", [("worker",), ("api",), ("serve",)], ids=" ".join)
def test_what_may_lose_games_stops_the_start(redis_url, here, words):
    with redis.Redis.from_url(redis_url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            status, out, err = here(*words, REDIS_URL=redis_url, PORT=str(free_port()))
        finally:
            client.config_set("maxmemory-policy", "noeviction")
    assert (status, out) == (2, "")
    assert "deletes games when its memory runs out (maxmemory-policy allkeys-lru)" in err
    assert "UNSAFE_REDIS=1 starts all the same" in err


def test_a_backup_that_is_restored_in_part_stops_the_start(redis_url, here):
    with redis.Redis.from_url(redis_url) as client:
        client.set(keys.RESTORING, "digest")
    for part in ("worker", "api", "serve"):
        status, out, err = here(part, REDIS_URL=redis_url, PORT=str(free_port()))
        assert (status, out) == (2, "")
        assert err.endswith("holds only a part of a backup: repeat `billet restore` with the same file\n")


def test_one_may_insist_on_a_redis_that_may_lose_games(client_without_a_log, capsys):
    require_safe(Settings(redis_url=client_without_a_log, unsafe_redis=1))
    assert "loses games when it stops (appendonly no)" in capsys.readouterr().err
    with pytest.raises(StartError, match="loses games when it stops"):
        require_safe(Settings(redis_url=client_without_a_log))


def test_an_export_from_a_redis_that_may_have_lost_games_says_so(client_without_a_log, here):
    status, out, err = here("export", REDIS_URL=client_without_a_log)
    assert (status, out) == (1, "")
    assert "games: 0 written, 0 damaged\nbillet: the Redis loses games when it stops" in err


def test_without_processes_it_says_so(redis_url, here):
    status, out, err = here("status", REDIS_URL=redis_url)
    assert (status, err) == (1, "")
    assert out.startswith("NOT WELL: no API process is alive; no worker is alive\n")


def test_a_redis_that_does_not_answer_is_said_and_no_redis_at_all_too(tmp_path, here):
    said = "NOT WELL: the Redis of the games does not answer; the Redis of the queues does not answer\n"
    assert here("status", REDIS_URL=NOWHERE) == (1, said, "")
    status, out, err = here("status", DATA_DIR=str(tmp_path))
    assert (status, out) == (2, "")
    assert err.startswith("billet: no Redis to use")


def test_an_embedded_redis_that_is_frozen_is_said_not_to_answer(tmp_path, here, monkeypatch):
    monkeypatch.setattr(latest, "patience_seconds", 0.1)
    monkeypatch.setattr(data_lock, "PATIENCE", 0.1)
    server = EmbeddedRedis(tmp_path)
    with data_lock.locked(tmp_path):
        pid = server.start()
        os.kill(pid, signal.SIGSTOP)
        try:
            with monkeypatch.context() as patient:
                patient.setitem(connect.__kwdefaults__, "answer_seconds", PATIENT_SECONDS)
                begun = time.monotonic()
                status, out, _ = here("status", DATA_DIR=str(tmp_path))
                assert (status, out.startswith("NOT WELL: the Redis of the games does not answer")) == (1, True)
                assert here("health", "worker", DATA_DIR=str(tmp_path)) == (1, "worker: no answer\n", "")
                assert time.monotonic() - begun < PATIENT_SECONDS, "nobody has waited for it"
            status, _, err = here("backup", str(tmp_path / "games.billet"), DATA_DIR=str(tmp_path))
            assert (status, err.startswith(f"billet: no Redis answers at {server.url}")) == (2, True)
        finally:
            os.kill(pid, signal.SIGCONT)
            server.stop()


@pytest.mark.parametrize("words", [("rebuild",), ("export",), ("admin", "players", "a")])
def test_a_command_says_in_one_line_that_no_redis_answers(here, words):
    assert here(*words, REDIS_URL=NOWHERE) == (
        2,
        "",
        "billet: no Redis answers at redis://127.0.0.1:1/0: Connection refused\n",
    )


@pytest.mark.parametrize("words", [("rebuild",), ("admin", "abort", "")])
def test_a_command_says_in_one_line_that_redis_takes_no_writes(redis_url, here, words):
    game = Game.begin(build(Settings(redis_url=redis_url)), 2, clock={"seconds": 60, "on_timeout": "forfeit"})
    words = [word or game.id for word in words]
    with redis.Redis.from_url(redis_url) as client:
        client.delete(keys.DUE)
        client.config_set("min-replicas-to-write", 1)
        try:
            status, out, err = here(*words, REDIS_URL=redis_url)
        finally:
            client.config_set("min-replicas-to-write", 0)
    assert (status, out) == (2, "")
    said = [line for line in err.splitlines() if "billet.audit" not in line]
    assert said == ["billet: Redis takes no writes: NOREPLICAS Not enough good replicas to write."]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"redis": False}, "the Redis of the games does not answer"),
        ({"queue_redis": False, "queues": {}}, "the Redis of the queues does not answer"),
        ({"processes": {"api": 0, "worker": 1, "quick_worker": 0}}, "no API process is alive"),
        ({"processes": {"api": 1, "worker": 0, "quick_worker": 0}}, "no worker is alive"),
        (
            {"processes": {"api": 1, "worker": 0, "quick_worker": 2}},
            "no worker is alive, only quick ones: the bot `cautious` plays for those that think",
        ),
        ({"games": WELL.games._replace(overdue=2)}, "overdue games: 2"),
        (
            {"games": WELL.games._replace(late_results=2)},
            "games whose results cannot be recorded: 2; the workers' log says why",
        ),
        (
            {"games": WELL.games._replace(late_days=2)},
            "deals of the day that cannot be revealed: 2; the workers' log says why",
        ),
        (
            {"games": WELL.games._replace(late_matches=2)},
            "matches that do not go on: 2; the workers' log says why",
        ),
        ({"games": WELL.games._replace(damaged=2, damaged_one="abc")}, "damaged games: 2, the last one met is abc"),
        (
            {"games": WELL.games._replace(damaged_files=2, damaged_file_of="abc")},
            "damaged or missing files in the archive: 2, the last one met is that of game abc",
        ),
        ({"queues": {"turns": Waiting(9, 12.4)}}, "a job waits in the queue turns for 12 s"),
    ],
)
def test_each_fault_is_a_sentence(changes, fault):
    assert faults(WELL) == []
    state = InstallationState(**{name: getattr(WELL, name) for name in InstallationState.__slots__} | changes)
    assert faults(state) == [fault]
    assert next(lines(as_data(state))) == f"NOT WELL: {fault}"


def test_a_quantile_is_on_the_line_between_two_bounds():
    buckets = {0.0: 0, 0.1: 0, 0.2: 10, 0.4: 20, 1.0: 20, float("inf"): 20}
    assert quantile(buckets, 0.5) == pytest.approx(0.2)
    assert quantile(buckets, 0.25) == pytest.approx(0.15)
    assert quantile(buckets, 0.99) == pytest.approx(0.396)


def test_a_quantile_above_all_bounds_is_the_highest_and_one_of_nothing_none():
    assert quantile({0.0: 0, 1.0: 1, float("inf"): 4}, 0.99) == 1.0
    assert quantile({0.0: 0}, 0.5) == 0.0
    assert quantile({0.0: 0, 1.0: 0, float("inf"): 0}, 0.5) == 0.0
