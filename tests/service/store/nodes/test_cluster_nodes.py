"""The service on a cluster of several nodes: it finds them, follows slots that move, and outlives nodes that do not.

The nodes are real. A game is on the node of its id, and so is each player; what is one for the whole installation (the
lobby, when sweepers must look, that a worker lives) is on the first node here, so that tests can do without another.
"""

import os
import random
import subprocess
import sys
import threading

import pytest
import redis
from redis.crc import key_slot

from engine.logs.codec import read_action
from engine.state import ACTIVE, FINISHED
from games.errors import Unavailable
from service import Settings, build
from service.metrics import health
from service.store import keys
from service.store.redis import cluster
from service.store.redis.cluster import Cluster, ClusterClient
from service.store.scripts import APPEND
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, body
from tests.service.on_loop import OnLoop, running_loop
from tests.service.store.broken_redis import refusing
from tests.service.store.nodes.every_use_case import play_everything
from tests.service.store.nodes.on_nodes import SHARED, away, check_whole, game_on, moving, patiently
from tools.testbed.cluster_nodes import SLOTS, Node, running
from tools.testbed.waiting import wait_until


@pytest.fixture
def settings(nodes, redis_url):
    return Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)


@pytest.fixture(params=["threads", "loop"])
def service(settings, request):
    """The service, called in the tests' own threads as by workers, or on an event loop as in the API."""
    made = build(settings)
    if request.param == "threads":
        yield made
        return
    with running_loop(made) as loop:
        yield OnLoop(made, loop)


on_loop_alone = pytest.mark.parametrize("service", ["loop"], indirect=True)
"""For tests that build another service, which is called in their own threads."""
in_threads_alone = pytest.mark.parametrize("service", ["threads"], indirect=True)
"""For tests of what a call on a loop does in the same way."""


# --- finding the nodes ---


@on_loop_alone  # in threads on one node: test_cluster.py
def test_every_use_case_works_on_three_nodes(service, settings, nodes):
    play_everything(service, settings, random.Random(1))
    assert all(node.client.dbsize() > 0 for node in nodes.nodes)


@in_threads_alone
def test_games_on_every_node_are_played_listed_and_rebuilt(service, settings, nodes):
    rng = random.Random(2)
    games = [game_on(service, node, of=other) for node in nodes.nodes for other in nodes.nodes]
    assert {item["id"] for item in service.lobby.public(None, ACTIVE)["items"]} == {game.id for game in games}
    for game in games[::2]:
        game.play(rng, 4).cut_short()
        check_whole(game)
        ended = service.lobby.mine(game.creator.token)["items"][-1]
        assert (ended["id"], ended["status"]) == (game.id, FINISHED)
    listed = [service.lobby.public(None, status) for status in (ACTIVE, FINISHED)]
    for lost in (keys.lobby(ACTIVE), keys.lobby(FINISHED)):
        nodes.node_of(lost).client.delete(lost)
    made_up = keys.playing(games[1].creator.id)
    nodes.node_of(made_up).client.zadd(made_up, {games[0].id: 1})
    counts = rebuild(settings)
    assert counts["games"] == sum(len(node.client.keys("billet:*:log")) for node in nodes.nodes)
    assert counts["removed"] == 1
    assert [service.lobby.public(None, status) for status in (ACTIVE, FINISHED)] == listed


def test_a_node_that_has_lost_the_scripts_is_given_them(service, nodes):
    games = [game_on(service, node) for node in nodes.nodes]
    for node in nodes.nodes[1:]:
        node.client.script_flush()
    for game in games:
        game.play(random.Random(3), 5)
        check_whole(game)
    assert [node.client.script_exists(APPEND.digest) for node in nodes.nodes] == [[True]] * 3


