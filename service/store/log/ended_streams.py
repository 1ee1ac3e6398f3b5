"""Replaces the streams of ended games: by a packed log (decision 032), by one in the archive, or by nothing.

Nothing is ever appended to an ended game, so a log that is still as it was read may go.
"""

from collections.abc import Sequence

from games.snapshot import Snapshot
from service.store import keys
from service.store.log.meta import WHILE_RUNNING
from service.store.log.packed import Numbered, packed, summary_of
from service.store.log.stored_events import PACKED, SUMMARY, checksum_of_value
from service.store.redis.client import RedisClient
from service.store.scripts import REMOVE, REPLACE


class EndedStreams:
    """The streams of ended games that are still in Redis.

    Every call may raise `Unavailable`; then it is unknown whether the log was replaced.
    """

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def pack(self, ended: Snapshot, stored: Sequence[Numbered]) -> bool:
        """Replaces the log of an ended game within Redis by a packed one, in one step.

        `stored` is the whole log. Returns False and does nothing if Redis holds another log, or none as a stream.
        """
        whole = packed([one for _, one in stored])
        return self._replace(ended, stored, "", whole)

    def remove_archived(self, ended: Snapshot, stored: Sequence[Numbered], digest: str) -> bool:
        """Removes the log of a game from Redis after archiving it under a digest; keeps what lists and views need.

        `stored` is the log as archived. Returns False and does nothing if Redis holds another log.
        """
        return self._replace(ended, stored, digest, b"")

    def remove(self, ended: Snapshot) -> str | None:
        """Removes the log of an ended game.

        Returns the digest of its archived log, "" without one, or None if Redis holds another game, or none.
        """
        game = ended.id
        names = [keys.log(game), keys.meta(game), keys.summary(game), keys.packed(game), keys.review(game)]
        gone: bytes | None = self._redis.run(REMOVE, names, [ended.head])
        return gone.decode() if gone is not None else None

    def _replace(self, ended: Snapshot, stored: Sequence[Numbered], digest: str, whole: bytes) -> bool:
        game = ended.id
        names = [keys.log(game), keys.meta(game), keys.summary(game), keys.packed(game)]
        summary = summary_of(ended, stored)
        sums = [checksum_of_value(game, SUMMARY, summary), checksum_of_value(game, PACKED, whole)]
        arguments = [ended.head, len(stored), summary, digest, whole, *sums, *WHILE_RUNNING]
        return bool(self._redis.run(REPLACE, names, arguments))
