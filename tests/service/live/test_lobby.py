"""Following the lobby: every change once and in order, whoever made it; what was not written is found."""

import asyncio

import pytest

from games.errors import Unavailable
from service import Settings, build
from service.live.feeds import LOBBY
from service.store import keys
from service.store.lists.listing import ATTEMPTS, Listing
from service.store.redis.client import RedisClient, connect
from tests.service.at_table import EN, Game, guest
from tests.service.live.followers import Reader, until
from tests.service.tables.inviting import invited, kept, table


def follow(known, changes):
    """Applies changes to a lobby as a client does, checking that each fits what is known."""
    for change in changes:
        game = change["game"]["id"]
        assert (game in known) == (change["type"] != "opened")
        if change["type"] == "gone":
            del known[game]
        else:
            known[game] = change["game"]
    return known


def listed(service):
    """Returns the open and running games of the list."""
    return {game["id"]: game for status in ("open", "active") for game in service.lobby.public(None, status)["items"]}


def seated(games):
    return {game: (item["status"], item["seats"]) for game, item in games.items()}


def several_changes(service):
    """Makes every kind of change, and returns the types that followers must see, by game."""
    waiting = Game.open(service, "creator", "open")
    aborted = Game.open(service, "creator", "open")
    service.tables.abort(aborted.creator.token, aborted.id, words=EN)
    ended = Game.begin(service)
    service.tables.leave(ended.token(0), ended.id, words=EN)
    running = Game.begin(service)
    Game.open(service, "creator", "open", visibility="unlisted")
    return {
        waiting.id: ["opened"],
        aborted.id: ["opened", "gone"],
        ended.id: ["opened", "changed", "gone"],
        running.id: ["opened", "changed"],
    }


def by_game(changes):
    found = {}
    for change in changes:
        found.setdefault(change["game"]["id"], []).append(change["type"])
    return found


def test_changes_come_in_order_and_can_be_resumed_after_each(service):
    start = service.lobby_changes.begin(None)
    assert start.changes == []
    expected = several_changes(service)
    changes = service.lobby_changes.begin(None, start.version).changes
    assert by_game(changes) == expected
    assert [change["cursor"] for change in changes] == list(range(start.version + 1, start.version + 1 + len(changes)))
    for done, change in enumerate(changes, 1):
        assert service.lobby_changes.begin(None, change["cursor"]).changes == changes[done:]
    now = service.lobby_changes.begin(None)
    assert {change["type"] for change in now.changes} == {"opened"}
    assert seated(follow({}, now.changes)) == seated(follow({}, changes)) == seated(listed(service))


def test_who_is_invited_has_a_name_there(service):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    table(service, ann, kept(ben))
    (change,) = service.lobby_changes.begin(None).changes
    assert change["game"]["seats"][0]["player"]["name"] == "Ann"
    assert invited(change["game"]) == [None, "Ben"]


def test_a_move_is_no_change(service):
    rounds = [{"starter": 0, "order": ["princess", "spy", "guard", "guard", "handmaid", "handmaid"]}]
    game = Game.begin(service, seats=3, sandbox={"rounds": rounds})
    before = service.lobby_changes.begin(None)
    game.act(0, game.legal(0)[0])
    assert service.lobby_changes.begin(None, before.version).changes == []


@pytest.mark.parametrize("after", [0, 10**9])
def test_one_who_comes_back_too_late_begins_with_the_present_lobby(service, client, after):
    several_changes(service)
    client.xtrim(keys.LISTED_CHANGES, maxlen=2, approximate=False)
    start = service.lobby_changes.begin(None, after)
    assert {(change["cursor"], change["type"]) for change in start.changes} == {(None, "opened")}
    assert seated(follow({}, start.changes)) == seated(listed(service))


