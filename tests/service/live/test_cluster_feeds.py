"""The feeds on a cluster of several nodes: it listens at one of them and hears of games on all.

The nodes are real. Whichever node passes a message on, every event comes to every stream once and in order; while slots
move, and when nodes go and come back.
"""

import asyncio
import random
from types import SimpleNamespace

import pytest

from service import Settings, build
from service.live import hub
from service.players import Players
from service.store import channels, keys
from service.store.redis import cluster
from tests.service.live.followers import SECONDS, follow, until
from tests.service.store.nodes.on_nodes import away, game_on, moving, patiently

NEVER = 1000.0


@pytest.fixture
def service(nodes, redis_url):
    return build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))


@pytest.fixture
def listen_at(monkeypatch):
    """Lets hubs listen at a certain node, while it is there."""

    def listen_at(node):
        def chosen(known):
            return next((one for one in known if one.port == node.port), known[0])

        monkeypatch.setattr(cluster, "random", SimpleNamespace(choice=chosen))

    return listen_at


def heard_at(node):
    """To the channels of how many games somebody listens at a node."""
    return len(node.client.pubsub_channels(f"billet:{channels.feed('*')}"))


async def played_out(games, streams):
    """Plays games for some turns and ends them, and checks that each stream has had all events once and in order."""
    rng = random.Random(1)
    for game in games:
        await asyncio.to_thread(patient_play, game, rng, 10)
        await asyncio.to_thread(patiently, game.cut_short)
    for game, stream in zip(games, streams, strict=True):
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
        assert stream.versions == list(range(1, game.view()["version"] + 1))


def patient_play(game, rng, steps):
    """Plays at random, and on when a node is away for a moment."""
    for _ in range(steps):
        if not patiently(game.step, rng):
            break


@pytest.mark.parametrize("number", range(3))
async def test_whichever_node_it_listens_at_it_hears_of_games_on_all(service, nodes, listen_at, monkeypatch, number):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", NEVER)  # nothing but messages can bring an event
    listen_at(nodes.nodes[number])
    games = [game_on(service, node) for node in nodes.nodes]

    feeds = service.feeds()
    streams = [await follow(feeds, service, game) for game in games]
    await until(lambda: heard_at(nodes.nodes[number]) == len(games))
    await played_out(games, streams)
    feeds.close()


@pytest.mark.parametrize("number", range(3))
async def test_whichever_node_it_listens_at_it_hears_of_new_tokens_on_all(
    service, nodes, listen_at, monkeypatch, number
):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", NEVER)
    listen_at(nodes.nodes[number])
    games = [game_on(service, node) for node in nodes.nodes for _ in range(2)]
    assert len({nodes.node_of(keys.player(game.creator.id)).port for game in games}) > 1

    feeds = service.feeds()
    old = [await follow(feeds, service, game, 0, 0) for game in games]
    others = [await follow(feeds, service, game, 0, 1) for game in games]
    newest = [game.view()["version"] for game in games]
    await until(lambda: [stream.version for stream in old] == [stream.version for stream in others] == newest)
    await until(lambda: nodes.nodes[number].client.pubsub_channels(f"billet:{channels.TOKENS}"))
    monkeypatch.setattr(Players, "replaced", lambda self, proofs: set())
    for game in games:
        await asyncio.to_thread(service.players.rotate, game.creator.token)
    for stream in old:
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
    assert not any(stream.closed for stream in others)
    feeds.close()


async def test_while_a_slot_moves_every_event_comes_once(service, nodes, feeds_of):
    game = game_on(service, nodes.nodes[1])
    rng = random.Random(2)

    feeds = feeds_of(service)
    stream = await follow(feeds, service, game)
    with moving(nodes, f"billet:{{{game.id}}}:log") as moved:
        for step in range(12):
            await asyncio.to_thread(patient_play, game, rng, 1)
            await until(lambda step=step: len(moved) >= step // 3)
        assert len(moved) >= 3
    await played_out([game], [stream])
    feeds.close()


@pytest.mark.parametrize("listens", [True, False], ids=["where it listens", "elsewhere"])
async def test_a_node_that_is_killed_and_comes_back_costs_no_event(service, nodes, feeds_of, listen_at, listens):
    lost, other = nodes.nodes[2], nodes.nodes[1]
    listen_at(lost if listens else other)
    games = [game_on(service, node) for node in (other, lost)]
    rng = random.Random(3)

    feeds = feeds_of(service)
    streams = [await follow(feeds, service, game) for game in games]
    await until(lambda: heard_at(lost if listens else other) == len(games))
    for game in games:
        await asyncio.to_thread(patient_play, game, rng, 2)
    with away(nodes, lost):
        await asyncio.to_thread(patient_play, games[0], rng, 3)
        newest = games[0].view()["version"]
        await until(lambda: streams[0].version == newest or streams[0].closed)
        assert not streams[1].closed, "it waits for its node"
    await played_out(games, streams)
    feeds.close()
