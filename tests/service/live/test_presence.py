"""Open tables by whether their hosts are there: seen in the last minute, absent, or gone for ten."""

import asyncio

import pytest

from games.errors import Unavailable
from service.live.feeds import LOBBY
from service.store import keys
from service.store.lists.presence import AT_ONCE, LISTED_MS, PRESENT_MS, WRITE_MS, Presence
from tests.service.at_table import EN, Game, guest
from tests.service.live.followers import Reader

MINUTE, TEN_MINUTES = PRESENT_MS / 1000, LISTED_MS / 1000


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Hosts are looked at each time, not every few seconds."""
    monkeypatch.setattr("service.live.lobby_changes.RECONCILE_SECONDS", 0)
    monkeypatch.setattr("service.live.lobby_changes.HOSTS_SECONDS", 0)


def listed(service, **asked):
    """Returns the open tables in the lobby, in order, with whether their hosts are there."""
    items = service.lobby.public(None, words=EN, **asked)["items"]
    return [(item["id"], item["host_present"]) for item in items if item["status"] == "open"]


def streamed(service):
    """Returns the open tables with which a stream of the lobby begins."""
    games = [change["game"] for change in service.lobby_changes.begin(None).changes]
    return {game["id"]: game["host_present"] for game in games if game["status"] == "open"}


def away(*_):
    raise Unavailable("away")


class Follower:
    """Somebody who follows the lobby from now on."""

    def __init__(self, service):
        self.service = service
        self.at = service.lobby_changes.begin(None).version

    def news(self):
        self.service.lobby_changes.counts([LOBBY])
        found = self.service.lobby_changes.after(LOBBY, self.at, 100)
        self.at = found[-1]["cursor"] if found else self.at
        return [(change["type"], change["game"]["id"], change["game"]["host_present"]) for change in found]


def seen(service, player):
    service.presence.note(player)
    service.presence.write()


def test_who_opens_a_table_is_there_and_after_a_minute_without_a_call_no_more(service, another, clock):
    game = Game.open(service, "creator", "open").id
    other = another()
    clock.advance(MINUTE - 1)
    assert listed(other) == [(game, True)]
    assert streamed(other) == {game: True}
    clock.advance(2)
    assert listed(other) == [(game, False)]
    assert streamed(other) == {game: False}


def test_a_call_in_any_process_is_known_to_all(service, another, clock):
    game = Game.open(service, "creator", "open")
    clock.advance(2 * MINUTE)
    seen(another(), game.creator.id)
    assert listed(service) == listed(another()) == [(game.id, True)]


def test_tables_with_absent_hosts_sink_and_after_ten_minutes_leave_the_list_until_the_host_is_back(service, clock):
    old, new = [], []
    for games, count in ((old, 3), (new, 2)):
        clock.advance(2 * MINUTE)
        for _ in range(count):
            clock.advance(1)
            games.append(Game.open(service, "creator", "open"))
    seen(service, old[1].creator.id)
    there, absent = [new[1], new[0], old[1]], [old[2], old[0]]
    for asked in ({}, {"status": "open"}):
        assert listed(service, **asked) == [(game.id, True) for game in there] + [(game.id, False) for game in absent]
    pages, cursor = [], None
    for _ in range(3):
        page = service.lobby.public(None, status="open", limit=2, cursor=cursor, words=EN)
        pages, cursor = [*pages, *(item["id"] for item in page["items"])], page["next_cursor"]
    assert (pages, cursor) == ([game.id for game in (*there, *absent)], None)
    clock.advance(TEN_MINUTES - MINUTE - 30)
    for game in there:
        seen(service, game.creator.id)
    clock.advance(40)
    assert listed(service) == [(game.id, True) for game in there]
    assert streamed(service) == {game.id: True for game in there}
    seen(service, absent[0].creator.id)
    assert listed(service) == [(new[1].id, True), (new[0].id, True), (old[2].id, True), (old[1].id, True)]
    assert [item["id"] for item in service.lobby.mine(absent[1].creator.token, words=EN)["items"]] == [absent[1].id]


def test_followers_are_told_when_a_host_goes_and_comes_back(service, clock):
    follower = Follower(service)
    game = Game.open(service, "creator", "open")
    assert follower.news() == [("opened", game.id, True)]
    clock.advance(MINUTE + 1)
    assert follower.news() == [("changed", game.id, False)]
    assert follower.news() == []
    clock.advance(TEN_MINUTES)
    assert follower.news() == [("gone", game.id, False)]
    assert follower.news() == []
    seen(service, game.creator.id)
    assert follower.news() == [("opened", game.id, True)]
    assert streamed(service) == {game.id: True}


def test_several_processes_tell_it_once(service, another, clock):
    others = [Follower(another()) for _ in range(3)]
    game = Game.open(service, "creator", "open")
    clock.advance(MINUTE + 1)
    for one in others:
        one.service.lobby_changes.counts([LOBBY])
    assert [one.news() for one in others] == [[("opened", game.id, True), ("changed", game.id, False)]] * 3


def test_a_table_that_is_not_shown_comes_up_when_it_starts(service, clock):
    follower = Follower(service)
    game = Game.open(service, "creator", "open")
    clock.advance(TEN_MINUTES + 1)
    assert [kind for kind, *_ in follower.news()] == ["opened", "gone"]
    game.fill()  # by somebody who has its address
    assert follower.news() == [("opened", game.id, None)]
    assert listed(service) == []
    assert [item["id"] for item in service.lobby.public(None, status="active", words=EN)["items"]] == [game.id]


def test_a_table_that_is_called_off_unseen_is_no_news(service, client, clock):
    follower = Follower(service)
    game = Game.open(service, "creator", "open")
    clock.advance(TEN_MINUTES + 1)
    assert [kind for kind, *_ in follower.news()] == ["opened", "gone"]
    service.tables.abort(game.creator.token, game.id, words=EN)
    assert follower.news() == []
    assert client.hgetall(keys.HOSTS) == {}


async def test_an_open_stream_of_the_host_counts_without_any_call(service, feeds_of, clock):
    game = Game.open(service, "creator", "open")
    host = game.creator

    clock.advance(TEN_MINUTES + 1)
    assert listed(service) == []

    feeds = feeds_of(service)
    start = service.notices.begin(host.token)
    reader = Reader(start.version, start.caller, start.proof)
    await feeds.notices.join(host.id, reader)
    while listed(service) != [(game.id, True)]:
        await asyncio.sleep(0.05)
    feeds.close()


def test_a_process_writes_of_a_player_once_in_a_while_and_of_many_at_once(service, client, clock):
    presence = Presence(service.redis)
    for number in range(2 * AT_ONCE):
        presence.note(f"p{number}")
    client.config_resetstat()
    presence.write()
    presence.write()
    assert client.info("commandstats")["cmdstat_zadd"]["calls"] == 2
    assert client.zcard(keys.SEEN) == 2 * AT_ONCE
    clock.advance(WRITE_MS / 1000 - 1)
    presence.note("p0")
    presence.write()
    assert client.info("commandstats")["cmdstat_zadd"]["calls"] == 2
    clock.advance(1)
    presence.write()
    assert client.info("commandstats")["cmdstat_zadd"]["calls"] == 3, "what was seen last is written, too"
    assert client.zscore(keys.SEEN, "p0") == clock() - 1000
    clock.advance(TEN_MINUTES + 1)
    presence.note("p1")
    presence.write()
    assert client.zrange(keys.SEEN, 0, -1) == [b"p1"], "nobody is remembered for longer than it matters"


def test_of_an_erased_player_nothing_is_left(service, client):
    player = guest(service)
    seen(service, player.id)
    service.administration.erase_me(player.token)
    seen(service, player.id)  # as the call by which they were erased ends
    assert client.zrange(keys.SEEN, 0, -1) == []


def test_after_a_loss_or_a_rebuild_hosts_are_looked_up_anew(service, client, clock):
    game = Game.open(service, "creator", "open")
    clock.advance(2 * MINUTE)
    seen(service, game.creator.id)
    client.delete(keys.SEEN, keys.HOSTS, keys.LISTED)
    assert listed(service) == [(game.id, True)], "this process remembers"
    clock.advance(WRITE_MS / 1000)
    seen(service, game.creator.id)
    assert streamed(service) == {game.id: True}


def test_while_it_cannot_be_read_who_was_seen_tables_are_listed(service, clock, monkeypatch):
    game = Game.open(service, "creator", "open")
    clock.advance(2 * MINUTE)
    monkeypatch.setattr(Presence, "seen", away)
    assert listed(service) == [(game.id, True)]