def test_what_was_not_written_is_found(service, monkeypatch):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    gone, stays, starts = (Game.open(service, "creator", "open") for _ in range(3))
    start = service.lobby_changes.begin(None)
    with monkeypatch.context() as broken:
        broken.setattr(Listing, "update", lambda *_: None)
        service.tables.abort(gone.creator.token, gone.id, words=EN)
        new = Game.open(service, "creator", "open")
        never = Game.open(service, "creator", "open")  # ends before anybody has seen it
        service.tables.abort(never.creator.token, never.id, words=EN)
        starts.fill()
    changes = service.lobby_changes.begin(None, start.version).changes
    assert by_game(changes) == {gone.id: ["gone"], new.id: ["opened"], starts.id: ["changed"]}
    now = follow({}, service.lobby_changes.begin(None).changes)
    assert set(now) == {stays.id, starts.id, new.id}
    assert seated(now) == seated(listed(service))


def test_a_change_whose_writer_died_is_found_though_the_status_is_the_same(service, monkeypatch, client):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    game = Game.open(service, "creator", "open", "open")
    early, start = service.games._log.read(game.id).snapshot, service.lobby_changes.begin(None)
    with monkeypatch.context() as broken:
        broken.setattr(Listing, "update", lambda *_: None)
        service.tables.take_seat(guest(service).token, game.id, {}, words=EN)
    Listing(service.redis).correct(early)  # one who writes late knows nothing of it
    assert by_game(service.lobby_changes.begin(None, start.version).changes) == {game.id: ["changed"]}
    assert seated(follow({}, service.lobby_changes.begin(None).changes)) == seated(listed(service))
    assert not client.exists(keys.STALE)


def test_a_table_that_was_not_opened_after_all_is_not_looked_for_again(service, monkeypatch, client):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    client.zadd(keys.STALE, {"nosuchgame": 2})
    service.lobby_changes.begin(None)
    assert client.exists(keys.STALE), "it may be about to open"
    service.lobby_changes.begin(None)
    assert not client.exists(keys.STALE)


def test_an_unlisted_table_is_not_listed_even_if_it_is_doubted(service, monkeypatch, client):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    before = service.lobby_changes.begin(None).version
    game = Game.open(service, "creator", "open", visibility="unlisted")
    client.zadd(keys.STALE, {game.id: 1})
    assert service.lobby_changes.begin(None).changes == []
    assert service.lobby_changes.begin(None, before).changes == []
    assert not client.hexists(keys.LISTED, game.id)


def test_the_lobby_is_read_while_redis_takes_no_corrections(service, monkeypatch, client):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    game = Game.open(service, "creator", "open")
    service.lobby_changes.begin(None)
    client.zadd(keys.STALE, {game.id: 100})
    client.hdel(keys.LISTED, game.id)
    try:
        client.config_set("maxmemory", "1mb")
        client.config_set("maxmemory-policy", "noeviction")
        assert service.lobby_changes.begin(None).changes == []
    finally:
        client.config_set("maxmemory", "0")
    assert [change["game"]["id"] for change in service.lobby_changes.begin(None).changes] == [game.id]


def test_a_game_that_no_longer_exists_leaves_the_lobby_as_it_was_listed(service):
    before = Game.open(service, "creator", "open").service.lobby_changes.begin(None)
    (opened,) = before.changes
    Listing(service.redis).remove(opened["game"]["id"])
    (gone,) = service.lobby_changes.begin(None, before.version).changes
    assert (gone["type"], gone["game"]) == ("gone", opened["game"])


def test_an_ended_game_is_not_read_again_and_again(service, monkeypatch, client):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    game = Game.open(service, "creator", "open")
    service.lobby_changes.begin(None)
    with monkeypatch.context() as broken:
        broken.setattr(Listing, "update", lambda *_: None)
        service.tables.abort(game.creator.token, game.id, words=EN)
    service.lobby_changes.begin(None)
    assert client.zscore(keys.lobby("open"), game.id) is None


@pytest.mark.parametrize("key", [keys.LISTED, keys.LISTED_CHANGES])
def test_a_lost_key_comes_back_by_itself_and_whoever_followed_begins_anew(service, client, clock, monkeypatch, key):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    for _ in range(3):
        Game.open(service, "creator", "open")
    start = service.lobby_changes.begin(None)
    clock.advance(1)  # the changes are numbered anew from the time in milliseconds: there were fewer
    client.delete(key)
    Game.open(service, "creator", "open")
    assert seated(follow({}, service.lobby_changes.begin(None).changes)) == seated(listed(service))
    again = service.lobby_changes.begin(None, start.version - 1).changes
    assert {change["type"] for change in again} == {"opened"}
    assert seated(follow({}, again)) == seated(listed(service))


