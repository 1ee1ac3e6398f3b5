"""What players are told on a cluster, where a game and its players lie on different nodes: once and in order."""

import asyncio
import random

import pytest

from service import Settings, build
from service.live import hub
from service.store import keys
from tests.service.at_table import Game, told
from tests.service.live.followers import SECONDS
from tests.service.store.nodes.on_nodes import game_on


@pytest.fixture
def service(nodes, redis_url):
    return build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))


def test_whatever_node_they_are_on_players_are_told_of_all_their_games(service, nodes):
    games = [game_on(service, nodes.nodes[0], of=node) for node in nodes.nodes]
    players = [player for game in games for player in game.guests.values()]
    assert len({nodes.node_of(keys.notices(player.id)).port for player in players}) == 3
    begun = [told(service, player)["cursor"] for player in players]
    for seed, game in enumerate(games):
        game.play(random.Random(seed))
    for player, cursor in zip(players, begun, strict=True):
        notices = told(service, player, cursor)["events"]
        assert [notice["cursor"] for notice in notices] == list(range(cursor + 1, cursor + 1 + len(notices)))
        assert [notice["type"] for notice in notices].count("game_over") == 1
        versions = [notice["version"] for notice in notices]
        assert versions == sorted(set(versions))
    assert service.pending.tasks() == []


async def test_one_who_waits_hears_of_it_from_another_node(service, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 1000.0)  # nothing but messages can bring a notice
    game = Game.begin(service, starter=0)
    player = game.guests[1]
    cursor = told(service, player)["cursor"]

    feeds = service.feeds()
    waiting = asyncio.create_task(feeds.notices.wait(player.id, cursor, 10 * SECONDS))
    await asyncio.sleep(0.5)
    assert not waiting.done()
    await asyncio.to_thread(game.play, random.Random(1))
    await asyncio.wait_for(waiting, SECONDS)
    feeds.close()
    assert told(service, player, cursor)["events"]
