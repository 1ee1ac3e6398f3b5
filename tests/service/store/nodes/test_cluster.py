"""The service on a Redis that runs as a cluster: no command and no script reaches across hash slots.

One node that serves all slots refuses a command, a script or a transaction over keys of several slots just as a larger
cluster does. RQ's own transactions do that, so the queues need a Redis that is no cluster; the games do not. What it
takes to find the right node of several is for `test_cluster_nodes` to show.
"""

import logging
import random
import threading

import pytest
import redis
from redis.crc import key_slot

from service import Settings, build
from service.store import channels, scripts
from service.store.redis.client import RedisClient
from service.store.scripts import APPEND, CLAIM, GRANT, LOAD, REPLACE, RESCORE, Script
from tests.service.at_table import Game
from tests.service.store.nodes.every_use_case import play_everything
from tools.testbed.cluster_nodes import running


@pytest.fixture(scope="module")
def one_node(tmp_path_factory):
    with running(tmp_path_factory.mktemp("cluster"), 1) as made:
        yield made


@pytest.fixture
def cluster(one_node, monkeypatch):
    """The address of a cluster of one node, which is empty; it is talked to as to each node of a larger one."""
    monkeypatch.setattr(RedisClient, "is_single", False)
    one_node.flush()
    return one_node.url


def test_every_use_case_works_on_a_cluster_and_scripts_use_the_keys_they_are_given_alone(cluster):
    settings = Settings(redis_url=cluster)
    service = build(settings)
    seen = []
    with redis.Redis.from_url(cluster) as client, client.monitor() as monitor:
        for script in vars(scripts).values():
            if isinstance(script, Script):
                client.script_load(script.text)
        watching = threading.Thread(target=watch, args=(monitor, seen))
        watching.start()
        try:
            play_everything(service, settings, random.Random(1))
        finally:
            client.echo("that is all")
            watching.join(100)
    given, ran, in_scripts = [], set(), 0
    for kind, words in seen:
        if kind == "lua":
            in_scripts += 1
            # A channel is no key, but its name follows from one, or is the same for all.
            everybodys = {f"billet:{name}" for name in (channels.TOKENS, channels.LOBBY, channels.RECORDED)}
            channel = words[1] in everybodys or words[1].replace(":feed", ":log") in given
            assert words[1] in given or (words[0] == "PUBLISH" and channel), words
        elif words[0] == "EVALSHA":
            given = words[3 : 3 + int(words[2])]
            ran.add(words[1])
            assert len({key_slot(key.encode()) for key in given}) == 1
    assert {script.digest for script in (APPEND, LOAD, CLAIM, RESCORE, GRANT, REPLACE)} <= ran
    assert in_scripts > 100


def watch(monitor, seen):
    """Notes all commands until the last word."""
    for command in monitor.listen():
        words = command["command"].split(" ")
        if words[0] == "ECHO":
            return
        seen.append((command["client_type"], words))


def test_jobs_cannot_be_asked_for_on_a_cluster_and_the_game_goes_on(cluster, caplog):
    others = {thread.ident for thread in threading.enumerate()} - {threading.get_ident()}  # of other tests
    service = build(Settings(redis_url=cluster))
    game = Game.open(service, "creator", "random", starter=1)
    with caplog.at_level(logging.WARNING):
        game.play(random.Random(3), 4)
        service.notifier.settle()
    assert {record.name for record in caplog.records if record.thread not in others} == {"service.jobs.queue"}
    assert game.view()["version"] > 7
