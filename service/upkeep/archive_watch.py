"""Checks every few seconds whether this process can read the archive, on a thread of its own, for operators."""

import logging
import threading
from typing import Final

from games.errors import Unavailable
from service.metrics.measures import Measures
from service.store.archive import Archive
from service.store.archive_proof import look
from service.store.redis.client import RedisClient
from service.upkeep.retention import why_of

LOOK_SECONDS: Final = 5.0

_log = logging.getLogger(__name__)


class ArchiveWatch:
    """Checks the archive during a `with` block."""

    def __init__(self, redis: RedisClient, archive: Archive, measures: Measures) -> None:
        self._redis = redis
        self._archive = archive
        self._measures = measures
        self._stop = threading.Event()

    def __enter__(self) -> None:
        threading.Thread(target=self._watch_archive, name="archive watch", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()

    def _watch_archive(self) -> None:
        reported = ""
        while not self._stop.is_set():
            why = self.fault()
            if why and why != reported:
                _log.error("the archive cannot be used: %s", why)
            reported = why
            self._stop.wait(LOOK_SECONDS)

    def fault(self) -> str:
        """Returns why this process cannot read the archive, "" if it can or need not; records it in the metrics."""
        try:
            look(self._redis, self._archive)
            why = ""
        except Unavailable:
            return ""
        except Exception as error:
            why = why_of(error)
        self._measures.archive_away(bool(why))
        return why