def test_who_writes_late_brings_nothing_back(service):
    game = Game.open(service, "creator", "open")
    early = service.games._log.read(game.id).snapshot
    game.fill()
    start = service.lobby_changes.begin(None)
    listing = Listing(service.redis)
    listing.correct(early)
    service.administration.abort(game.id)
    listing.correct(early)
    assert by_game(service.lobby_changes.begin(None, start.version).changes) == {game.id: ["gone"]}


@pytest.mark.parametrize("attempts", [ATTEMPTS, 0], ids=["alone", "all"])
def test_a_stream_begins_with_the_newest_games(service, monkeypatch, attempts):
    monkeypatch.setattr("service.store.lists.listing.ATTEMPTS", attempts)
    monkeypatch.setattr("service.live.lobby_changes.MOST", 2)
    games = [Game.open(service, "creator", "open").id for _ in range(4)]
    start = service.lobby_changes.begin(None)
    created = {game["id"]: game["created_at"] for game in listed(service).values()}
    assert [change["game"]["id"] for change in start.changes] == sorted(games, key=lambda id: (created[id], id))[2:]


async def test_nobody_waits_for_one_who_reads_slowly(service, feeds_of):
    class Slow(Reader):
        async def room(self):
            if self.got:
                await asyncio.Event().wait()

    start = service.lobby_changes.begin(None).version
    readers = [Slow(start), Reader(start), Slow(start)]

    feeds = feeds_of(service)
    for reader in readers:
        await feeds.lobby.join(LOBBY, reader)
    for count in (1, 2):
        await asyncio.to_thread(Game.open, service, "creator", "open")
        await until(lambda count=count: all(reader.version == start + count for reader in readers))
    feeds.close()


async def test_only_those_are_cut_off_who_lack_a_change_that_is_no_longer_kept(service, client, feeds_of):
    old = Reader(service.lobby_changes.begin(None).version)
    for _ in range(3):
        Game.open(service, "creator", "open")
    client.xtrim(keys.LISTED_CHANGES, maxlen=1, approximate=False)
    new = Reader(old.version + 2)

    feeds = feeds_of(service)
    for reader in (new, old):
        await feeds.lobby.join(LOBBY, reader)
    await until(lambda: old.closed and new.got)
    assert not old.got
    assert not new.closed
    feeds.close()


async def test_a_change_waits_until_the_lobby_that_a_stream_begins_with_has_been_sent(service, feeds_of):
    class Long(Reader):
        def __init__(self):
            super().__init__(service.lobby_changes.begin(None).version)
            self.sent = asyncio.Event()

        async def room(self):
            await self.sent.wait()

    feeds = feeds_of(service)
    stays, hangs_up, late = streams = [Long() for _ in range(3)]
    other = Reader(stays.version)
    await feeds.lobby.join(LOBBY, other)
    joining = [asyncio.create_task(feeds.lobby.join(LOBBY, stream)) for stream in streams]
    await asyncio.to_thread(Game.open, service, "creator", "open")
    await until(lambda: other.got)
    assert stays.got == []
    hangs_up.end()
    for stream in (stays, hangs_up):
        stream.sent.set()
    await until(lambda: stays.got)
    await asyncio.gather(*joining[:2])
    assert feeds.lobby._feed(LOBBY).streams == {other, stays}
    feeds.close()
    late.sent.set()
    await joining[2]
    assert late.closed


