"""The worker process: RQ's worker for the jobs, with a sweeper beside it."""

import logging
import os
import signal
import threading
import time
from collections.abc import Sequence

from redis.client import Pipeline
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from games.log_lines import configure
from service import Service
from service.jobs.queue import QUEUES, THINKING
from service.metrics.reporting import Reporting
from service.settings import Settings
from service.store.connection import connect
from workers import jobs as jobs  # RQ finds jobs by path: import them before the first one arrives
from workers import runtime
from workers.archiver import archive
from workers.limit import say_where_it_ended
from workers.sweeper import sweep

_log = logging.getLogger(__name__)


HEARTBEAT_SECONDS = 5.0
"""How often a worker reports to RQ that it is alive; RQ forgets it after two minutes."""


class WarmWorker(SimpleWorker):
    """RQ's worker, running jobs in its own process, without a fork and imports for each.

    It reports less than RQ does. Of 15 writes per job, each of which waits for the disk, 9 repeated that the worker is
    alive and whether it is busy.
    """

    max_connection_wait_time = 1.0
    """Seconds between attempts to reach a Redis that is away; games wait as long."""
    _next_heartbeat = 0.0

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Reports to RQ that the worker is alive, unless it has just done so."""
        if pipeline is None and time.monotonic() < self._next_heartbeat:
            return
        self._next_heartbeat = time.monotonic() + HEARTBEAT_SECONDS
        super().heartbeat(timeout, pipeline)

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Records the worker's state, and reports it with the next write to RQ."""
        self._state = state
        if pipeline is not None:
            super().set_state(state, pipeline)

    def check_for_suspension(self, burst: bool) -> None:
        """Does nothing: to suspend jobs, operators stop the workers."""


def run(settings: Settings, queues: Sequence[str] = QUEUES) -> None:
    """Works on the jobs of some queues, the first queues first, until told to stop."""
    configure(settings.log_level)
    say_where_it_ended()
    stop = threading.Event()
    service = runtime.start(settings)
    sweeper = threading.Thread(target=_sweep, args=(service, stop), name="sweeper", daemon=True)
    sweeper.start()
    if THINKING in queues:  # workers without it are there to be quick
        threading.Thread(target=archive, args=(service, stop), name="archiver", daemon=True).start()
    worker = WarmWorker(
        list(queues),
        connection=connect(settings.queue_redis_url or settings.redis_url, answer_seconds=None),
        serializer=JSONSerializer,
        default_worker_ttl=60,
    )
    with Reporting(service.totals, "worker"):
        worker.work(logging_level="WARNING")
    stop.set()
    service.notifier.settle()


def _sweep(service: Service, stop: threading.Event) -> None:
    """Sweeps until the process stops, and stops the process if sweeping fails."""
    try:
        sweep(service, stop)
    finally:
        if not stop.is_set():
            # A worker without a sweeper looks healthy and lets clocks expire unnoticed. Its supervisor starts a new
            # one.
            _log.critical("the sweeper has ended, and this worker with it")
            os.kill(os.getpid(), signal.SIGTERM)
