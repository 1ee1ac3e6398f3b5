"""The hub that carries events to those who follow games: gaps, lost connections, what is not heard, and ends."""

import asyncio
import random

import orjson
import pytest
from redis.asyncio.connection import AbstractConnection

from engine.views import WATCHER
from games.errors import Refused, Unavailable
from service.live import game_feeds, hub
from service.store import channels, keys
from tests.service.at_table import EN, Game, guest, read
from tests.service.live.followers import SECONDS, Noting, follow, sit, until


async def test_every_stream_gets_what_its_viewer_may_see_once_and_in_order(service, another, feeds_of):
    game = Game.begin(service, 3)
    rng = random.Random(1)

    feeds = feeds_of(another())
    streams = {}
    for viewer in (None, 0, 1, 2):
        for after in (0, 2, game.view()["version"]):
            streams[viewer, after] = await follow(feeds, service, game, after, viewer)
    await asyncio.to_thread(game.play, rng)
    newest = game.view()["version"]
    for (viewer, after), stream in streams.items():
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
        assert stream.told == game.events(viewer, after=after), (viewer, after)
        assert stream.versions == list(range(after + 1, newest + 1))
        if viewer is not None:
            assert stream.told == game.events(None, after=after, as_=viewer), "a replay is what was streamed"
    late = await follow(feeds, service, game, newest - 5)
    assert late.versions == list(range(newest - 4, newest + 1))
    assert late.closed
    feeds.close()


async def test_frames_count_the_hints_that_are_asked_for_while_the_game_is_followed(service, another, feeds_of):
    game = Game.begin(service, 2)
    feeds = feeds_of(another())
    stream = await follow(feeds, service, game, game.view()["version"], frames=True)
    seat = game.view()["to_act"]
    service.hints.read(game.token(seat), game.id, words=EN)
    await asyncio.to_thread(game.play, random.Random(1))
    await asyncio.wait_for(stream.ending.wait(), SECONDS)
    hints = [[one["hints"] for one in frame["game"]["seats"]] for frame in stream.told]
    assert {tuple(one) for one in hints} == {(int(seat == 0), int(seat == 1))}
    assert stream.told[-1]["game"]["status"] == "finished"
    feeds.close()


async def test_replays_are_made_one_at_a_time(service, feeds_of):
    game = Game.begin(service, 2)
    game.play(random.Random(2))

    feeds = feeds_of(service)
    hub, frames = feeds.games.hub, feeds.games.frames
    run_in_thread, both_read = hub.run, asyncio.Event()
    reads, made, at_once = [], [], []

    async def counted(call, *arguments):
        if call == frames.shown:
            made.append(call)
            at_once.append(len(made))
            await both_read.wait()
        told = await run_in_thread(call, *arguments)
        if call == frames.shown:
            made.pop()
        elif call == frames.read:
            reads.append(call)
            if len(reads) == 2:
                both_read.set()
        return told

    hub.run = counted
    streams = await asyncio.gather(*[follow(feeds, service, game, texts=True) for _ in range(2)])
    assert set(at_once) == {1}
    newest = game.view()["version"]
    assert [stream.versions for stream in streams] == [list(range(1, newest + 1))] * 2
    feeds.close()


def get_up(service, game, player):
    return read(service.tables.leave(player.token, game.id, words=EN))["version"]


LOSING = {
    "declines": lambda service, game, invited: service.tables.leave(invited.token, game.id, words=EN),
    "is not wanted": lambda service, game, invited: service.tables.clear_seat(game.creator.token, game.id, 1, words=EN),
}


