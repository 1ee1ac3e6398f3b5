"""What is answered when Redis is away, is full, may not write or is not ready: `Unavailable`, and nothing half done."""

import random

import limits
import pytest
import redis

from billet.redis import embedded as embedded_redis
from billet.redis.embedded import EmbeddedRedis
from engine.logs.codec import read_action
from games.errors import Refused, StoreFull, StoreReadOnly, Unavailable
from service import Settings, build
from service.jobs.schedule import Task
from service.metrics import health
from service.store import keys
from service.store.limits.counting import RateLimiter, count
from service.store.redis.client import RedisClient, connect
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.still_clock import still_clock
from tests.service.store.broken_redis import refusing


@pytest.fixture
def server(tmp_path):
    """A Redis of the test's own, that it may spoil."""
    with embedded_redis.running(tmp_path, fsync="no") as made:
        yield made


@pytest.fixture
def own_client(server):
    with redis.Redis.from_url(server.url) as made:
        yield made


@pytest.fixture
def spoilt(server):
    """The service on the Redis that will be spoilt."""
    return build(Settings(redis_url=server.url))


def make_full(client):
    client.config_set("maxmemory", 1)


def make_replica(client):
    client.replicaof("127.0.0.1", "1")


def make_lonely(client):
    client.config_set("min-replicas-to-write", 1)


def make_sound(client):
    client.config_set("min-replicas-to-write", 0)
    client.config_set("maxmemory", 0)
    client.replicaof("NO", "ONE")


@pytest.mark.parametrize(
    ("spoil", "error"),
    [(make_full, StoreFull), (make_replica, StoreReadOnly), (make_lonely, StoreReadOnly)],
)
class TestTakesNoWrites:
    def test_whatever_reads_is_answered_as_before(self, spoilt, own_client, spoil, error):
        game = Game.begin(spoilt)
        spoilt.notifier.settle()
        before = [call() for call in reads(spoilt, game)]
        spoil(own_client)
        assert [call() for call in reads(spoilt, game)] == before

    def test_whatever_writes_is_refused_and_says_why(self, spoilt, own_client, spoil, error):
        game = Game.begin(spoilt)
        calls, before = writes(spoilt, game), game.view(0)
        spoil(own_client)
        for call in calls:
            with pytest.raises(error):
                call()
        assert game.view(0) == before
        make_sound(own_client)
        goes_on(game)

    def test_a_game_that_is_late_is_read_as_it_stands_and_nobody_acts_too_late(
        self, spoilt, own_client, spoil, error, monkeypatch
    ):
        game = Game.begin(spoilt, clock={"seconds": 60, "on_timeout": "forfeit"})
        seat, before = game.to_act(), game.view(0)
        action = game.legal(seat)[0]
        spoil(own_client)
        still_clock(monkeypatch).advance(61)
        assert game.view(0) == before
        assert [item["id"] for item in spoilt.lobby.mine(game.token(0))["items"]] == [game.id]
        with pytest.raises(error):
            game.act(seat, action)
        make_sound(own_client)
        with pytest.raises(Refused):
            game.act(seat, action)
        assert game.view(0)["status"] == "finished"

    def test_calls_are_counted_by_each_process_alone_and_told_later(self, server, own_client, spoil, error):
        one, other = (RateLimiter(RedisClient(connect(server.url))) for _ in range(2))
        limit = limits.parse("40/minute")
        ann, ben, cleo = map(limit.key_for, ("ann", "ben", "cleo"))
        spoil(own_client)
        assert [one.hit(limit, ann)[1] for _ in range(41)] == [True] * 40 + [False]
        assert one.test(limit, ben)
        for _ in range(10):
            assert other.hit(limit, cleo)[1]
        make_sound(own_client)
        other.hit(limit, cleo)
        other.hit(limit, cleo)
        assert one.window(limit, cleo).calls == 0
        assert count(one._redis, cleo, 60, 0).calls >= 10

    def test_lists_are_read_though_what_is_over_cannot_be_taken_off(self, spoilt, own_client, spoil, error):
        game = Game.begin(spoilt)
        spoilt.administration.abort(game.id)
        own_client.zadd(keys.playing(game.creator.id), {game.id: 1, "nosuchgame": 1})
        own_client.zadd(keys.invited(game.creator.id), {game.id: 1})
        spoil(own_client)
        (item,) = spoilt.lobby.mine(game.creator.token)["items"]
        assert item["status"] == "aborted"
        assert spoilt.notices.page(game.creator.token)["events"] == []

    def test_how_it_stands_can_be_read(self, spoilt, own_client, spoil, error):
        spoil(own_client)
        assert spoilt.survey.state().redis


def test_workers_count_as_alive_while_redis_is_full(spoilt, own_client, monkeypatch):
    monkeypatch.setattr(health, "WORKER_SECONDS", 500)
    spoilt.health.record_heartbeat()
    own_client.expire(keys.WORKER_ALIVE, 100)
    make_full(own_client)
    spoilt.health.record_heartbeat()
    assert own_client.ttl(keys.WORKER_ALIVE) > 100
    assert spoilt.health.ready() == (True, True, False, False)


def test_workers_count_as_alive_again_though_redis_became_full_while_they_were_away(spoilt, own_client):
    make_full(own_client)
    assert not own_client.exists(keys.WORKER_ALIVE)
    assert spoilt.health.ready() == (True, False, False, False)
    spoilt.health.record_heartbeat()
    assert 0 < own_client.ttl(keys.WORKER_ALIVE) <= health.WORKER_SECONDS
    assert spoilt.health.ready() == (True, True, False, False)


