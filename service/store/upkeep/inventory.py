"""Finds all games and players of an installation by looking through its keys. Every call may raise `Unavailable`."""

from collections.abc import Iterator
from typing import Final

from service.store import keys
from service.store.redis.client import RedisClient
from service.store.redis.scans import scan, scan_page, scan_pages

SCANNED: Final = 1000
"""About how many keys are looked at in one round trip, unless it brings too many players."""


def games_in(redis: RedisClient) -> Iterator[str]:
    """Yields the id of every game in Redis with a log, then of packed and archived ones; some of them twice."""
    for pattern in (keys.log("*"), keys.summary("*")):
        yield from map(keys.game_of, scan(redis, pattern))


def whole_games_in(redis: RedisClient) -> Iterator[str]:
    """Yields the id of every game of which Redis holds anything that a log is read from, some of them several times."""
    parts = tuple(name("").rpartition("}")[2] for name in (keys.log, keys.meta, keys.packed, keys.summary))
    yield from (keys.game_of(name) for name in scan(redis, keys.all_of("*")) if name.endswith(parts))


def without_hash(redis: RedisClient) -> Iterator[str]:
    """Yields the id of every game of which Redis holds a log, packed or not, but no hash beside it: it is damaged."""
    for pattern in (keys.log("*"), keys.packed("*"), keys.summary("*")):
        for names in scan_pages(redis, pattern):
            games = [keys.game_of(name) for name in names]
            there = redis.send(*[("EXISTS", keys.meta(game)) for game in games])
            yield from (game for game, found in zip(games, there, strict=True) if not found)


def players_in(redis: RedisClient) -> Iterator[str]:
    """Yields the id of every player in Redis, some of them twice."""
    yield from map(_player_of, scan(redis, keys.player("*"), "hash"))


def days_in(redis: RedisClient) -> Iterator[str]:
    """Yields the id of every deal of the day of which Redis holds anything, some of them several times."""
    begin, end = keys.day("#").split("#")
    for name in scan(redis, keys.day("*").removesuffix(end) + "}*"):
        yield name.removeprefix(begin).partition("}")[0]


def some_players(node: RedisClient, at: int, scanned: int) -> tuple[int, list[str]]:
    """Returns where to look on for players after a round trip with a Redis node, 0 at its end, and the ids found.

    It looks at about `scanned` keys.
    """
    following, names = scan_page(node, at, keys.player("*"), "hash", scanned)
    return following, list(map(_player_of, names))


def remove_rest(redis: RedisClient, game: str) -> None:
    """Removes the Redis keys of a game but its log and `meta`, such as answers to repeated calls."""
    stay = _whole(game)
    for names in scan_pages(redis, keys.all_of(game)):
        if rest := [name for name in names if name not in stay]:
            redis.send(*[("UNLINK", name) for name in rest])


def remove_all(redis: RedisClient, game: str) -> None:
    """Removes all Redis keys of a game, last those of its log, so that a call that is repeated finds it."""
    remove_rest(redis, game)
    redis.send(("UNLINK", *_whole(game)))


def _whole(game: str) -> set[str]:
    """Names the Redis keys that a game's log is read from."""
    return {keys.log(game), keys.meta(game), keys.summary(game), keys.packed(game)}


def leave_whatever_lists(redis: RedisClient, game: str) -> None:
    """Takes a game off all lists of the installation, those of players too, without knowing on which it is."""
    for names in scan_pages(redis, "billet:*", "zset"):
        if names:
            redis.send(*[("ZREM", name, game) for name in names])


def _player_of(name: str) -> str:
    return name.removeprefix(keys.player(""))