@pytest.mark.parametrize("by", ["token", "ticket"])
@pytest.mark.parametrize("how", LOSING)
async def test_who_is_not_invited_any_more_sees_no_more_of_an_unlisted_game(service, another, feeds_of, how, by):
    game = Game.open(service, "creator", "open", "open", visibility="unlisted")
    invited = guest(service, "Ben")
    service.tables.take_seat(game.creator.token, game.id, {"player": invited.id, "seat": 1}, words=EN)
    code = game.view(creator=True)["join_code"]

    def ticket(**more):
        return service.tickets.issue(invited.token, game.id, **more)["ticket"]

    def begin(token=None, **more):
        return service.game_streams.begin(token, game.id, after=0, words=EN, **more)

    def refused(*arguments, **more):
        with pytest.raises(Refused) as refusal:
            begin(*arguments, **more)
        return refusal.value.code

    unused = ticket()

    feeds = feeds_of(another())
    start = begin(invited.token) if by == "token" else begin(ticket=ticket())
    stream, watcher = Noting(start), Noting(begin(join_code=code))
    for one in (stream, watcher):
        await feeds.games.join(one.start, one)
    await asyncio.to_thread(LOSING[how], service, game, invited)
    await asyncio.wait_for(stream.ending.wait(), SECONDS)
    lost = stream.versions[-1]
    await asyncio.to_thread(sit, service, game, guest(service, "Cleo"), 2, join_code=code)
    await until(lambda: watcher.version > lost)
    assert (stream.versions, watcher.closed) == (list(range(1, lost + 1)), False)
    feeds.close()
    assert refused(invited.token) == "join_code_wrong"
    assert refused(ticket=unused) == "join_code_wrong"
    assert begin(ticket=ticket(join_code=code)).follower_view.viewer == WATCHER


@pytest.mark.parametrize("after", [0, 4])
async def test_who_gets_up_sees_nothing_of_the_next_on_the_seat(service, feeds_of, after):
    game = Game.open(service, "creator", "open", "open")
    before, left = guest(service, "Ben"), guest(service, "Cleo")
    sit(service, game, before, 1)
    get_up(service, game, before)
    sit(service, game, left, 1)
    game.guests[1] = left

    feeds = feeds_of(service)
    watcher = await follow(feeds, service, game, after)
    early = await follow(feeds, service, game, after, 1)
    start = service.game_streams.begin(left.token, game.id, after=after, words=EN)
    vacated = get_up(service, game, left)
    await asyncio.wait_for(early.ending.wait(), SECONDS)
    game.fill()
    await until(lambda: watcher.version == game.view()["version"])
    late = Noting(start)  # admitted when it was their seat, and joins when the next one has been dealt a card
    await feeds.games.join(start, late)
    for stream in (early, late):
        assert stream.closed
        assert stream.versions == list(range(after + 1, vacated + 1))
    assert not watcher.closed
    feeds.close()


@pytest.mark.parametrize("page", [1, 100])
async def test_who_knows_more_than_the_feed_of_their_game_gets_nothing_twice(service, feeds_of, monkeypatch, page):
    monkeypatch.setattr(game_feeds, "PAGE", page)
    game = Game.open(service, "creator", *["open"] * 4)
    known = game.view()["version"]
    game.guests |= {seat: guest(service, f"Guest {seat}") for seat in (1, 2, 3)}

    feeds = feeds_of(service)
    read, may_read = service.frames.read, asyncio.Event()
    loop = asyncio.get_running_loop()

    def held_up(*arguments):
        asyncio.run_coroutine_threadsafe(may_read.wait(), loop).result(SECONDS)
        return read(*arguments)

    feeds.games.frames.read = held_up
    for seat in (1, 2):
        sit(service, game, game.guests[seat], seat)
    waiting = asyncio.create_task(feeds.games.wait(game.id, known, SECONDS))
    await asyncio.sleep(0)
    still_waiting = asyncio.create_task(feeds.games.wait(game.id, known + 3, SECONDS))
    watcher = await follow(feeds, service, game, known + 2)
    late = await follow(feeds, service, game, known + 2, 3)
    sit(service, game, game.guests[3], 3)
    may_read.set()
    await asyncio.wait_for(late.ending.wait(), SECONDS)
    await until(lambda: watcher.version == game.view()["version"])
    assert watcher.versions == list(range(known + 3, watcher.version + 1))
    assert late.versions == [known + 3]
    await waiting
    assert not still_waiting.done()
    feeds.close()


async def test_a_lost_connection_leaves_no_gap(service, client, feeds_of):
    game = Game.begin(service, 2)
    rng = random.Random(5)

    feeds = feeds_of(service)
    stream = await follow(feeds, service, game)
    lost = 0
    for _ in range(5):
        await asyncio.to_thread(game.step, rng)
        await until(lambda: client.client_list(_type="pubsub"))
        lost += client.client_kill_filter(_type="pubsub")
        await asyncio.to_thread(game.step, rng)
    await asyncio.to_thread(game.play, rng)
    await asyncio.wait_for(stream.ending.wait(), SECONDS)
    assert stream.versions == list(range(1, game.view()["version"] + 1))
    assert lost >= 3
    feeds.close()


