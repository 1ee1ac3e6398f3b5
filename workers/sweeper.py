"""Looks at games that are due and asks the workers for what is late; any number of sweepers may run."""

import logging
import threading
import time

from service import Service
from service.errors import Unavailable

LONGEST_PAUSE_MS = 200
"""A deadline nearer than the nearest known one may come up at any time, so no pause is longer."""
BREATH_MS = 100
"""How long a sweeper that has found something waits at least: what comes due meanwhile goes together into one job."""
ALIVE_SECONDS = 1.0

_log = logging.getLogger(__name__)


def sweep(service: Service, stop: threading.Event) -> None:
    """Sweeps until it is told to stop."""
    next_alive = 0.0
    while not stop.is_set():
        pause_ms = LONGEST_PAUSE_MS
        try:
            if time.monotonic() >= next_alive:
                service.health.worker_is_alive()
                next_alive = time.monotonic() + ALIVE_SECONDS
            hints = service.due.hints()
            service.jobs.ask(hints)
            service.jobs.ask(service.untold.hints())
            pause_ms = max(service.due.pause_ms(LONGEST_PAUSE_MS), BREATH_MS if hints else 0)
        except Unavailable as error:
            _log.warning("Redis is away, sweeping goes on when it is back: %s", error)
        except Exception:
            # A sweeper that ended would leave every game without clocks, in a worker that looks healthy.
            _log.exception("a sweep failed; the next one follows")
        stop.wait(pause_ms / 1000)
