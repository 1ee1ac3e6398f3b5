"""Writes the lists of games and players anew, from what their logs say. Every call may raise `Unavailable`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from games.snapshot import Snapshot
from games.steps import Step
from games.times import ms_of
from service.store import keys
from service.store.lists.indexes import lists_joined
from service.store.lists.results import results_of
from service.store.players.names import StoredNames
from service.store.redis.client import Command, RedisClient
from service.store.redis.scans import scan
from service.store.upkeep.inventory import players_in

Entries: TypeAlias = Mapping[str, Mapping[str, int]]
"""By list: the games on it, each with its time in milliseconds since 1970."""

PART: Final = 1000
"""How many entries of a list, or players, one command adds or looks through: games that are played never wait long."""
LISTS: Final = 100
"""How many lists are added to in one round trip: most are short, and Redis syncs its disk once for several."""


def entries_of(snapshot: Snapshot, *, due: int | None, expires: int | None, archived: bool) -> dict[str, int]:
    """Returns the lists to rebuild that a game is on, each with its time; `due` is when sweepers must look at it."""
    last = snapshot.entries[-1]
    entries = lists_joined(Step(None, [last], snapshot))
    entries.pop(keys.UNRECORDED, None)  # results are recorded in the order in which the games ended
    if due is not None:
        entries[keys.DUE] = due
    if expires is not None:
        entries[keys.EXPIRING] = expires
    if snapshot.ended and not archived:
        entries[keys.ENDED] = ms_of(last.at)
    return entries


def add_entries(redis: RedisClient, entries: Entries) -> None:
    """Adds games' entries to the lists in Redis that are rebuilt."""
    parts = _parts_of(entries)
    while some := list(islice(parts, LISTS)):
        redis.send(*some)


def _parts_of(entries: Entries) -> Iterator[Command]:
    """Yields the Redis commands that add entries to the lists that are rebuilt, each a bounded number to one list."""
    for name, games in entries.items():
        scored = iter(games.items())
        while some := list(islice(scored, PART)):
            # Games are played meanwhile: sweepers may look too early, never too late.
            sooner = ("LT",) if name == keys.DUE else ()
            yield "ZADD", name, *sooner, *[part for game, at in some for part in (at, game)]


def listed_entries(redis: RedisClient) -> Iterator[tuple[str, str]]:
    """Yields the lists in Redis that may hold stale entries when rebuilt, each with a game.

    Those in `EXPIRING` go when they come due.
    """
    of_players = [keys.playing("*"), keys.played("*"), keys.opened("*"), keys.opened_from("*"), keys.invited("*")]
    of_players += results_of("*")
    for pattern in (keys.lobby("*"), *of_players, keys.active("*"), keys.with_join_code("*"), keys.ENDED):
        for name in scan(redis, pattern):
            at = -1
            while at != 0:
                following, found = redis.send(("ZSCAN", name, max(at, 0), "COUNT", PART))[0]
                at = int(following)
                yield from ((name, game.decode()) for game in found[::2])


def take_off(redis: RedisClient, name: str, game: str) -> bool:
    """Removes a stale game from a list in Redis that is rebuilt; returns whether it was there."""
    return bool(redis.send(("ZREM", name, game))[0])


def list_players(redis: RedisClient, idle_ms: int) -> None:
    """Adds players to the list in Redis by which those without games expire, if rebuilding finds them missing."""
    players = players_in(redis)
    while some := list(islice(players, PART)):
        created = redis.send(*[("HGET", keys.player(player), "created_at") for player in some])
        looks = [(int(at) + idle_ms, player) for player, at in zip(some, created, strict=True) if at is not None]
        if looks:
            redis.send(("ZADD", keys.IDLE, "NX", *[part for look in looks for part in look]))


def list_names(redis: RedisClient) -> None:
    """Enters all players by their names on the list in Redis, and takes those off who are gone."""
    names = StoredNames(redis)
    players = players_in(redis)
    while some := list(islice(players, PART)):
        names.add(*[(one, name) for one, name in _names_of(redis, some).items() if name is not None])
    for listed in names.all():
        called = _names_of(redis, [one.player for one in listed])
        names.remove(*[one for one in listed if not called[one.player]])


def _names_of(redis: RedisClient, players: Sequence[str]) -> dict[str, str | None]:
    """Reads the stored names of players; an erased one has "", None is of a player who is not there."""
    names = redis.send(*[("HGET", keys.player(player), "name") for player in players])
    return {one: name.decode() if name is not None else None for one, name in zip(players, names, strict=True)}


def pack_anew(redis: RedisClient) -> None:
    """Lets packing begin with the first game again, because rebuilding may have found some that ended before."""
    redis.send(("DEL", keys.PACKED_UP_TO))