@pytest.mark.parametrize("changes", [1, 2 * ATTEMPTS])
def test_the_newest_games_are_those_after_as_many_changes_as_are_counted(service, redis_url, changes):
    Game.begin(service)
    games = iter(range(changes))

    class Meanwhile(RedisClient):
        """Others open and start games after each look."""

        def send(self, *commands):
            replies = service.redis.send(*commands)
            for _ in zip(range(1), games, strict=False):
                Game.open(service, "creator", "open").fill()
            return replies

    count, entries = Listing(Meanwhile(connect(redis_url))).newest(100)
    assert count == Listing(service.redis).count()
    assert {entry["id"]: entry["status"] for entry in entries} == {
        game: item["status"] for game, item in listed(service).items()
    }


def test_beginning_and_following_do_not_read_all_games(service, client, monkeypatch):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    Game.begin(service)
    start = service.lobby_changes.begin(None)  # compares all games, once a minute
    Game.open(service, "creator", "open")
    client.config_resetstat()
    service.lobby_changes.begin(None)
    service.lobby_changes.counts([LOBBY])
    service.lobby_changes.begin(None, start.version)
    called = client.info("commandstats")
    assert "cmdstat_hmget" in called
    assert not {"cmdstat_hgetall", "cmdstat_hkeys", "cmdstat_zmscore"} & called.keys()


def test_a_game_in_the_place_of_another_is_found_by_comparing_all(service, client, monkeypatch):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    games = [Game.open(service, "creator", "open") for _ in range(3)]
    service.lobby_changes.begin(None)
    client.hdel(keys.LISTED, games[0].id)
    client.hset(keys.LISTED, "nosuchgame", b'1 {"id": "nosuchgame", "created_at": "2000", "seats": []}')
    service.lobby_changes.begin(None)
    assert client.hexists(keys.LISTED, "nosuchgame"), "their number is right"
    monkeypatch.setattr("service.live.lobby_changes.COMPARE_SECONDS", 0)
    service.lobby_changes.begin(None)
    assert {name.decode() for name in client.hkeys(keys.LISTED)} == {*(game.id for game in games), "changes"}


def test_all_games_are_compared_once_redis_is_back(client, proxy, monkeypatch):
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    service = build(Settings(redis_url=proxy.url))
    service.lobby_changes.begin(None)
    proxy.lose("before", "HLEN")
    with pytest.raises(Unavailable):
        service.lobby_changes.counts([LOBBY])
    client.config_resetstat()
    service.lobby_changes.counts([LOBBY])
    assert "cmdstat_hkeys" in client.info("commandstats")


async def followed(service, others):
    """Lets other processes change the lobby while this one follows it. Returns what was sent, and what should be."""
    start = service.lobby_changes.begin(None)
    reader = Reader(start.version)
    feeds = service.feeds()
    await feeds.lobby.join(LOBBY, reader)
    await asyncio.gather(*[asyncio.to_thread(several_changes, other) for other in others])
    last = service.lobby_changes.begin(None).version
    await until(lambda: reader.version >= last)
    feeds.close()
    last = reader.version
    changes = service.lobby_changes.begin(None, start.version).changes
    assert seated(follow({}, changes)) == seated(listed(service))
    return [change["cursor"] for change in reader.got], [*range(start.version + 1, last + 1)]


async def test_one_who_knows_more_than_a_restored_redis_is_cut_off(service, client, feeds_of):
    Game.open(service, "creator", "open")
    kept = {key: client.dump(key) for key in client.keys("*")}
    Game.open(service, "creator", "open")
    old = Reader(service.lobby_changes.begin(None).version)

    feeds = feeds_of(service)
    await feeds.lobby.join(LOBBY, old)
    with client.pipeline() as at_once:
        at_once.flushdb()
        for key, value in kept.items():
            at_once.restore(key, 0, value)
        at_once.execute()
    new = Reader(service.lobby_changes.begin(None).version)
    await feeds.lobby.join(LOBBY, new)
    await until(lambda: old.closed)
    assert not new.closed
    feeds.close()


async def test_a_follower_hears_what_several_processes_change(service, redis_url):
    got, expected = await followed(service, [build(Settings(redis_url=redis_url)) for _ in range(3)])
    assert got == expected


async def test_on_a_cluster_too(nodes, redis_url):
    settings = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)
    got, expected = await followed(build(settings), [build(settings) for _ in range(2)])
    assert got == expected
