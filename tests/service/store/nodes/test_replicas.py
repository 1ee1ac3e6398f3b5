"""With `DURABILITY=replicated` an answered write is on the disk of a replica, and survives the loss of its primary."""

import asyncio
import random
from contextlib import nullcontext
from functools import partial

import pytest

from api import create_app
from engine.logs.codec import read_action
from games.errors import NotReplicated
from service import Settings, build
from service.settings import REPLICATED
from service.store import keys
from service.store.redis import client as clients
from service.store.redis.client import RedisClient, connect
from tests.service.at_table import EN, HARMLESS, Game, body, guest, read
from tests.service.on_loop import OnLoop, running_loop, serve
from tests.service.store.nodes.on_nodes import check_whole, patiently
from tools.testbed.cluster_nodes import Node, NodeCluster
from tools.testbed.replica_pair import Server, running_pair
from tools.testbed.waiting import wait_until


@pytest.fixture
def pair(tmp_path):
    with running_pair(tmp_path) as made:
        yield made


def replicated(url, **more):
    return build(Settings(redis_url=url, durability=REPLICATED, **more))


def act(service, game, key):
    """Plays the first legal action of the seat that must act, which a repeat with the same key names again."""
    seat = game.to_act()
    return partial(service.play.act, game.token(seat), game.id, read_action(game.legal(seat)[0]), None, key, words=EN)


@pytest.mark.parametrize("on_loop", [False, True], ids=["threads", "loop"])
def test_every_answered_action_is_on_the_replica_that_takes_over(pair, on_loop):
    primary, replica = pair
    service = replicated(primary.url)
    with running_loop(service) if on_loop else nullcontext() as loop:
        called = OnLoop(service, loop) if on_loop else service
        game = Game.begin(build(Settings(redis_url=primary.url)))
        first = act(called, game, "first")
        said = {first: patiently(first)}
        replica.kill()
        second = act(called, game, "second")
        with pytest.raises(NotReplicated):
            second()
        with pytest.raises(NotReplicated):  # a repeat waits again
            second()
        stands = game.view()["version"]
        assert stands > read(said[first])["version"]
        replica.start()
        replica.follow(primary.port)
        said[second] = patiently(second)
        assert said[second].replayed
        assert read(said[second])["version"] == stands == game.view()["version"]
        primary.kill()
    replica.promote()
    after = build(Settings(redis_url=replica.url))
    there = Game(after, game.id, game.creator, game.guests)
    check_whole(there)
    assert there.view()["version"] == stands
    for call, answer in said.items():
        again = after.play.act(*call.args, **call.keywords)
        assert (again.body, again.tag, again.replayed) == (answer.body, answer.tag, True)


def test_whatever_is_appended_waits_and_reads_do_not(pair, monkeypatch):
    monkeypatch.setattr(clients, "REPLICA_MS", 50)
    primary, replica = pair
    local, service = build(Settings(redis_url=primary.url)), replicated(primary.url)
    game = Game.begin(local)
    bots = Game.open(local, "creator", "random", sandbox={"rounds": [{"starter": 1, "order": HARMLESS}]})
    ann, bob = guest(local), guest(local)
    open_game = read(local.tables.create(ann.token, body("creator", "open"), words=EN))["id"]
    ended = Game.begin(local)
    local.administration.abort(ended.id)
    replica.kill()
    calls = {
        "register": partial(service.players.register, "Ann", "human"),
        "create": partial(service.tables.create, ann.token, body("creator", "open"), "key", words=EN),
        "join": partial(service.tables.take_seat, bob.token, open_game, {}, words=EN),
        "join again": partial(service.tables.take_seat, bob.token, open_game, {}, words=EN),
        "rematch": partial(service.tables.rematch, ended.token(0), ended.id, words=EN),
        "act": act(service, game, None),
        "a bot's turn": partial(service.play.bot_turns, bots.id, 0),
        "link": partial(service.tables._log.link, ended.id, open_game),
    }
    answered = [name for name, call in calls.items() if not falls_short(call)]
    assert answered == []
    for one in (game, bots):
        assert one.view()["version"] == Game(service, one.id, one.creator, one.guests).view()["version"]


def falls_short(call):
    try:
        call()
    except NotReplicated:
        return True
    return False


def test_a_caller_is_told_in_either_language(redis_url, monkeypatch):
    monkeypatch.setattr(clients, "REPLICA_MS", 50)
    app = create_app(Settings(redis_url=redis_url, durability=REPLICATED)).test_client()
    for language, word in (("en", "not stored safely yet"), ("de", "noch nicht sicher gespeichert")):
        answer = app.post("/v1/players", json={"name": "Ann"}, headers={"Accept-Language": language})
        assert (answer.status_code, answer.json["code"]) == (503, "not_replicated")
        assert answer.content_type == "application/problem+json"
        assert word in answer.json["detail"]
        assert answer.headers["Retry-After"] == "1"