@pytest.mark.parametrize("frames", [False, True])
async def test_a_redis_that_is_away_while_events_are_put_into_words_leaves_no_gap(
    service, feeds_of, monkeypatch, frames
):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 1000.0)
    game = Game.begin(service, 2)
    rng = random.Random(6)

    feeds = feeds_of(service)
    plain = await follow(feeds, service, game)
    stream = await follow(feeds, service, game, texts=True, frames=frames)
    await until(lambda: plain.version == stream.version == game.view()["version"])
    shown, away = service.frames.shown, []

    def first_away(follower_views, *game):
        if stream.follower_view in follower_views and not away:
            away.append(game)
            raise Unavailable("away")
        return shown(follower_views, *game)

    feeds.games.frames.shown = first_away
    before = stream.version
    await asyncio.to_thread(game.step, rng)
    await until(lambda: away)
    late = await follow(feeds, service, game, texts=True, frames=frames)
    await until(lambda: stream.version > before)
    later = await follow(feeds, service, game, before)
    assert later.versions == list(range(before + 1, stream.version + 1))
    await asyncio.to_thread(game.play, rng)
    for one in (plain, stream, late):
        await asyncio.wait_for(one.ending.wait(), SECONDS)
    assert plain.versions == list(range(1, game.view()["version"] + 1))
    read = service.game_streams.begin(None, game.id, after=0, words=EN, texts=True, frames=frames)
    rest = list(service.game_streams.rest(read))
    assert orjson.dumps(stream.told) == orjson.dumps(late.told) == orjson.dumps(rest)
    feeds.close()


async def test_a_hub_that_closes_while_it_connects_leaves_no_connection(service, monkeypatch):
    game = Game.begin(service, 2)
    connecting = []

    async def stands_still(connection, *arguments, **more):
        connecting.append(connection)
        await asyncio.sleep(SECONDS)

    monkeypatch.setattr(AbstractConnection, "read_response", stands_still)

    feeds = service.feeds()
    await follow(feeds, service, game)
    await until(lambda: connecting)
    assert connecting[0].is_connected
    feeds.close()
    await until(lambda: not connecting[0].is_connected)


async def test_what_was_never_published_is_found_by_the_sweep(service, client, feeds_of, monkeypatch):
    game = Game.begin(service, 2)
    # Nothing is heard.
    monkeypatch.setattr(channels, "feed", lambda name: f"billet:{{{name}}}:nothing")

    feeds = feeds_of(service)
    stream = await follow(feeds, service, game)
    await until(lambda: stream.version == game.view()["version"])
    waiting = asyncio.create_task(feeds.games.wait(game.id, stream.version, 10 * SECONDS))
    await asyncio.to_thread(game.step, random.Random(1))
    await asyncio.wait_for(waiting, SECONDS)
    await until(lambda: stream.version == game.view()["version"])
    assert stream.versions == list(range(1, stream.version + 1))
    feeds.close()


async def subscribed(feeds, service, client, game):
    """Returns a stream that has all of a game so far, and the channel to which its feed is subscribed."""
    stream, channel = await follow(feeds, service, game), service.redis.channel(channels.feed(game.id))
    await until(lambda: stream.version == game.view()["version"])
    await until(lambda: client.pubsub_numsub(channel)[0][1] == 1)
    return stream, channel


@pytest.mark.parametrize("said", ["first_lost", "version_alone", "old", "unknown"])
async def test_what_is_heard_is_but_a_hint(service, client, feeds_of, said):
    game = Game.begin(service, 2)

    feeds = feeds_of(service)
    stream, channel = await subscribed(feeds, service, client, game)
    before = stream.version
    match said:
        case "first_lost":
            client.publish(channel, f"{before + 2}\nnothing that is read")
        case "version_alone":
            client.publish(channel, str(before + 2))
        case "old":
            client.publish(channel, f"{before}\nnothing that is read")
        case "unknown":
            client.publish(channel, "?what another version of the service says")
    await asyncio.to_thread(game.step, random.Random(1))
    await until(lambda: stream.version == game.view()["version"])
    assert stream.versions == list(range(1, stream.version + 1))
    feeds.close()


