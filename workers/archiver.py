"""Archives games beside the jobs of a worker, a few at a time; what is archived, and how, is for the service."""

import logging
import threading
import time
from typing import Final

from service import Service
from service.errors import Unavailable

PAUSE_SECONDS: Final = 60.0
"""How long an archiver waits that has found nothing to do, or could not do it."""
REST: Final = 9
"""How many times as long as it used the processor an archiver rests: jobs in the same process hardly notice it."""
LEAST_REST_SECONDS: Final = 0.05

_log = logging.getLogger(__name__)


def archive(service: Service, stop: threading.Event) -> None:
    """Archives what is to be archived, until it is told to stop; a game it has begun with may then be left undone."""
    while not stop.is_set():
        try:
            found = _archive_some(service, stop)
        except Unavailable as error:
            found = False
            _log.warning("Redis is away, archiving goes on when it is back: %s", error)
        except Exception:
            # It costs nobody a game, but one that ended would leave Redis growing in a worker that looks healthy.
            found = False
            _log.exception("archiving failed; it is tried again")
        if not found:
            stop.wait(PAUSE_SECONDS)


def _archive_some(service: Service, stop: threading.Event) -> bool:
    """Archives the games that this process takes on; returns whether to look for more at once."""
    games = service.retention.claim()
    for game in games:
        begun = time.thread_time()
        if service.retention.archive(game) == "failed":
            return False  # the others would hardly fare better; all of them come up again
        if stop.wait(max(LEAST_REST_SECONDS, REST * (time.thread_time() - begun))):
            return False
    return bool(games)