def test_replies_come_in_the_order_of_the_commands_and_a_refusal_is_raised(nodes):
    redis_client = ClusterClient(Cluster(nodes.url))
    names = [keys.player(str(i)) for i in range(50)]
    assert len({nodes.node_of(name).port for name in names[:10]}) == 3
    redis_client.send(*[("HSET", name, "name", i) for i, name in enumerate(names)])
    assert redis_client.send(*[("HGET", name, "name") for name in names]) == [str(i).encode() for i in range(50)]
    mixed = [("HGET", names[0], "name"), ("GET", names[1]), ("HSET", names[2], "name", "new")]
    assert redis_client.send_each(*mixed) == [b"0", None, 0]
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        redis_client.send(*mixed)
    assert redis_client.send(*[("HGET", name, "name") for name in names[:3]]) == [b"0", b"1", b"new"]


def test_a_reply_that_nobody_has_waited_for_is_not_taken_for_that_to_another_command(nodes):
    redis_client = ClusterClient(Cluster(nodes.url))
    elsewhere = next(name for name in map(str, range(99)) if nodes.node_of(name) is not nodes.node_of("a stream"))
    slow = ("XREAD", "COUNT", 1, "BLOCK", 200, "STREAMS", "a stream", "0")
    with pytest.raises(redis.DataError):
        redis_client.send(slow, ("SET", elsewhere, object()))
    assert redis_client.send(("EXISTS", "a stream")) == [0]


# --- slots that move ---


@on_loop_alone
def test_a_game_whose_slot_moves_in_the_middle_is_played_on_by_all_who_know_the_old_place(service, settings, nodes):
    rng = random.Random(4)
    game = game_on(service, nodes.nodes[0])
    twin = Game(build(settings), game.id, game.creator, game.guests)
    log = keys.log(game.id)
    for target in (nodes.nodes[2], nodes.nodes[1]):
        source = nodes.node_of(log)
        play_in_turn(game, twin, rng)
        nodes.begin_move(log, target)
        play_in_turn(game, twin, rng)
        assert is_on(source, log), "where it was"
        while nodes.move_keys(log, target):
            pass
        play_in_turn(game, twin, rng)
        assert not is_on(source, log), "on the new node, which answers those who are sent there"
        nodes.end_move(log, target, tell=False)
        play_in_turn(game, twin, rng)
        wait_until(nodes.agrees)
    check_whole(game)


def is_on(node, name):
    return name.encode() in node.client.keys("billet:*:log")


def play_in_turn(game, twin, rng):
    """Lets two processes make an action each; every one is made once."""
    for one in (game, twin):
        seat, before = one.to_act(), one.view()["version"]
        if seat is None:
            continue
        done = one.act(seat, rng.choice(one.legal(seat)))
        assert [event["version"] for event in done["events"]] == list(range(before + 1, done["version"] + 1))
        assert done["version"] > before