def reads(service, game):
    """Returns calls that only read, one of each use case."""
    token = game.creator.token
    return [
        lambda: service.players.me(token),
        lambda: service.lobby.public(None),
        lambda: service.lobby.mine(token),
        lambda: service.games.view(token, game.id, words=EN),
        lambda: service.games.view(token, game.id, at=3, words=EN),
        lambda: service.games.events(None, game.id),
        lambda: service.games.rounds(None, game.id),
        lambda: service.notices.page(token),
        lambda: service.game_streams.begin(token, game.id, words=EN),
        lambda: service.schedule.pause_ms(100),
    ]


def writes(service, game):
    """Returns calls that write, one of each use case."""
    token, seat = game.creator.token, game.to_act()
    legal = game.legal(seat)
    return [
        lambda: service.players.register("Ann", "human"),
        lambda: service.players.rotate(token),
        lambda: service.tables.create(token, body("creator", "open"), words=EN),
        lambda: service.tables.create(token, body("creator", "open"), "a key", words=EN),
        lambda: service.tables.leave(token, game.id, words=EN),
        lambda: service.administration.abort(game.id),
        lambda: service.play.act(game.token(seat), game.id, read_action(legal[0]), words=EN),
    ]


def refused_everywhere(calls):
    for call in calls:
        with pytest.raises(Unavailable):
            call()


def test_without_redis_every_call_is_unavailable_and_with_it_everything_goes_on(tmp_path):
    server = EmbeddedRedis(tmp_path, fsync="no")
    server.start()
    try:
        service = build(Settings(redis_url=server.url))
        game = Game.begin(service, 3, clock={"seconds": 600, "on_timeout": "forfeit"}).play(random.Random(1), 4)
        seen = [game.view(seat) for seat in (None, 0, 1, 2)]
        calls = [*reads(service, game), *writes(service, game)]
        joining = lambda: service.tables.take_seat(game.creator.token, game.id, {}, words=EN)  # noqa: E731
        server.stop()
        refused_everywhere([*calls, joining, service.schedule.tasks, lambda: rebuild(Settings(redis_url=server.url))])
        refused_everywhere([lambda: service.play.time_out(game.id, 0), lambda: service.play.bot_turns(game.id, 1)])
        assert service.health.ready() == (False, False, False, False)
        assert service.jobs.enqueue([Task("bots", game.id, 1)]) is None, "a task may be lost"
        server = EmbeddedRedis(tmp_path, fsync="no")
        server.start()
        assert [game.view(seat) for seat in (None, 0, 1, 2)] == seen
        assert game.play(random.Random(2)).view()["status"] == "finished"
    finally:
        server.stop()


def test_a_redis_that_cannot_save_refuses_changes(spoilt, own_client, server):
    game = Game.begin(spoilt)
    calls = writes(spoilt, game)
    before = game.view(0)
    (server.folder / own_client.config_get("dbfilename")["dbfilename"]).mkdir()
    own_client.config_set("save", "9999 9999")
    own_client.bgsave()
    while own_client.info("persistence")["rdb_bgsave_in_progress"]:
        pass
    try:
        assert own_client.info("persistence")["rdb_last_bgsave_status"] == "err"
        refused_everywhere(calls)
        assert game.view(0) == before
    finally:
        own_client.config_set("save", "")  # or it would refuse to end as well
    goes_on(game)


def test_a_replica_refuses_changes_and_one_without_data_everything(spoilt, own_client):
    game = Game.begin(spoilt)
    calls = writes(spoilt, game)
    before = game.view(0)
    own_client.replicaof("127.0.0.1", "1")
    refused_everywhere(calls)
    assert game.view(0) == before
    own_client.config_set("replica-serve-stale-data", "no")
    refused_everywhere(reads(spoilt, game))
    own_client.replicaof("NO", "ONE")
    goes_on(game)


@pytest.mark.parametrize(
    "error",
    [
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "CLUSTERDOWN The cluster is down",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "NOREPLICAS Not enough good replicas to write.",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "OOM command not allowed when used memory > 'maxmemory'. script: 0123, on @user_script:1.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "ERR max number of clients reached",
    ],
)
def test_a_redis_that_is_not_ready_is_unavailable(service, error):
    game = Game.begin(service)
    with refusing(error) as url:
        unready = build(Settings(redis_url=url))
        refused_everywhere([*reads(unready, game), lambda: unready.players.register("Ann", "human")])
        refused_everywhere(
            [
                lambda: unready.play.act(
                    game.token(0), game.id, read_action({"type": "redraw_hand", "redraw": True}), words=EN
                )
            ]
        )


def goes_on(game):
    """Checks that the game can be played to its end now."""
    before = game.view()["version"]
    game.play(random.Random(3))
    assert game.view()["status"] == "finished"
    versions = [event["version"] for event in game.events()]
    assert versions == list(range(1, game.view()["version"] + 1))
    assert before < versions[-1]
    assert read(game.service.tables.rematch(game.creator.token, game.id, words=EN))["status"] == "open"
    assert guest(game.service, "Late").token


@pytest.mark.parametrize("call", ["ask", "next_in_line"])
def test_the_queues_are_sought_anew_when_their_redis_has_become_a_replica(spoilt, own_client, call):
    jobs = spoilt.jobs
    jobs.enqueue([Task("bots", "g", 1)])
    connected = jobs._client.client_id()
    make_replica(own_client)
    if call == "ask":
        jobs.enqueue([Task("bots", "h", 1)])
    else:
        with pytest.raises(StoreReadOnly):
            jobs.next_in_line("bots")
    assert jobs._client.client_id() != connected, "the address may lead to the new primary"
