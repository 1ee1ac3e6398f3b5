"""Recovers entries whose time has become wrong because a clock was set back or no sweeper ran.

The sweepers' sorted sets use wall-clock times. When the clock is set back by an hour, an entry for the next second is
an hour away. So each sweeper checks all entries once when it starts, and again when it notices a clock set back, some
of them in each sweep.
"""

import time

from service.inputs.clock import now_ms
from service.store.redis.client import RedisClient

PART = 500
"""Entries recovered in one sweep."""
SOON_MS = 2_000
"""Entries due this soon are left alone: another sweeper may have just taken them."""
SET_BACK_MS = 500
"""The smallest step back that counts; less is an ordinary clock correction."""


class Recovery:
    """Recovers the entries of one sorted set for one sweeper. Each step may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, key: str) -> None:
        self._redis = redis
        self._key = key
        self._cursor: bytes | int | None = 0
        """The cursor of the pass over all entries; None when it is over."""
        self._offset = now_ms() - _sweeper_clock_ms()

    def step(self) -> None:
        """Makes the next part of a list's entries with wrong later times due now, until none are left."""
        now = now_ms()
        offset = now - _sweeper_clock_ms()
        if offset < self._offset - SET_BACK_MS:
            self._cursor = 0
        self._offset = offset
        if self._cursor is None:
            return
        cursor, found = self._redis.send(("ZSCAN", self._key, self._cursor, "COUNT", PART))[0]
        later = [name for name, score in zip(found[::2], found[1::2], strict=True) if float(score) > now + SOON_MS]
        if later:
            self._redis.send(("ZADD", self._key, "XX", "LT", *[part for name in later for part in (now, name)]))
        self._cursor = cursor if int(cursor) else None


def _sweeper_clock_ms() -> int:
    return int(time.monotonic() * 1000)