@on_loop_alone
def test_no_action_is_lost_or_doubled_while_the_slot_moves_to_and_fro(service, nodes):
    rng = random.Random(5)
    game = game_on(service, nodes.nodes[1])
    begun, seen, made = game.view()["version"], [], 0
    with moving(nodes, keys.log(game.id)) as moved:
        while made < 12 and (seat := patiently(game.to_act)) is not None:
            action, key = rng.choice(patiently(game.legal, seat)), f"action {made}"
            done = patiently(game.act, seat, action, idempotency_key=key)
            seen += [event["version"] for event in done["events"]]
            made += 1
            wait_until(lambda made=made: len(moved) >= made // 3)
    assert seen == list(range(begun + 1, game.view()["version"] + 1))
    assert len(moved) >= 3
    check_whole(game)


@pytest.mark.parametrize("ends", [True, False])
def test_an_action_with_a_key_waits_for_a_moving_slot_but_not_for_ever(service, nodes, monkeypatch, ends):
    """A script over keys of which some are not there is refused by both nodes until the slot has moved."""
    game = game_on(service, nodes.nodes[1])
    log, target = keys.log(game.id), nodes.nodes[2]
    seat, before = game.to_act(), game.view()["version"]
    action = game.legal(seat)[0]
    nodes.begin_move(log, target)
    while nodes.move_keys(log, target):
        pass
    timer = threading.Timer(0.3, nodes.end_move, (log, target))
    if ends:
        monkeypatch.setattr(cluster, "ATTEMPTS", 1000)
        timer.start()
    else:
        monkeypatch.setattr(cluster, "ATTEMPTS", 3)
        with pytest.raises(Unavailable, match="moving"):
            game.act(seat, action, idempotency_key="a key")
        assert game.view()["version"] == before
        timer.run()
    done = game.act(seat, action, idempotency_key="a key")
    again = service.play.act(game.token(seat), game.id, read_action(action), None, "a key", words=EN)
    assert again.replayed
    assert done["version"] == game.view()["version"] > before


# --- nodes that are away ---


def expect_unavailable(call):
    with pytest.raises(Unavailable):
        call()


@on_loop_alone
def test_without_a_node_its_games_are_unavailable_and_the_others_go_on(service, settings, nodes, monkeypatch):
    rng = random.Random(7)
    node, clock = nodes.nodes[2], {"seconds": 1, "on_timeout": "forfeit"}
    lost, strangers = game_on(service, node), game_on(service, node, of=nodes.nodes[0])
    timed = [game_on(service, where, of=nodes.nodes[0], clock=clock) for where in nodes.nodes[1:]]
    others = [game_on(service, where) for where in nodes.nodes[:2]]
    seen, seat = [lost.view(0), strangers.view(0)], lost.to_act()
    action = lost.legal(seat)[0]
    with away(nodes, node):
        late = build(settings)
        for game in [*others, *(Game(late, game.id, game.creator, game.guests) for game in others)]:
            expect_unavailable(lambda: lost.view(0))
            expect_unavailable(lambda: lost.act(seat, action))
            expect_unavailable(lambda: lost.events(after=99))
            expect_unavailable(lambda: service.games.view(None, strangers.id, words=EN))
            expect_unavailable(lambda: late.games.view(None, strangers.id, words=EN))
            expect_unavailable(lambda: service.players.me(lost.creator.token))
            game.play(rng, 5)
        others[0].cut_short()
        assert others[0].view()["status"] == FINISHED
        expect_unavailable(lambda: service.lobby.public(None, ACTIVE))
        expect_unavailable(lambda: rebuild(settings))
        monkeypatch.setattr(health, "WORKER_SECONDS", 500)
        service.health.record_heartbeat()
        assert service.health.ready() == (True, True, False, False)
        tasks = []
        wait_until(lambda: tasks.extend(service.schedule.tasks()) or tasks)
        assert {(task.kind, task.game) for task in tasks} == {("time_out", timed[0].id)}
    assert [lost.view(0), strangers.view(0)] == seen
    for game in (lost, strangers):
        check_whole(game.play(rng, 5))
    wait_until(lambda: tasks.extend(service.schedule.tasks()) or timed[1].id in {task.game for task in tasks})


@on_loop_alone
def test_without_the_lists_a_running_game_goes_on_and_none_is_begun_that_they_would_miss(service, nodes):
    game = game_on(service, nodes.nodes[1])
    with away(nodes, nodes.nodes[0]):  # the one that the address names, too
        game.play(random.Random(8), 6)
        before = [len(node.client.keys("billet:*:log")) for node in nodes.nodes[1:]]
        for _ in range(6):
            expect_unavailable(lambda: service.tables.create(game.creator.token, body("creator", "random"), words=EN))
        assert [len(node.client.keys("billet:*:log")) for node in nodes.nodes[1:]] == before
        expect_unavailable(lambda: service.lobby.public(None))
        expect_unavailable(service.schedule.tasks)
        assert service.health.ready() == (False, False, False, False)
    assert service.tables.create(game.creator.token, body("creator", "random"), words=EN).body
    check_whole(game.play(random.Random(9), 5))


def slot_of(name):
    return key_slot(name.encode())


@on_loop_alone
def test_a_slot_that_no_node_holds_keeps_its_games_alone_away(service, settings, nodes):
    other, owner = game_on(service, nodes.nodes[1]), nodes.nodes[1]
    needed = {slot_of(keys.log(other.id)), *(slot_of(keys.player(player.id)) for player in other.guests.values())}
    game = next(
        made for made in iter(lambda: game_on(service, owner), None) if slot_of(keys.log(made.id)) not in needed
    )
    slot = slot_of(keys.log(game.id))
    for node in nodes.nodes:
        node.client.execute_command("CLUSTER DELSLOTS", slot)
    try:
        for each in (service, build(settings)):
            expect_unavailable(lambda each=each: each.games.view(None, game.id, words=EN))
            Game(each, other.id, other.creator, other.guests).play(random.Random(12), 3)
    finally:
        owner.client.execute_command("CLUSTER ADDSLOTS", slot)
        wait_until(nodes.agrees)
    for each in (service, build(settings)):
        check_whole(Game(each, game.id, game.creator, game.guests).play(random.Random(13), 3))


def test_a_replica_that_takes_over_is_found_with_the_next_call(tmp_path, redis_url):
    with running(tmp_path, 2, SHARED) as nodes:
        primary = nodes.nodes[1]
        replica = Node(tmp_path / "replica")
        nodes.nodes.append(replica)
        replica.client.execute_command("CLUSTER MEET", "127.0.0.1", nodes.nodes[0].port)
        wait_until(lambda: len(replica.slots()) == SLOTS)
        replica.client.execute_command("CLUSTER REPLICATE", primary.id)
        wait_until(lambda: replica.client.info("replication").get("master_link_status") == "up")
        service = build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))
        game = game_on(service, primary).play(random.Random(10), 4)
        before = [game.view(seat) for seat in (None, 0, 1)]
        assert primary.client.execute_command("WAIT", 1, 100_000) == 1
        nodes.nodes.remove(primary)
        primary.kill()
        expect_unavailable(game.view)
        replica.client.execute_command("CLUSTER FAILOVER", "TAKEOVER")
        wait_until(nodes.agrees)
        assert [game.view(seat) for seat in (None, 0, 1)] == before
        check_whole(game.play(random.Random(11), 5))