async def test_a_clock_runs_out_although_no_worker_is_there(service, feeds_of, clock):
    game = Game.begin(service, 2, clock={"seconds": 3, "on_timeout": "forfeit"})

    feeds = feeds_of(service)
    stream = await follow(feeds, service, game, game.view()["version"])
    clock.ms += 3000 + game_feeds.LATE_MS + 1
    await asyncio.wait_for(stream.ending.wait(), SECONDS)
    assert stream.told[0]["type"] == "seat_left"
    feeds.close()


async def test_a_wait_ends_with_an_event_its_time_or_the_end_of_everything(service, feeds_of):
    game = Game.begin(service, 2)

    feeds = feeds_of(service)
    loop = asyncio.get_running_loop()
    newest = game.view()["version"]
    long = 10 * SECONDS
    await asyncio.wait_for(feeds.games.wait(game.id, newest - 1, long), SECONDS)  # there is one already
    begun = loop.time()
    await asyncio.wait_for(feeds.games.wait(game.id, newest, 0.3), SECONDS)
    assert loop.time() - begun > 0.25
    waiting = [asyncio.create_task(feeds.games.wait(game.id, newest, long)) for _ in range(3)]
    await asyncio.to_thread(game.step, random.Random(1))
    await asyncio.wait_for(asyncio.gather(*waiting), SECONDS)
    last = asyncio.create_task(feeds.games.wait(game.id, game.view()["version"], long))
    await asyncio.sleep(0.1)
    feeds.close()
    await asyncio.wait_for(last, SECONDS)
    for feed, whose in ((feeds.games, game.id), (feeds.notices, game.creator.id)):
        await asyncio.wait_for(feed.wait(whose, game.view()["version"], long), SECONDS)
    assert (await follow(feeds, service, game)).closed


async def test_games_that_nobody_follows_are_forgotten(service, client, feeds_of):
    game = Game.begin(service, 2)

    feeds = feeds_of(service)
    stream = await follow(feeds, service, game)
    await until(lambda: client.pubsub_numsub(service.redis.channel(channels.feed(game.id)))[0][1] == 1)
    await feeds.games.wait(game.id, stream.version, 0.01)
    feeds.leave(stream)
    await until(lambda: client.pubsub_numsub(service.redis.channel(channels.feed(game.id)))[0][1] == 0)
    again = await follow(feeds, service, game)
    await asyncio.to_thread(game.step, random.Random(1))
    await until(lambda: again.version == game.view()["version"])
    assert stream.version < again.version
    feeds.close()


async def test_streams_end_when_the_log_has_gone_back(service, client, feeds_of):
    game = Game.begin(service, 2)

    feeds = feeds_of(service)
    stream = await follow(feeds, service, game)
    await until(lambda: stream.version == game.view()["version"])
    client.hset(keys.meta(game.id), "head", "2:abcd")
    assert await asyncio.wait_for(stream.ending.wait(), SECONDS)
    feeds.close()


async def test_the_streams_of_a_feed_that_fails_end(service, client, feeds_of, caplog):
    game = Game.begin(service, 2)

    feeds = feeds_of(service)
    stream, channel = await subscribed(feeds, service, client, game)
    client.publish(channel, f"{stream.version + 1}\nno event")
    await asyncio.wait_for(stream.ending.wait(), SECONDS)
    again = await follow(feeds, service, game)
    await asyncio.to_thread(game.step, random.Random(1))
    await until(lambda: again.version == game.view()["version"])
    feeds.close()
    assert "has failed; its streams are ended" in caplog.text


async def test_a_stream_whose_feed_ends_while_it_joins_ends_too(service, feeds_of):
    game = Game.begin(service, 2)

    feeds = feeds_of(service)

    class Late(Noting):
        async def room(self):
            feeds.games.hub.forget(feeds.games._feed(game.id, 0))

    first = await follow(feeds, service, game, game.view()["version"])
    start = service.game_streams.begin(game.token(0), game.id, after=0, words=EN)
    late = Late(start)
    await feeds.games.join(start, late)
    assert first.closed
    assert late.closed
    feeds.close()
