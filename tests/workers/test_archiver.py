"""Archiving beside the jobs: in small parts, again after what failed, and by workers that are not there to be quick."""

import random
import signal
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine.state import FINISHED
from games.errors import Unavailable
from games.tables.lifetimes import DAY_MS
from games.times import text_of
from service import build
from service.inputs.clock import now_ms
from service.jobs.form import QUICK_QUEUES
from service.jobs.notifier import Notifier
from service.store import keys
from service.store.redis.condition import Condition
from service.upkeep import packing
from service.upkeep.packing import QUIET_MS
from tests.service.at_table import Game
from tests.service.still_clock import still_clock
from tests.service.store.buckets import running
from tests.service.stored import read_log, rewrite_game
from tests.service.upkeep.archived import made
from tools.testbed.waiting import wait_until
from workers import archiver, main
from workers.archiver import archive

TWO_DAYS_MS = 2 * 24 * 3600 * 1000


@pytest.fixture
def settings(settings, tmp_path):
    return replace(settings, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1)


@pytest.fixture
def archiving(monkeypatch):
    """Archives in threads of this process until the test is over."""
    monkeypatch.setattr(archiver, "PAUSE_SECONDS", 0.05)
    stop, threads = threading.Event(), []

    def begin(service):
        thread = threading.Thread(target=archive, args=(service, stop))
        thread.start()
        threads.append(thread)
        return thread

    yield begin
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


class Stop:
    """Stops an archiver at its first pause, a later one, or after so many rests; lets it neither pause nor rest."""

    def __init__(self, most=10**6, pauses=1):
        self.most, self.pauses, self.rests = most, pauses, []

    def is_set(self):
        return len(self.rests) >= self.most or self.rests.count(archiver.PAUSE_SECONDS) >= self.pauses

    def wait(self, seconds):
        self.rests.append(seconds)
        return False


def old_games(service, client, number):
    """Returns games that were called off two days ago."""
    games = [Game.open(service, "creator", "open") for _ in range(number)]
    for game in games:
        service.administration.abort(game.id)
        client.zincrby(keys.ENDED, -TWO_DAYS_MS, game.id)
    return games


def in_redis(client, games):
    return [game.id for game in games if client.exists(keys.log(game.id), keys.packed(game.id))]


def in_redis_and_due(client, games):
    """As `in_redis`; lets those be tried again at once for which a slow machine's bucket took too long."""
    found = in_redis(client, games)
    if found:
        client.zadd(keys.ENDED, {game: now_ms() - TWO_DAYS_MS for game in found}, xx=True)
    return found


def test_it_pauses_only_when_nothing_is_left(service, settings, client, monkeypatch):
    old = old_games(service, client, 25)  # it claims ten at once
    archive(build(settings), Stop())
    assert in_redis(client, old) == []
    for game in (recent := old_games(service, client, 3)):
        client.zincrby(keys.ENDED, TWO_DAYS_MS - QUIET_MS, game.id)
    monkeypatch.setattr(packing, "AT_ONCE", 1)
    archive(build(settings), Stop())
    assert [client.exists(keys.packed(game.id)) for game in recent] == [1, 1, 1]


def test_it_is_tried_again_after_a_pause_when_something_failed(service, settings, client, monkeypatch, caplog):
    (game,) = old_games(service, client, 1)
    own = build(settings)
    failures = [Unavailable("away"), RuntimeError("out of order")]
    claim = type(own.retention).claim

    def failing(self):
        if failures:
            raise failures.pop()
        return claim(self)

    monkeypatch.setattr(type(own.retention), "claim", failing)
    for left in (1, 0):
        archive(own, Stop())
        assert len(failures) == left
        assert in_redis(client, [game])
    archive(own, Stop())
    assert not in_redis(client, [game])
    assert "archiving failed" in caplog.text
    assert "Redis is unreachable" in caplog.text


def test_after_a_failure_of_the_archive_the_others_wait(service, settings, client, archiving, monkeypatch):
    games, tried = old_games(service, client, 5), []
    own = build(settings)
    monkeypatch.setattr(type(own.retention), "archive", lambda self, game: tried.append(game) or "failed")
    monkeypatch.setattr(type(own.retention), "fault", lambda self: "away")
    archiving(own)
    wait_until(lambda: tried)
    time.sleep(0.3)
    assert len(tried) == 1, "the rest were taken on with it and come up again later"
    assert len(in_redis(client, games)) == 5


def test_a_damaged_game_does_not_keep_the_others_in_redis(service, settings, client, archiving):
    games = old_games(service, client, 5)
    first = min(games, key=lambda game: client.zscore(keys.ENDED, game.id))
    client.xdel(keys.log(first.id), "1-0")
    archiving(build(settings))
    wait_until(lambda: in_redis(client, games) == [first.id])


def test_it_rests_longer_than_it_works(service, settings, client, monkeypatch):
    old_games(service, client, 3)

    monkeypatch.setattr(archiver, "LEAST_REST_SECONDS", 0.0)
    stop, own = Stop(3), build(settings)
    begun = time.thread_time()
    archive(own, stop)
    used = time.thread_time() - begun
    assert used < sum(stop.rests) <= 9 * used