def test_without_any_node_every_call_is_unavailable(redis_url):
    nowhere = Settings(redis_url="redis://127.0.0.1:1", redis_cluster=1, queue_redis_url=redis_url)
    service = build(nowhere)
    expect_unavailable(lambda: service.players.register("Ann", "human"))
    expect_unavailable(lambda: service.games.view(None, "some game", words=EN))
    expect_unavailable(service.schedule.tasks)
    expect_unavailable(lambda: rebuild(nowhere))


def test_a_redis_that_is_no_cluster_is_unavailable_and_says_so(redis_url):
    with refusing("ERR This instance has cluster support disabled") as url:
        service = build(Settings(redis_url=url, redis_cluster=1, queue_redis_url=redis_url))
        with pytest.raises(Unavailable, match="not enabled"):
            service.players.register("Ann", "human")


# --- workers ---


@in_threads_alone
def test_a_worker_plays_bots_and_sweeps_on_the_cluster_with_its_queues_elsewhere(service, settings, nodes):
    environment = {"REDIS_URL": nodes.url, "REDIS_CLUSTER": "1", "QUEUE_REDIS_URL": settings.queue_redis_url}
    worker = subprocess.Popen([sys.executable, "-m", "billet", "worker"], env=os.environ | environment)
    try:
        wait_until(lambda: service.health.ready().worker)
        bots = [Game.open(service, "random", "random", edition="lovecraft") for _ in range(2)]
        human = Game.open(service, "creator", "random", clock={"seconds": 1, "on_timeout": "forfeit"})
        for game in [*bots, human]:
            wait_until(lambda game=game: game.view()["status"] == FINISHED)
            check_whole(game)
        with redis.Redis.from_url(settings.queue_redis_url) as queues:
            assert queues.keys("rq:*")
            wait_until(lambda: not queues.keys("billet:*"))  # a game may be over before its turn in the line comes
    finally:
        worker.terminate()
        assert worker.wait(100) == 0
    assert not any(node.client.keys("rq:*") for node in nodes.nodes)
