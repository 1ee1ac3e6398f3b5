"""The service on a Redis that runs as a cluster: no command and no script reaches across hash slots.

One node that serves all slots refuses a command, a script or a transaction over keys of several slots just as a larger
cluster does. RQ's own transactions do that, so the queues need a Redis that is no cluster; the games do not. What it
takes to find the right node of several is for `test_cluster_nodes` to show.
"""

import logging
import random
import tempfile
import threading
import time
from dataclasses import replace

import pytest
import redis
from redis.crc import key_slot

from service import Settings, build
from service.store import channels
from service.store.exchange.connection import Exchange
from service.store.scripts import APPEND, CLAIM, GRANT, LOAD, PUT_AWAY, RESCORE
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.store.nodes.cluster_nodes import running


@pytest.fixture(scope="module")
def one_node(tmp_path_factory):
    with running(tmp_path_factory.mktemp("cluster"), 1) as made:
        yield made


@pytest.fixture
def cluster(one_node, monkeypatch):
    """The address of a cluster of one node, which is empty; it is talked to as to each node of a larger one."""
    monkeypatch.setattr(Exchange, "is_single", False)
    one_node.flush()
    return one_node.url


def play_everything(service, settings, rng):
    """Goes through every use case."""
    ann, bob = guest(service), guest(service)
    service.players.rotate(guest(service).token)
    made = service.tables.create(ann.token, body("creator", "open", "open"), "a key", words=EN)
    assert service.tables.create(ann.token, body("creator", "open", "open"), "a key", words=EN).body == made.body
    game = Game(service, read(made)["id"], ann, {0: ann, 1: bob})
    service.tables.take_seat(bob.token, game.id, {"seat": 1}, "a key", words=EN)
    service.tables.leave(bob.token, game.id, words=EN)
    service.tables.take_seat(bob.token, game.id, {"seat": 1}, words=EN)
    service.tables.take_seat(ann.token, game.id, {"bot": "cautious"}, words=EN)
    game.play(rng, 8)
    assert [item["id"] for item in service.lobby.public(None, "active")["items"]] == [game.id]
    assert [item["id"] for item in service.lobby.mine(ann.token)["items"]] == [game.id]
    service.tables.leave(bob.token, game.id, words=EN)
    del game.guests[1]
    game.play(rng)
    assert read(service.games.view(None, game.id, as_="all", words=EN))["status"] == "finished"
    assert [item["game"] for item in service.own_data.of(ann.token)["played"]] == [game.id]
    again, same = (read(service.tables.rematch(one.token, game.id, words=EN))["id"] for one in (ann, bob))
    rematch = Game(service, again, ann, {0: ann, 1: bob})
    assert same == rematch.id
    service.tables.abort(ann.token, rematch.id, words=EN)
    timed = Game.begin(service, 2, clock={"seconds": 1, "on_timeout": "forfeit"})
    waiter = lambda game, after, seconds: time.sleep(seconds)  # noqa: E731
    service.games.events(None, timed.id, after=timed.view()["version"], wait=5, waiter=waiter)
    assert timed.view()["status"] == "finished"
    Game.open(service, "random", "random")
    service.health.worker_is_alive()
    rebuild(settings)
    archive_everything(settings)
    for _ in range(3):
        service.schedule.hints()
        time.sleep(0.7)


def archive_everything(settings):
    """Archives all games that have ended, and reads them then."""
    with tempfile.TemporaryDirectory() as folder:
        service = build(replace(settings, archive_url=folder, retain_finished_days=1))
        assert service.retention.claim() == []
        games = list(service.retention.all(0))
        assert len(games) >= 3
        before = [service.logs.of(None, game) for game in games]
        assert [service.retention.archive(game) for game in games] == ["archived"] * len(games)
        anew = build(replace(settings, archive_url=folder))
        assert [anew.logs.of(None, game) for game in games] == before
        assert [read(anew.games.view(None, game, words=EN))["id"] for game in games] == games
        rebuild(settings)
        assert list(service.retention.all(0)) == []
        assert anew.survey.state().not_archived == 0


def test_every_use_case_works_on_a_cluster_and_scripts_use_the_keys_they_are_given_alone(cluster):
    settings = Settings(redis_url=cluster)
    service = build(settings)
    seen = []
    with redis.Redis.from_url(cluster) as client, client.monitor() as monitor:
        watching = threading.Thread(target=watch, args=(monitor, seen))
        watching.start()
        try:
            play_everything(service, settings, random.Random(1))
        finally:
            client.echo("that is all")
            watching.join(100)
    given, scripts, in_scripts = [], set(), 0
    for kind, words in seen:
        if kind == "lua":
            in_scripts += 1
            # A channel is no key, but its name follows from one, or is the same for all.
            channel = words[1] in (channels.TOKENS, channels.LOBBY) or words[1].replace(":feed", ":log") in given
            assert words[1] in given or (words[0] == "PUBLISH" and channel), words
        elif words[0] == "EVALSHA":
            given = words[3 : 3 + int(words[2])]
            scripts.add(words[1])
            assert len({key_slot(key.encode()) for key in given}) == 1
    assert {script.digest for script in (APPEND, LOAD, CLAIM, RESCORE, GRANT, PUT_AWAY)} <= scripts
    assert in_scripts > 100


def watch(monitor, seen):
    """Notes all commands until the last word."""
    for command in monitor.listen():
        words = command["command"].split(" ")
        if words[0] == "ECHO":
            return
        seen.append((command["client_type"], words))


def test_jobs_cannot_be_asked_for_on_a_cluster_and_the_game_goes_on(cluster, caplog):
    service = build(Settings(redis_url=cluster))
    game = Game.open(service, "creator", "random", starter=1)
    with caplog.at_level(logging.WARNING):
        game.play(random.Random(3), 4)
        service.notifier.settle()
    threads = {threading.main_thread().ident, service.notifier._thread.ident}  # those of other tests may say more
    assert {record.name for record in caplog.records if record.thread in threads} == {"service.jobs.queue"}
    assert game.view()["version"] > 7