def test_workers_that_are_there_to_be_quick_do_not_archive(settings, monkeypatch):
    begun, settled = [], []
    monkeypatch.setattr(main, "archive", lambda service, stop: begun.append(service))
    monkeypatch.setattr(Notifier, "settle", lambda self: settled.append(self))
    monkeypatch.setattr(main, "sweep", lambda service, stop: stop.wait())
    monkeypatch.setattr(main, "say_where_it_ended", lambda: None)
    monkeypatch.setattr(main, "configure", lambda level, form: None)
    monkeypatch.setattr(main.signal, "signal", lambda number, handler: None)
    idle = SimpleNamespace(work=lambda **options: None, asked_to_stop=True)
    monkeypatch.setattr(main, "WarmWorker", lambda *arguments, **options: idle)
    main.run(settings, QUICK_QUEUES)
    assert not begun
    assert len(settled) == 1, "players are told before the process ends"
    main.run(settings)
    wait_until(lambda: begun)
    assert len(begun) == 1


def test_a_worker_archives_in_a_bucket_while_games_are_played(service, settings, client, start_worker):
    with running() as buckets:
        url = buckets.url("archive/of games")
        old = old_games(service, client, 5)
        in_bucket = build(replace(settings, archive_url=url))
        logs = {game.id: service.games.log(None, game.id) for game in old}
        worker = start_worker(RETAIN_FINISHED_DAYS="1", ARCHIVE_URL=url)
        game = Game.open(service, "random", "cautious")
        wait_until(lambda: not in_redis_and_due(client, old) and game.view()["status"] == FINISHED)
        assert {game.id: in_bucket.games.log(None, game.id) for game in old} == logs
        assert worker.end() == 0


def test_a_redis_that_is_nearly_full_is_warned_of_now_and_then(service, client, caplog):
    client.config_set("maxmemory", int(client.info("memory")["used_memory"] * 1.1))
    try:
        archive(service, Stop(pauses=3))
        assert "of its maxmemory" in caplog.text
        assert [one.name for one in caplog.records].count(archiver.__name__) == 1
    finally:
        client.config_set("maxmemory", 0)


def test_of_a_cluster_each_node_is_warned_of_unless_it_is_away_and_each_clock_counts(
    service, client, monkeypatch, caplog
):
    game = Game.open(service, "creator", "open")
    make_old(client, game.id, now_ms() - 60 * DAY_MS)
    let_all_expire(client)
    nodes = [
        Condition("here:1", {"nearly_full": "uses much of its maxmemory"}),
        Condition("there:2", {"away": "does not answer"}),
        Condition("elsewhere:3", ahead_ms=-3_600_000),
    ]
    monkeypatch.setattr(archiver, "check", lambda redis_client: nodes)
    archive(service, Stop())
    assert "Redis at here:1 uses much of its maxmemory" in caplog.text
    assert "does not answer" not in caplog.text, "what fails for it says so"
    assert client.hget(keys.meta(game.id), "status") == b"open"


def test_a_redis_whose_memory_is_full_gets_room(service, settings, client, archiving):
    game = Game.begin(service)
    service.administration.abort(game.id)
    service.notifier.settle()
    make_old(client, game.id, now_ms() - 60 * DAY_MS)
    client.zincrby(keys.ENDED, -QUIET_MS, game.id)
    client.zadd(keys.EXPIRING, {game.id: 1})
    client.config_set("maxmemory", 1)
    try:
        own = build(settings)
        assert not archiver._pack_some(own, threading.Event()), "it waits before it tries again"
        archiving(own)
        wait_until(lambda: not client.exists(keys.meta(game.id)))
    finally:
        client.config_set("maxmemory", 0)


def test_what_expires_goes_though_a_worker_is_killed(service, client, start_worker):
    """The worker is killed as soon as it has done something: another one goes on with what it has left."""
    games = [Game.open(service, "creator", "open") for _ in range(20)]
    bots = [Game.open(service, "random", "random") for _ in range(5)]
    for game in bots:
        game.play(random.Random(1))
    ids = [game.id for game in (*games, *bots)]
    service.notifier.settle()

    def stand():
        return [client.hget(keys.meta(game), "status") for game in ids]

    def all_over():
        return all(status in (None, b"aborted") for status in stand())

    long_ago = now_ms() - 60 * DAY_MS
    for game in ids:
        make_old(client, game, long_ago)
    before = stand()
    let_all_expire(client)
    worker = start_worker()
    wait_until(lambda: stand() != before)
    worker.end(signal.SIGKILL)
    let_all_expire(client)  # as when the lease of who was killed has ended
    worker = start_worker()
    wait_until(all_over)
    assert not any(client.hget(keys.meta(game.id), "status") for game in bots)
    for game in games:
        types = [event["type"] for event in game.events()]
        assert types[-2:] == ["game_aborted", "secret_revealed"]
        assert types.count("game_aborted") == 1
    assert worker.end() == 0


@pytest.mark.parametrize(("seconds", "status"), [(30, b"aborted"), (3600, b"open")])
def test_a_worker_whose_clock_is_far_ahead_expires_nothing(
    service, settings, client, monkeypatch, caplog, seconds, status
):
    game = Game.open(service, "creator", "open")
    make_old(client, game.id, now_ms() - 60 * DAY_MS)
    let_all_expire(client)
    still_clock(monkeypatch).ms = now_ms() + seconds * 1000
    archive(build(settings), Stop())
    assert client.hget(keys.meta(game.id), "status") == status
    assert "keep clocks in sync" in caplog.text


def let_all_expire(client):
    for game in client.zrange(keys.EXPIRING, 0, -1):
        client.zadd(keys.EXPIRING, {game: 1})


def make_old(client, game, ms):
    """Lets the log of a game be from long ago."""
    rewrite_game(client, game, [event | {"at": text_of(ms)} for event in read_log(client, game)])
