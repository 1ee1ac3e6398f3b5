"""Lists by time, for readers: public games, a player's games and invitations, blocked players, programs.

They are derived from the logs, except for those of players, and may hold games that have left: look at each.
"""

from collections.abc import Iterator
from typing import Final

from games.views.page_limits import MOST_GAMES
from service.store import keys
from service.store.redis.client import RedisClient

NEVER: Final = 2**53
"""A time after all others, in milliseconds since 1970."""
SCANNED: Final = 1000
"""About how many entries of a list are read in one round trip, so that a long one never holds Redis up."""


class ListByTime:
    """One of the lists. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, key: str) -> None:
        self._redis = redis
        self._key = key

    def newest(self, newest: int = NEVER, seen: str = "") -> Iterator[tuple[str, int]]:
        """Yields entries of a stored list after `seen` with their times, newest first, a page in each round trip."""
        while True:
            page = self._redis.send(
                ("ZREVRANGEBYSCORE", self._key, newest, "-inf", "WITHSCORES", "LIMIT", 0, MOST_GAMES)
            )[0]
            # Entries of the same millisecond are in reverse order of their ids.
            pairs = [(one.decode(), int(float(score))) for one, score in zip(page[::2], page[1::2], strict=True)]
            fresh = [(one, score) for one, score in pairs if score < newest or not seen or one < seen]
            yield from fresh
            if len(pairs) < MOST_GAMES or not fresh:
                return
            seen, newest = fresh[-1]

    def all(self) -> list[tuple[str, int]]:
        """Returns all entries of a stored list of games or players with their times, the newest first."""
        found: dict[str, int] = {}
        at = -1
        while at != 0:
            following, some = self._redis.send(("ZSCAN", self._key, max(at, 0), "COUNT", SCANNED))[0]
            at = int(following)
            found |= {name.decode(): int(float(score)) for name, score in zip(some[::2], some[1::2], strict=True)}
        return sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))

    def take_off(self, one: str) -> None:
        """Removes a game or a program from a stored list."""
        self._redis.send(("ZREM", self._key, one))


def public_games(redis: RedisClient, status: str) -> ListByTime:
    """The stored list of public games with a status, by time of opening."""
    return ListByTime(redis, keys.lobby(status))


def playing(redis: RedisClient, player: str) -> ListByTime:
    """The stored list of a player's running games, by time of joining."""
    return ListByTime(redis, keys.playing(player))


def played(redis: RedisClient, player: str) -> ListByTime:
    """The stored list of a player's ended games, by time of ending."""
    return ListByTime(redis, keys.played(player))


def opened(redis: RedisClient, player: str) -> ListByTime:
    """The stored list of the unfinished games that a player has opened, by time of opening."""
    return ListByTime(redis, keys.opened(player))


def invited(redis: RedisClient, player: str) -> ListByTime:
    """The stored list of the games a player is invited to, by time of the invitation."""
    return ListByTime(redis, keys.invited(player))


def blocked(redis: RedisClient, player: str) -> ListByTime:
    """The stored list of the players whom a player has blocked, by time."""
    return ListByTime(redis, keys.blocked(player))


def programs(redis: RedisClient) -> ListByTime:
    """The stored list of programs that describe themselves, by when they last did."""
    return ListByTime(redis, keys.PROGRAMS)


def shared_games(redis: RedisClient, one: str, other: str, latest: int) -> list[str]:
    """Returns the games among the latest on the stored lists of both players, first those that run."""
    indexes = (keys.playing(one), keys.played(one), keys.playing(other), keys.played(other))
    lists = redis.send(*[("ZREVRANGE", index, 0, latest - 1) for index in indexes])
    others = {*lists[2], *lists[3]}
    return [game.decode() for game in (*lists[0], *lists[1]) if game in others]


def games_of(redis: RedisClient, player: str) -> list[str]:
    """Returns the unfinished games on the stored lists of those that a player has opened, is in or is invited to."""
    indexes = (keys.opened(player), keys.playing(player), keys.invited(player))
    lists = redis.send(*[("ZRANGE", index, 0, -1) for index in indexes])
    return list(dict.fromkeys(raw.decode() for found in lists for raw in found))
