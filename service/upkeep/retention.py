"""Moves ended games from Redis to the archive after a retention period, and removes matches after the same.

A game leaves Redis only after its log was read back from the archive and compared with Redis. Interrupted work is
repeated: the same log has the same name, and a second attempt finds it there.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from games.errors import TakesNoWrites, Unavailable, kind_of
from games.records.portable import portable
from games.tables.lifetimes import DAY_MS
from service.inputs.clock import now_ms
from service.metrics.measures import Measures
from service.store.archive import Archive, NoArchive
from service.store.archive_proof import NotProven, prove
from service.store.lists.ended import ENDINGS, EndedGames
from service.store.log.ended_streams import EndedStreams
from service.store.log.event_log import EventLog
from service.store.log.meta import read_meta
from service.store.matches.stored_matches import StoredMatches
from service.store.redis.client import RedisClient

AT_ONCE: Final = 10
"""How many games a process claims at a time."""
LEASE_MS: Final = 10 * 60_000
"""The lease of a claimed game: if it is still there afterwards, any process may try again."""
SETTLED_MS: Final = 60_000
"""After this time, what an entry is about must be in the log: the entry is written just before."""
LOGGING_SECONDS: Final = 600.0
"""The shortest interval between log lines about a store that fails, as a full one does for each game."""
ArchivingOutcome: TypeAlias = Literal["archived", "failed", "nothing"]
"""The outcome for a game: it was archived, archiving failed, or there was nothing to do."""

_log = logging.getLogger(__name__)


class Retention:
    """Archives games that ended long ago. Every call but `fault` may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, archive: Archive, measures: Measures, days: int) -> None:
        """`days` is how long ended games stay in Redis before they are archived; 0: forever."""
        self._redis = redis
        self._ended = EndedGames(redis)
        self._matches = StoredMatches(redis)
        self._event_log = log
        self._streams = EndedStreams(redis)
        self._archive = archive
        self._measures = measures
        self._days = days
        self._next_line = 0.0
        """When a store that fails may be logged again, in seconds of the monotonic clock."""

    def claim(self) -> list[str]:
        """Claims some ended games to archive. They come up again later if archiving fails."""
        if not self._days:
            return []
        until = now_ms() - self._days * DAY_MS
        return list(self._ended.claim(until, until + LEASE_MS, AT_ONCE))

    def all(self, days: int) -> Iterator[str]:
        """Yields every game that ended at least so many days ago while they are archived; skips those that stay."""
        return self._ended.up_to(now_ms() - days * DAY_MS)

    def archive(self, game: str) -> ArchivingOutcome:
        """Archives an ended game and removes its log from Redis; if that fails, it stays and the reason is noted.

        Raises:
            Unavailable: Redis cannot be reached; the game is there or in the archive.
        """
        status, archived, head = read_meta(self._redis, game, "status", "archive", "head")
        if head is not None and archived is None:
            if status is not None and status.decode() not in ENDINGS:
                return self._unlist_running(game)
            try:
                return self._move_to_archive(game)
            except Unavailable:
                raise
            except Exception as error:
                self._note_not_archived(game, error)
                return "failed"
        self._ended.take_off(game)
        return "nothing"

    def remove_matches(self, days: int | None = None) -> Iterator[str]:
        """Yields matches that have been over for so many days while they are removed; by default as many as is set."""
        if days is None and not self._days:
            return
        until = now_ms() - (self._days if days is None else days) * DAY_MS
        while over := self._matches.over(until):
            for match in over:
                self._matches.remove(match)
                yield match

    def fault(self) -> str | None:
        """Returns why no game can be archived, because the archive cannot be used as a whole; None if it can."""
        try:
            prove(self._redis, self._archive)
        except Exception as error:
            return why_of(error)
        return None

    def _move_to_archive(self, game: str) -> ArchivingOutcome:
        prove(self._redis, self._archive)
        ended = self._event_log.read_uncached(game)
        assert ended is not None, "its hash is there"
        if ended.sealed:
            return "nothing"  # it stays on the list
        stored = self._event_log.stored(ended)
        digest = self._archive.put(portable([one for _, one in stored]))
        if not self._streams.remove_archived(ended, stored, digest):
            return "nothing"  # another process was faster, or the log has changed: it is checked again
        self._measures.archived(ended)
        self._ended.take_off(game)
        return "archived"

    def _unlist_running(self, game: str) -> ArchivingOutcome:
        """Takes a running game off the list of those to archive, unless it may be about to end."""
        ended = self._ended.ended(game)
        if ended is not None and ended < now_ms() - SETTLED_MS:
            self._ended.take_off(game)
        return "nothing"

    def _note_not_archived(self, game: str, error: Exception) -> None:
        why, of_store = why_of(error), isinstance(error, OSError)
        if not of_store or time.monotonic() >= self._next_line:
            _log.error("game %s cannot be archived and stays in Redis: %s", game, why)
            self._next_line = time.monotonic() + LOGGING_SECONDS if of_store else self._next_line
        self._measures.not_archived()
        with suppress(TakesNoWrites):  # the other games are to go all the more
            self._ended.note_not_archived(game, why)


def why_of(error: Exception) -> str:
    """Returns why the archive failed, as far as it may be said."""
    if isinstance(error, NotProven):
        return str(error)
    if isinstance(error, NoArchive):
        return "ARCHIVE_URL is not set for this process, but games are archived"
    cause = f" for {kind_of(error.__cause__)}" if error.__cause__ is not None else ""
    return f"{kind_of(error)}{cause}"
