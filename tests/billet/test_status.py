"""What `billet status` says of an installation, and with which exit status."""

import random
import subprocess
from dataclasses import replace

import pytest

from billet.status import faults, lines, quantile
from service import Settings, build
from service.jobs.queue import Waiting
from service.metrics.memory import Memory
from service.metrics.reporting import Reporting
from service.metrics.survey import Standing
from tests.installation import Installation
from tests.service.at_table import Game

NOWHERE = "redis://127.0.0.1:1/0"
WELL = Standing(
    redis=True,
    queue_redis=True,
    processes={"api": 1, "worker": 2},
    queues={"timeouts": Waiting(0, 0.0), "turns": Waiting(3, 0.25), "unattended": Waiting(900, 300.0)},
    active={"standard": 4, "classic": 0, "premium": 0, "lovecraft": 0},
    overdue=0,
    measured=(),
)


def status(**environment):
    """Runs the command."""
    command = [*Installation.command("status")]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={"PATH": "/usr/bin:/bin", **environment}
    )


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
        yield


def test_all_is_well(living, redis_url):
    done = status(REDIS_URL=redis_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("all is well\n")
    assert rows(done.stdout, "processes") == [["api", "1"], ["worker", "1"]]
    assert ["timeouts", "0", "0.0", "ms"] in rows(done.stdout, "queue")
    games = {row[0]: row[1:] for row in rows(done.stdout, "games  ")}
    assert games["classic"][:3] == ["1", "0", "2"]
    assert games["premium"][:2] == ["0", "1"]
    ((edition, bot, turns, *times),) = rows(done.stdout, "bot turns")
    assert (edition, bot) == ("premium", "cautious")
    assert int(turns) >= 1
    assert len(times) == 8


@pytest.mark.parametrize(("used", "warns"), [(79, False), (80, True), (100, True)])
def test_a_redis_that_is_nearly_full_is_told_of(used, warns):
    standing = replace(WELL, memory=Memory(used * 2**20, 100 * 2**20))
    said = "\n".join(lines(standing))
    assert (f"Redis uses {used} % of its maxmemory" in said) == warns
    assert f"memory of Redis: {used} MB of 100 MB" in said


def test_a_redis_without_a_bound_is_never_full():
    assert not faults(replace(WELL, memory=Memory(2**40, 0)))


def test_without_processes_it_says_so(redis_url):
    done = status(REDIS_URL=redis_url)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("NOT WELL: no API process is alive; no worker is alive\n")


def test_a_redis_that_does_not_answer_is_said_and_no_redis_at_all_too(tmp_path):
    done = status(REDIS_URL=NOWHERE)
    assert (done.returncode, done.stderr) == (1, "")
    said = "NOT WELL: the Redis of the games does not answer; the Redis of the queues does not answer\n"
    assert done.stdout == said
    done = status(DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("billet: no Redis to use")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"redis": False}, "the Redis of the games does not answer"),
        ({"queue_redis": False, "queues": {}}, "the Redis of the queues does not answer"),
        ({"processes": {"api": 0, "worker": 1}}, "no API process is alive"),
        ({"processes": {"api": 1, "worker": 0}}, "no worker is alive"),
        ({"overdue": 2}, "overdue games: 2"),
        ({"queues": {"turns": Waiting(9, 12.4)}}, "a job waits in the queue turns for 12 s"),
    ],
)
def test_each_fault_is_a_sentence(changes, fault):
    assert faults(WELL) == []
    standing = Standing(**{name: getattr(WELL, name) for name in Standing.__slots__} | changes)
    assert faults(standing) == [fault]
    assert next(lines(standing)) == f"NOT WELL: {fault}"


def test_a_quantile_is_on_the_line_between_two_bounds():
    buckets = {0.0: 0, 0.1: 0, 0.2: 10, 0.4: 20, 1.0: 20, float("inf"): 20}
    assert quantile(buckets, 0.5) == pytest.approx(0.2)
    assert quantile(buckets, 0.25) == pytest.approx(0.15)
    assert quantile(buckets, 0.99) == pytest.approx(0.396)


def test_a_quantile_above_all_bounds_is_the_highest_and_one_of_nothing_none():
    assert quantile({0.0: 0, 1.0: 1, float("inf"): 4}, 0.99) == 1.0
    assert quantile({0.0: 0}, 0.5) == 0.0
    assert quantile({0.0: 0, 1.0: 0, float("inf"): 0}, 0.5) == 0.0
