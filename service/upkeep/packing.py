"""Packs the logs of ended games within Redis, in the order in which they ended (decision 032).

A game is packed once nobody follows it any more. One script does it, so an interrupted packer leaves a log either as it
was or packed. Where packers have got to is one number, so that a game needs no entry of its own for it.
"""

import logging
from typing import Final

from games.errors import Unavailable, kind_of
from service.inputs.clock import now_ms
from service.store.lists.ended import EndedGames
from service.store.log.ended_streams import EndedStreams
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient

QUIET_MS: Final = 10 * 60_000
"""How long after its end a game is packed: its last events have been sent and its followers are gone."""
AT_ONCE: Final = 100
"""How many games a process looks at, at a time."""

_log = logging.getLogger(__name__)


class Packing:
    """Packs ended games; any number of processes may do it at once. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog) -> None:
        self._ended = EndedGames(redis)
        self._event_log = log
        self._streams = EndedStreams(redis)

    def waiting(self) -> tuple[list[str], int | None]:
        """Returns the next ended games to pack, and how far packing is once they are packed; None if none is left."""
        return self._ended.to_pack(now_ms() - QUIET_MS, AT_ONCE)

    def pack(self, game: str) -> bool:
        """Packs an ended game; returns whether it did. A running, damaged or removed one stays as it is.

        Raises:
            Unavailable: Redis cannot be reached; the game is as it was, or packed.
        """
        try:
            ended = self._event_log.read_uncached(game)
            if ended is None or not ended.ended or ended.sealed:  # one that is unsealed is looked at again
                return False
            return self._streams.pack(ended, self._event_log.stored(ended))
        except Unavailable:
            raise
        except Exception as error:
            _log.error("game %s cannot be packed and stays as it is: %s", game, kind_of(error))
            return False

    def packed(self, upto: int) -> None:
        """Notes that all games that ended up to a time have been packed.

        Raises:
            Unavailable: Redis cannot be reached or takes no writes; they are looked at again.
        """
        self._ended.packed(upto)
