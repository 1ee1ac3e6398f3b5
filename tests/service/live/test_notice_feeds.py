"""Streams of notices get each once; they end with their token, and when Redis no longer has what they were sent."""

import asyncio

from service.live import cursor_feeds, hub
from service.live.feeds import LOBBY
from service.store import channels
from tests.service.at_table import Game, guest
from tests.service.live.followers import SECONDS, Reader, follow, until


async def reading(feeds, service, token):
    """Returns a stream of a player's notices from now on."""
    start = service.notices.begin(token)
    stream = Reader(start.version, start.caller, start.proof)
    await feeds.notices.join(start.caller, stream)
    return stream


async def test_after_a_lost_connection_tokens_are_read_before_a_notice_is_written(service, client, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 1000.0)
    game = Game.begin(service)
    service.notifier.settle()
    (old, stays), third = game.guests.values(), guest(service)

    feeds = service.feeds()
    streams = [await reading(feeds, service, one.token) for one in (old, stays)]
    ends = await reading(feeds, service, third.token)
    names = [channels.TOKENS, *(channels.new_notices(one.id) for one in (old, stays, third))]
    names = [service.redis.channel(name) for name in names]
    await until(lambda: [hubs for _, hubs in client.pubsub_numsub(*names)] == [1, 1, 1, 1])
    service.players.rotate(third.token)  # heard once the first feed is subscribed
    followed = [feeds.notices._feed(one.id) for one in (old, stays)]
    await until(lambda: ends.closed and all(feed.work is None for feed in followed))
    assert client.client_kill_filter(_type="pubsub") == 1
    service.players.rotate(old.token)
    service.administration.abort(game.id)
    service.notifier.settle()
    await until(lambda: streams[0].closed and streams[1].got)
    assert streams[0].got == []
    assert not streams[1].closed
    feeds.close()


async def test_one_who_knows_more_than_a_restored_redis_is_cut_off(service, client, feeds_of):
    game = Game.open(service, "creator", "open", "open")
    host = game.creator
    service.notices.begin(host.token)
    service.notifier.settle()
    kept = {key: client.dump(key) for key in client.keys("*")}
    game.fill()
    service.notifier.settle()

    feeds = feeds_of(service)
    old = await reading(feeds, service, host.token)
    feed = feeds.notices._feed(host.id)
    await until(lambda: client.pubsub_numsub(service.redis.channel(feed.channel))[0][1] and feed.work is None)
    with client.pipeline() as at_once:
        at_once.flushdb()
        for key, value in kept.items():
            at_once.restore(key, 0, value)
        at_once.execute()
    await reading(feeds, service, host.token)  # beside which the feed is up to date
    await until(lambda: old.closed)
    feeds.close()


async def test_what_was_never_published_is_found_by_the_sweep(service, client, feeds_of, monkeypatch):
    monkeypatch.setattr(hub, "AT_ONCE", 1)
    game = Game.begin(service)
    service.notifier.settle()

    feeds = feeds_of(service)
    for some in (feeds.notices, feeds.lobby):
        some._channel = lambda whose: f"{whose}:nothing"
    players = list(game.guests.values())
    streams = [await reading(feeds, service, player.token) for player in players]
    streams.append(Reader(service.lobby_changes.begin(None).version))
    await feeds.lobby.join(LOBBY, streams[-1])
    followed = [*(feeds.notices._feed(player.id) for player in players), feeds.lobby._feed(LOBBY)]
    for feed in followed:
        await until(
            lambda feed=feed: client.pubsub_numsub(service.redis.channel(feed.channel))[0][1] and feed.work is None
        )
    await asyncio.to_thread(service.administration.abort, game.id)
    await until(lambda: all(stream.got for stream in streams))
    feeds.close()


def test_a_notice_sent_while_a_stream_begins_is_not_lost(service, monkeypatch):
    game = Game.open(service, "creator", "open")
    read_open = service.notices._open

    def and_then(player):
        found = read_open(player)
        service.administration.abort(game.id)
        service.notifier.settle()
        return found

    service.notices.begin(game.creator.token)
    monkeypatch.setattr(service.notices, "_open", and_then)
    start = service.notices.begin(game.creator.token)
    assert [one["type"] for one in service.notices.after(game.creator.id, start.version, 10)] == ["game_over"]


async def test_each_of_several_followers_gets_what_they_lack_once(service, feeds_of, monkeypatch):
    monkeypatch.setattr(cursor_feeds, "PAGE", 1)
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 1000.0)
    game = Game.open(service, "creator", *["open"] * 3)
    host = game.creator
    before = service.notices.begin(host.token)
    game.fill()
    service.notifier.settle()
    after = service.notices.begin(host.token)
    assert after.version > before.version + 1

    feeds = feeds_of(service)
    late, early = (Reader(start.version, start.caller, start.proof) for start in (after, before))
    for stream in (late, early):
        await feeds.notices.join(host.id, stream)
    await until(lambda: early.version == after.version)
    await asyncio.to_thread(service.administration.abort, game.id)
    service.notifier.settle()
    newest = service.notices.begin(host.token).version
    await until(lambda: early.version == late.version == newest)
    for stream, start in ((early, before), (late, after)):
        cursors = [notice["cursor"] for notice in stream.got]
        assert cursors == list(range(start.version + 1, newest + 1))
    feeds.close()


async def test_what_comes_while_the_sweep_reads_is_not_taken_for_a_restored_redis(service, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 1000.0)  # the hub's own would find the versions made up here too high
    game = Game.begin(service)
    service.notifier.settle()

    feeds = service.feeds()
    watcher, notices = await follow(feeds, service, game), await reading(feeds, service, game.creator.token)
    played, told = feeds.games._feed(game.id, 0), feeds.notices._feed(game.creator.id)
    await until(lambda: watcher.version == game.view()["version"] and played.work is told.work is None)
    heads, counts = service.game_streams.heads, service.notices.counts

    def heads_before(games):
        found = heads(games)
        played.version += 1
        return found

    def counts_before(players):
        found = counts(players)
        notices.version += 1
        return found

    feeds.games.game_streams.heads, feeds.notices.origin.counts = heads_before, counts_before
    await feeds.games.look([played])
    await feeds.notices.look([told])
    assert not watcher.closed
    assert not notices.closed
    feeds.close()


async def test_a_long_poll_after_what_is_not_kept_any_more_is_over_at_once(service, feeds_of):
    host = Game.open(service, "creator", "open").creator
    cursor = service.notices.begin(host.token).version + 10  # as after a restore

    feeds = feeds_of(service)
    async with asyncio.timeout(SECONDS):
        await feeds.notices.wait(host.id, cursor, 10 * SECONDS)
    feeds.close()
