"""Reactions beside a game: who may react and when, who is told, and that nothing of it is stored."""

import asyncio
import random

import pytest
import redis

from games.tables.reactions import AFTER_THE_END_MS, REACTIONS
from service import Settings, build
from service.live import reactions
from service.store import channels, keys
from tests.service.at_table import EN, Game, guest, refusal
from tests.service.live.followers import SECONDS, follow, until


@pytest.fixture
def stored(redis_url):
    with redis.Redis.from_url(redis_url) as client:
        yield client


def reaction(seat, word):
    return {"type": "reaction", "seat": seat, "reaction": word}


async def listening(game, *clients):
    """Waits until a process has subscribed to a game: what is published before is lost."""
    await until(lambda: any(client.pubsub_channels(f"*{channels.feed(game.id)}") for client in clients))


def react(service, game, seat, word="ouch"):
    service.reactions.react(game.token(seat), game.id, word)


def all_keys(service):
    """Everything in Redis but what counts calls."""
    found = service.redis.send(("KEYS", "*"))[0]
    return {
        name: service.redis.send(("DUMP", name))[0] for name in found if not name.startswith(keys.counter("").encode())
    }


async def test_everybody_who_asked_is_told_at_once_and_nothing_is_stored(service, another, feeds_of, stored):
    game = Game.begin(service, 2)
    version = game.view()["version"]
    feeds = feeds_of(another())
    asked = [await follow(feeds, service, game, version, viewer, reactions=True) for viewer in (None, 0, 1)]
    framed = await follow(feeds, service, game, version, 1, reactions=True, frames=True)
    others = await follow(feeds, service, game, version, 0)
    await listening(game, stored)
    before = all_keys(service)
    for seat, word in enumerate(REACTIONS[:2]):
        await asyncio.to_thread(react, service, game, seat, word)
    for stream in (*asked, framed):
        await until(lambda stream=stream: len(stream.told) == 2)
        assert stream.told == [reaction(0, "well_played"), reaction(1, "ouch")]
    assert others.told == []
    assert all_keys(service) == before
    assert game.view()["version"] == version
    feeds.close()


async def test_a_cluster_tells_them_too(nodes, redis_url, feeds_of):
    service = build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))
    game = Game.begin(service)
    feeds = feeds_of(service)
    stream = await follow(feeds, service, game, game.view()["version"], reactions=True)
    await listening(game, *[node.client for node in nodes.nodes])
    await asyncio.to_thread(react, service, game, 0)
    await until(lambda: stream.told == [reaction(0, "ouch")])
    feeds.close()


async def test_who_has_blocked_a_player_is_not_told(service, feeds_of, stored):
    game = Game.begin(service, 2)
    feeds = feeds_of(service)
    version = game.view()["version"]
    streams = [await follow(feeds, service, game, version, seat, reactions=True) for seat in (0, 1)]
    service.blocks.block(game.token(0), game.guests[1].id, words=EN)
    await listening(game, stored)
    await asyncio.to_thread(react, service, game, 1)
    await asyncio.to_thread(react, service, game, 0)
    await until(lambda: streams[0].told)
    await until(lambda: len(streams[1].told) == 2)
    assert streams[0].told == [reaction(0, "ouch")]
    feeds.close()


def test_a_player_reacts_once_in_a_while_in_each_game(service, monkeypatch):
    assert reactions.PAUSE_SECONDS == 5
    monkeypatch.setattr(reactions, "PAUSE_SECONDS", 500)  # longer than this takes
    game, other = Game.begin(service), Game.begin(service)
    react(service, game, 0)
    again = refusal(react, service, game, 0)
    assert (again.code, again.limit) == ("rate_limited", "reactions")
    assert 1 <= again.retry_after <= 500
    react(service, game, 1)
    react(service, other, 0)
    service.redis.send(("DEL", keys.counter(f"reactions/{game.id}/{game.guests[0].id}")))
    react(service, game, 0)


def test_only_who_sits_there_may_react(service):
    game = Game.begin(service, 3)
    for token, code in ((guest(service).token, "not_seated"), (None, "not_seated"), ("x.y", "unauthenticated")):
        assert refusal(service.reactions.react, token, game.id, "ouch").code == code
    service.tables.leave(game.token(1), game.id, words=EN)
    react(service, game, 1)
    react(service, game, 0)
    service.administration.ban(game.guests[0].id)
    assert refusal(react, service, game, 0).code == "banned"
    service.administration.erase(game.guests[2].id)
    assert refusal(react, service, game, 2).code == "unauthenticated"


async def test_reactions_go_on_for_ten_minutes_after_the_end(service, feeds_of, clock, stored):
    game = Game.begin(service, 2)
    feeds = feeds_of(service)
    staying = await follow(feeds, service, game, 0, 0, reactions=True)
    going = await follow(feeds, service, game, 0, 1)
    await asyncio.to_thread(game.play, random.Random(1))
    await asyncio.wait_for(going.ending.wait(), SECONDS)
    assert going.versions == staying.versions == list(range(1, game.view()["version"] + 1))
    late = await follow(feeds, service, game, game.view()["version"], 1, reactions=True)
    assert (await follow(feeds, service, game, 0, 1)).closed
    await listening(game, stored)
    await asyncio.to_thread(react, service, game, 1, "well_played")
    for stream in (staying, late):
        await until(lambda stream=stream: stream.told[-1:] == [reaction(1, "well_played")])
        assert not stream.closed
    clock.advance(AFTER_THE_END_MS / 1000)
    assert refusal(react, service, game, 0).code == "game_over"
    for stream in (staying, late):
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
    assert (
        service.game_streams.begin(None, game.id, after=game.view()["version"], words=EN, reactions=True).complete
        is True
    )
    feeds.close()
