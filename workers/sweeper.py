"""Looks at games that are due and asks the workers for what is late; any number of sweepers may run."""

import logging
import threading

from service import Service
from service.errors import Unavailable

LONGEST_PAUSE_MS = 200
"""A deadline nearer than the nearest known one may come up at any time, so no pause is longer."""
ALIVE_EVERY_MS = 1_000

_log = logging.getLogger(__name__)


def sweep(service: Service, stop: threading.Event) -> None:
    """Sweeps until it is told to stop."""
    since_alive = ALIVE_EVERY_MS
    while not stop.is_set():
        pause_ms = LONGEST_PAUSE_MS
        try:
            if since_alive >= ALIVE_EVERY_MS:
                service.health.worker_is_alive()
                since_alive = 0
            hints = service.due.hints()
            service.jobs.ask(hints)
            pause_ms = service.due.pause_ms(LONGEST_PAUSE_MS)
        except Unavailable as error:
            _log.warning("Redis is away, sweeping goes on when it is back: %s", error)
        except Exception:
            # A sweeper that ended would leave every game without clocks, in a worker that looks healthy.
            _log.exception("a sweep failed; the next one follows")
        stop.wait(pause_ms / 1000)
        since_alive += pause_ms
