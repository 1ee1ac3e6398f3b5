"""Two installations in two databases of one Redis: neither hears the other, although Redis publishes to both."""

import asyncio
import random

import redis

from service import build
from service.store import keys
from service.upkeep.backup import backup
from service.upkeep.backup_file import whole
from service.upkeep.restore import restore
from tests.service.at_table import Game
from tests.service.live.followers import Reader, follow, until


async def test_followers_of_a_copy_hear_nothing_of_the_original(service, there, client, feeds_of):
    """The copy has the same games, which a restored one would have called off."""
    game = Game.begin(service, 2, starter=0)
    with redis.Redis.from_url(there.redis_url) as other:
        for name in set(client.scan_iter()) - {keys.INSTALLATION.encode()}:
            if (dumped := client.dump(name)) is not None:  # what waits to be done may have been done since
                other.restore(name, 0, dumped)
    copy = build(there)
    copied = Game(copy, game.id, game.creator, game.guests)

    original, other = feeds_of(service), feeds_of(copy)
    heard = await follow(original, service, game)
    heard_there = await follow(other, copy, copied, 0, 0)
    begun = copy.lobby_changes.begin(None)
    lobby = Reader(begun.version)
    await other.lobby.join("", lobby)
    own = service.redis.channel(""), copy.redis.channel("")

    def channels():
        return [name.decode() for name in client.pubsub_channels()]

    await until(lambda: [sum(name.startswith(start) for name in channels()) for start in own] == [2, 3])
    await asyncio.to_thread(game.play, random.Random(1), 3)
    await asyncio.to_thread(service.players.rotate, game.creator.token)
    await asyncio.to_thread(copied.play, random.Random(2), 3)
    for stream, its, viewer in ((heard, game, None), (heard_there, copied, 0)):
        await until(lambda stream=stream, its=its: stream.version == its.view()["version"])
        assert stream.told == its.events(viewer)
    assert [event["version"] for event in heard.told] == list(range(1, game.view()["version"] + 1))
    assert (heard_there.closed, lobby.got) == (False, [])
    original.close()
    other.close()


def test_the_name_is_made_once_and_no_back_up_has_it(service, another, settings, there, client, tmp_path):
    Game.begin(service, 2)
    name = client.get(keys.INSTALLATION).decode()
    assert service.redis.channel("x") == another().redis.channel("x") == f"billet:{name}:x"
    backup(settings, tmp_path / "games.billet")
    restore(there, whole(tmp_path / "games.billet"))
    assert build(there).redis.channel("x") not in (service.redis.channel("x"), "billet:x")


def test_a_name_that_is_lost_is_kept_by_those_who_know_it(service, another, client):
    """As by a failover just after it was made: otherwise processes that start later would be heard by nobody."""
    before = service.redis.channel("x")
    client.flushdb()
    service.totals.report()
    assert another().redis.channel("x") == before
