"""Decides in which format events are stored: in the short one once every process of the installation can read it.

Versions before the short format cannot read it, so a process must not write it while such a one runs or may come back.
Redis holds the newest format that may be written: from the start in an installation that begins empty, in others from
`billet finalize` on (decision 047). Reading or setting it may raise `Unavailable`.
"""

import time
from contextlib import suppress
from typing import Final

from games.errors import Unavailable
from service.store import keys
from service.store.exchange.connection import Exchange

SHORT: Final = 2
"""The format with short events. Without an entry in Redis the format is 1."""
ASKED_SECONDS: Final = 60.0
"""How long a process goes on with the long format before it asks again."""


def allow_short(exchange: Exchange) -> None:
    """Lets all processes of an installation store events in the short format, which older versions cannot read.

    Raises:
        Unavailable: Redis cannot be reached, or takes no writes.
    """
    exchange.send(("SET", keys.STORAGE_FORMAT, SHORT))


def is_format_set(exchange: Exchange) -> bool:
    """Returns whether Redis says in which format an installation may store events."""
    return exchange.send(("GET", keys.STORAGE_FORMAT))[0] is not None


def format_of(exchange: Exchange) -> int:
    """Returns the newest format in which an installation may store events: 1, or 2 for the short one."""
    return int(exchange.send(("GET", keys.STORAGE_FORMAT))[0] or 1)


class StorageFormat:
    """The format in which this process stores events."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._known = False
        self._asked: float | None = None

    def short(self) -> bool:
        """Returns whether to store events in the short format. Asks Redis once a minute, until it is so."""
        if not self._known and (self._asked is None or time.monotonic() >= self._asked + ASKED_SECONDS):
            self._asked = time.monotonic()
            with suppress(Unavailable):  # on a cluster it is on another node than the game
                self._known = format_of(self._exchange) >= SHORT
        return self._known
