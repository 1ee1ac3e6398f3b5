"""The worker process: RQ's worker for the jobs, and a sweeper beside it."""

import logging
import os
import signal
import threading
import time
from collections.abc import Sequence

from redis.client import Pipeline
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service import Service
from service.connection import connect
from service.jobs import QUEUES, THINKING
from service.log_lines import configure
from service.reporting import Reporting
from service.settings import Settings
from workers import jobs as jobs  # RQ finds them by their paths: none of them shall be the first to import them
from workers import runtime
from workers.archiver import archive
from workers.limit import say_where_it_ended
from workers.sweeper import sweep

_log = logging.getLogger(__name__)


HEARTBEAT_SECONDS = 5.0
"""How often a worker tells RQ that it lives; RQ forgets it after two minutes."""


class WarmWorker(SimpleWorker):
    """RQ's worker that runs jobs in its own process, without a fork and imports for each.

    It writes less of itself than RQ does: of 15 writes a job, each of which waits for the disk, 9 said again that it
    lives, and whether it is busy.
    """

    max_connection_wait_time = 1.0
    """Seconds between two attempts to reach a Redis that is away; games wait as long."""
    _next_heartbeat = 0.0

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Tells RQ that the worker lives, if it has not just done so."""
        if pipeline is None and time.monotonic() < self._next_heartbeat:
            return
        self._next_heartbeat = time.monotonic() + HEARTBEAT_SECONDS
        super().heartbeat(timeout, pipeline)

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Notes what the worker does, and tells RQ if it is told something anyway."""
        self._state = state
        if pipeline is not None:
            super().set_state(state, pipeline)

    def check_for_suspension(self, burst: bool) -> None:
        """Asks nobody: whoever wants no jobs to be done stops the workers."""


def run(settings: Settings, queues: Sequence[str] = QUEUES) -> None:
    """Works on the jobs of some queues, the first ones first, until the process is told to stop."""
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
    service.teller.settle()


def _sweep(service: Service, stop: threading.Event) -> None:
    """Sweeps until the process stops, and stops the process if it does not sweep any more."""
    try:
        sweep(service, stop)
    finally:
        if not stop.is_set():
            # A worker without a sweeper looks healthy and lets clocks run out unseen. Another one is started for it.
            _log.critical("the sweeper has ended, and this worker with it")
            os.kill(os.getpid(), signal.SIGTERM)
