"""Stores whom a player has blocked."""

from typing import NamedTuple

from service.store import keys
from service.store.redis.client import RedisClient, hash_of


class BeforeBlocking(NamedTuple):
    """What decides whether a player may block another."""

    fields: dict[str, str]
    """Those of the player's hash."""
    other_token: bytes | None
    """The stored token of the other one; None if there is no such player."""
    is_blocked: bool
    """Whether the player has blocked the other one."""
    total: int
    """How many players the player has blocked."""


class BlockedPlayers:
    """The blocked players in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def before(self, player: str, other: str) -> BeforeBlocking:
        """Reads from Redis what decides whether a player may block another."""
        fields, token, since, count = self._redis.send(
            ("HGETALL", keys.player(player)),
            ("HGET", keys.player(other), "token"),
            ("ZSCORE", keys.blocked(player), other),
            ("ZCARD", keys.blocked(player)),
        )
        return BeforeBlocking(hash_of(fields), token, since is not None, count)

    def add(self, player: str, other: str, now: int) -> int:
        """Stores that a player blocks another, if not yet; returns since when, in milliseconds since 1970."""
        name = keys.blocked(player)
        return int(float(self._redis.send(("ZADD", name, "NX", now, other), ("ZSCORE", name, other))[1]))

    def remove(self, player: str, other: str) -> bool:
        """Removes a stored block of a player; returns False if there was none and there is no such player."""
        freed, name = self._redis.send(("ZREM", keys.blocked(player), other), ("HGET", keys.player(other), "name"))
        return bool(freed) or name is not None

    def newest(self, player: str) -> list[tuple[int, str]]:
        """Reads from Redis whom a player has blocked and since when, newest first."""
        found = self._redis.send(("ZREVRANGE", keys.blocked(player), 0, -1, "WITHSCORES"))[0]
        return [(int(float(score)), other.decode()) for other, score in zip(found[::2], found[1::2], strict=True)]
