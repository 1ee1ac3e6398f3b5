"""Remembers which addresses have shown a game's right join code, so that wrong codes do not lock them out."""

import math
import time
from contextlib import suppress
from typing import Final

from games.errors import Unavailable
from service.store import keys
from service.store.redis.client import RedisClient

SHOWN_SECONDS: Final = 24 * 60 * 60
"""How long an address that has shown the join code is not locked out of the game."""
NOTED_SECONDS: Final = 60 * 60
"""How long until it is noted again, so that following a game with its code does not write on each call."""
MOST_NOTED: Final = 10_000


class ShownCodes:
    """The addresses that have shown right join codes, for all processes."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._noted: dict[tuple[str, str], float] = {}
        """When this process last noted a game and an address."""

    def before(self, game: str, address: str) -> bool:
        """Returns whether an address has shown a game's right join code within a day, so that no limit bars it.

        Raises:
            Unavailable: Redis is away.
        """
        return bool(self._redis.send(("EXISTS", keys.code_shown(game, address)))[0])

    def note(self, game: str, address: str) -> None:
        """Notes that an address has shown a game's right join code. The call succeeds even if Redis is away."""
        now = time.monotonic()
        if now < self._noted.get((game, address), -math.inf) + NOTED_SECONDS:
            return
        with suppress(Unavailable):
            self._redis.send(("SET", keys.code_shown(game, address), 1, "EX", SHOWN_SECONDS))
            if len(self._noted) >= MOST_NOTED:
                self._noted = {}  # a new dict: other threads may be reading the old one
            self._noted[game, address] = now
