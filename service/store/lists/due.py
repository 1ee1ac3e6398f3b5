"""Lists of games and of players by when to look at them, in milliseconds since 1970; whoever looks claims some first.

A claimed entry comes due again at the end of the lease, so an interrupted look is repeated. Fractions of a millisecond
are for the owner of a list to use as marks.
"""

from collections.abc import Mapping
from typing import Final

from service.store import keys
from service.store.lists.recovery import Recovery
from service.store.redis.client import RedisClient
from service.store.scripts import CLAIM, RESCORE

CLAIMED: Final = 1 / 16
"""The fraction of a millisecond with which a due time counts how often an entry was claimed, up to 15 times."""


def claims(due: float) -> int:
    """Returns how often an entry with a due time was claimed, on the lists whose owners count that."""
    return round(due % 1 / CLAIMED)


class DueList:
    """One of the lists. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, key: str) -> None:
        self._redis = redis
        self._key = key

    def recovery(self) -> Recovery:
        """Returns what recovers the entries of this list of due times for one sweeper."""
        return Recovery(self._redis, self._key)

    def set(self, member: str, when: int | None) -> None:
        """Sets on a list of due times when to look at a game or a player; None: never."""
        self._redis.send(("ZREM", self._key, member) if when is None else ("ZADD", self._key, when, member))

    def first(self) -> float | None:
        """Returns when the first entry of a list of due times is due; None if there is none."""
        found = self._redis.send(("ZRANGE", self._key, 0, 0, "WITHSCORES"))[0]
        return float(found[1]) if found else None

    def claim(self, upto: int, lease: float, most: int) -> dict[str, float]:
        """Claims entries of a list of due times up to a time, for a lease; returns when each was due."""
        claimed = self._redis.run(CLAIM, [self._key], [upto, lease, most])
        return {member.decode(): float(due) for member, due in zip(claimed[::2], claimed[1::2], strict=True)}

    def reschedule(self, lease: float, times: Mapping[str, float | None]) -> None:
        """Sets when claimed entries of a list are due next (None: never), unless changed since they were claimed."""
        pairs = [value for member, when in times.items() for value in (member, "" if when is None else when)]
        self._redis.run(RESCORE, [self._key], [lease, *pairs])

    def remove(self, *members: str) -> None:
        """Removes entries, at least one, from a list of due times."""
        self._redis.send(("ZREM", self._key, *members))


def due_games(redis: RedisClient) -> DueList:
    """The list of running games, by when sweepers must look at their clocks and bots."""
    return DueList(redis, keys.DUE)


def pending_notices(redis: RedisClient) -> DueList:
    """The list of appends whose notices may not have been sent, as `pending_member` writes them."""
    return DueList(redis, keys.PENDING_NOTICES)


def unrecorded_games(redis: RedisClient) -> DueList:
    """The list of ended games whose result may not have been recorded, by when to look at them."""
    return DueList(redis, keys.UNRECORDED)


def expiring_games(redis: RedisClient) -> DueList:
    """The list of games that end or leave Redis unless somebody touches them, by when to check."""
    return DueList(redis, keys.EXPIRING)


def idle_players(redis: RedisClient) -> DueList:
    """The list of players, by when to check whether they have games."""
    return DueList(redis, keys.IDLE)
