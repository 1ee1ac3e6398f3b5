"""Looks at games and editions that are due and asks the workers for overdue work; any number of sweepers may run."""

import logging
import threading
import time
from collections.abc import Sequence

from games.errors import TakesNoWrites, Unavailable
from service import Service
from service.jobs.schedule import Task
from workers.outages import Outages

LONGEST_PAUSE_MS = 200
"""The longest pause: a deadline nearer than the nearest known one may appear at any time."""
BREATH_MS = 100
"""The shortest pause after finding something, so that games due meanwhile share one job, or while workers lag."""
ALIVE_SECONDS = 1.0

_log = logging.getLogger(__name__)


def sweep(service: Service, stop: threading.Event) -> None:
    """Runs a sweeper: looks for due games and enqueues their jobs until told to stop."""
    next_alive = 0.0
    tasks: Sequence[Task] = ()
    behind = False
    outages = Outages(_log, "Redis", "sweeping resumes")
    while not stop.is_set():
        pause_ms = LONGEST_PAUSE_MS
        try:
            if time.monotonic() >= next_alive:
                service.health.record_heartbeat()
                next_alive = time.monotonic() + ALIVE_SECONDS
            behind = (behind or bool(tasks)) and service.jobs.are_behind()
            tasks = service.schedule.tasks() if not behind else []
            service.jobs.enqueue(tasks)
            service.jobs.enqueue([*service.pending.tasks(), *service.unrecorded.tasks()])
            service.jobs.enqueue([*service.waves.tasks(), *service.match_waves.tasks(), *service.day_waves.tasks()])
            service.jobs.enqueue(service.reviews.tasks())
            pause_ms = max(service.schedule.pause_ms(LONGEST_PAUSE_MS), BREATH_MS if tasks or behind else 0)
            outages.over()
        except Unavailable as error:
            outages.warn(error, answers=isinstance(error, TakesNoWrites))
        except Exception:
            # A sweeper that ended would leave every game without clocks, under a worker that looks healthy.
            _log.exception("a sweep failed; the next one follows")
        stop.wait(pause_ms / 1000)