def test_calls_on_a_loop_wait_in_groups(pair, monkeypatch):
    monkeypatch.setattr(clients, "REPLICA_MS", 60_000)
    monkeypatch.setattr(clients, "ANSWER_SECONDS", 120.0)
    primary, replica = pair
    redis_client = RedisClient(connect(primary.url), replicated=True)

    def confirm(n):
        return redis_client.confirm(f"{{{n}}}", ("GET", f"{{{n}}}"))

    async def waves():
        try:
            replica.freeze()
            first = [asyncio.ensure_future(serve(partial(confirm, n))) for n in range(10)]
            while not primary.client.info("clients")["blocked_clients"]:
                await asyncio.sleep(0.01)
            primary.client.mset({f"{{{n}}}": n for n in range(20)})
            second = [asyncio.ensure_future(serve(partial(confirm, n))) for n in range(20)]
            await asyncio.sleep(0)  # each has asked
            replica.thaw()
            return await asyncio.gather(*first, *second)
        finally:
            replica.thaw()
            redis_client.leave_loop()

    found = asyncio.run(waves())
    assert found == [[None]] * 10 + [[b"%d" % n] for n in range(20)]
    called = primary.client.info("commandstats")
    assert called.get("cmdstat_waitaof", {"calls": 2})["calls"] == 2


def knows_waitaof(folder):
    server = Server(folder)
    try:
        return server.knows_waitaof()
    finally:
        server.kill()


def test_a_redis_without_waitaof_is_asked_to_wait(tmp_path):
    older = {} if not knows_waitaof(tmp_path / "asked") else {"rename-command": ("WAITAOF", "")}
    with running_pair(tmp_path, **older) as (primary, replica):
        redis_client = RedisClient(connect(primary.url), replicated=True)
        assert patiently(partial(redis_client.confirm, "key", ("GET", "key"))) == [None]
        assert primary.client.info("commandstats")["cmdstat_wait"]["calls"]
        replica.kill()
        with pytest.raises(NotReplicated):
            redis_client.confirm("key", ("GET", "key"))


def test_what_a_failover_has_lost_is_not_answered(pair):
    primary, _ = pair
    service = replicated(primary.url)
    game = Game.begin(build(Settings(redis_url=primary.url)))
    log, key = service.redis, keys.meta(game.id)
    assert patiently(partial(log.confirm, key, ("HGET", key, "head")))
    snapshot = service.play._log.read(game.id).snapshot
    patiently(partial(service.play._log.confirm, snapshot))
    primary.client.delete(keys.log(game.id), key)
    with pytest.raises(NotReplicated):
        service.play._log.confirm(snapshot)


def test_what_is_safe_is_answered_though_others_have_gone_on_or_the_log_was_packed(pair):
    primary, _ = pair
    local, service = build(Settings(redis_url=primary.url)), replicated(primary.url)
    game, log = Game.begin(local), service.play._log
    before = log.read(game.id).snapshot
    game.step(random.Random(1))
    patiently(partial(log.confirm, before))
    game.cut_short()
    ended = log.read(game.id).snapshot
    assert local.packing._streams.pack(ended, log.stored(ended))
    patiently(partial(log.confirm, ended))


def test_a_nodes_replica_has_what_is_answered_on_a_cluster(tmp_path):
    nodes = []
    try:
        nodes += [Node(tmp_path / "one", appendfsync="always"), Node(tmp_path / "two", appendfsync="always")]
        cluster, primary = NodeCluster(nodes), nodes[0]
        replica = Node(tmp_path / "replica", appendfsync="always")
        nodes.append(replica)
        replica.client.execute_command("CLUSTER MEET", "127.0.0.1", primary.port)
        wait_until(lambda: len(replica.slots()) == 16384)
        replica.client.execute_command("CLUSTER REPLICATE", primary.id)
        wait_until(lambda: replica.client.info("replication").get("master_link_status") == "up")
        service = replicated(cluster.url, redis_cluster=1, queue_redis_url=nodes[1].url)
        held, other = (
            next(f"{{{n}}}" for n in range(100) if cluster.node_of(f"{{{n}}}") is node) for node in nodes[:2]
        )
        service.redis.send(("SET", held, "said"))
        assert patiently(partial(service.redis.confirm, held, ("GET", held))) == [b"said"]
        with pytest.raises(NotReplicated):  # its node has no replica
            service.redis.confirm(other, ("GET", other))
        primary.kill()
        with pytest.raises(NotReplicated):
            service.redis.confirm(held, ("GET", held))
        replica.client.execute_command("CLUSTER FAILOVER", "TAKEOVER")
        wait_until(lambda: set(nodes[1].slots().values()) == {nodes[1].port, replica.port})
        assert patiently(partial(service.redis.send, ("GET", held))) == [b"said"]
    finally:
        for node in nodes:
            node.kill()
