"""The worker process: RQ's worker for the jobs, with a sweeper beside it."""

import contextlib
import logging
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from types import FrameType
from typing import Any, ClassVar, Final

from redis.client import Pipeline
from redis.exceptions import RedisError, ResponseError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from games.errors import kind_of
from service import Service
from service.jobs.form import (
    QUEUES,
    REQUEST,
    THINKING,
    TIMEOUTS,
    TURNS,
    UNATTENDED,
    UNATTENDED_THINKING,
    OwnJob,
    OwnQueue,
)
from service.log_lines import NONE, configure, request_id
from service.metrics.reporting import QUICK_WORKER, WORKER, Reporting
from service.settings import Settings
from service.store.redis.client import AWAY, connect
from workers import jobs as jobs  # RQ finds jobs by path: import them before the first one arrives
from workers import runtime
from workers.archiver import archive
from workers.limit import say_where_it_ended
from workers.outages import Outages
from workers.sweeper import sweep

_log = logging.getLogger(__name__)


OUTAGE_SECONDS = 1.0
"""Pause before a worker that an outage has ended is replaced."""
IN_TURN: Final = {
    TURNS: THINKING,
    THINKING: TURNS,
    UNATTENDED: UNATTENDED_THINKING,
    UNATTENDED_THINKING: UNATTENDED,
}
"""The queues of quick and of thinking bots, by each other: none of them keeps the other waiting (decision 004)."""
HEARTBEAT_SECONDS = 5.0
"""How often a worker reports to RQ that it is alive; RQ forgets it after two minutes."""


class Stop(BaseException):
    """A signal asks this process to stop. It is no `Exception`, so that no code in between suppresses it."""


class WarmWorker(SimpleWorker):
    """RQ's worker, running jobs in its own process, without a fork and imports for each.

    It reports less than RQ does. Of 15 writes per job, each of which waits for the disk, 9 repeated that the worker is
    alive and whether it is busy.
    """

    job_class = OwnJob
    queue_class = OwnQueue
    max_connection_wait_time = 1.0
    """Seconds between attempts to reach a Redis that is away; games wait as long."""
    dequeue_timeout = 5
    """Seconds to wait for a job at a time. A connection that is dead without a word is noticed ten seconds later."""
    stop_requested: ClassVar[bool] = False
    """Whether a signal has come between two workers. What it raises is lost in an object that is just being deleted."""
    _next_heartbeat = 0.0

    @property
    def asked_to_stop(self) -> bool:
        """Whether a signal has asked this worker to stop."""
        return self.stop_requested or self._shutdown_requested_date is not None

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Reports to RQ that the worker is alive, unless it has just done so.

        Raises:
            StopRequested: the worker is idle, and a signal has asked this process to stop. RQ's own handler raises this
                too, but code in between may suppress it, such as logging, and RQ forgets a signal that arrives between
                two jobs.
        """
        if pipeline is None and self.asked_to_stop and self.get_state() != WorkerStatus.BUSY:
            raise StopRequested
        if pipeline is None and time.monotonic() < self._next_heartbeat:
            return
        self._next_heartbeat = time.monotonic() + HEARTBEAT_SECONDS
        super().heartbeat(timeout, pipeline)

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Records the worker's state, and reports it with the next write to RQ."""
        self._state = state
        if pipeline is not None:
            super().set_state(state, pipeline)

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Performs a job of RQ in this worker; meanwhile the log names the request that has asked for it."""
        asked = request_id.set(job.meta.get(REQUEST, NONE))
        try:
            return bool(super().perform_job(job, queue))
        finally:
            request_id.reset(asked)

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Lets the other kind of bots go first in this worker after one kind has had a job.

        Timeouts come before both, but after a job of timeouts a bot has one: a worker may have been away for long.
        """
        ordered = self._ordered_queues
        places = {queue.name: place for place, queue in enumerate(ordered)}
        served, other = places[reference_queue.name], places.get(IN_TURN.get(reference_queue.name, ""), -1)
        if served < other:
            ordered[served], ordered[other] = ordered[other], ordered[served]
        timeouts = ordered.pop(places[TIMEOUTS])
        bots = sum(queue.name in (TURNS, THINKING) for queue in ordered)
        ordered.insert(bots if reference_queue.name == TIMEOUTS else 0, timeouts)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Logs and counts that a worker's job has failed, without the text of the error."""
        _log.error("the job %s has failed", job.func_name, exc_info=exc_info)
        runtime.service().measures.job_failed(job.func_name)

    def run_maintenance_tasks(self) -> None:
        """Has RQ's worker clean the registries of its jobs, unless they hold what cannot be cleaned."""
        try:
            self.clean_registries()  # type: ignore[no-untyped-call]  # RQ's
        except AWAY:
            raise
        except Exception as error:
            # A worker that ended here would end again at each start.
            self.last_cleaned_at = datetime.now(UTC)  # type: ignore[assignment]  # RQ's, with no type
            _log.error("the registries of jobs hold what is none of Billet's: %s", kind_of(error))

    def set_shutdown_requested_date(self) -> None:
        """Does nothing when RQ's worker is to stop: a signal must not fail because Redis is away."""

    def subscribe(self) -> None:
        """Has the worker listen to none of RQ's orders over Redis: operators stop workers by signals."""

    def unsubscribe(self) -> None:
        """Does nothing, as the worker listens to none of RQ's orders over Redis."""

    def check_for_suspension(self, burst: bool) -> None:
        """Does nothing: to suspend RQ's jobs, operators stop the workers."""


def run(settings: Settings, queues: Sequence[str] = QUEUES) -> None:
    """Runs a worker: works on the jobs of some queues, the first queues first, until told to stop."""
    configure(settings.log_level, settings.log_format)
    say_where_it_ended()
    random.Random("")  # imports the hash behind seeds; since Python 3.13 only the first seed does
    stop = threading.Event()
    WarmWorker.stop_requested = False
    service = runtime.start(settings)
    with contextlib.suppress(StopRequested, Stop):
        _stop_on_signals()
        threading.Thread(target=_sweep, args=(service, stop), name="sweeper", daemon=True).start()
        if THINKING in queues:  # workers without it are there to be quick
            threading.Thread(target=archive, args=(service, stop), name="archiver", daemon=True).start()
        with Reporting(service.totals, WORKER if THINKING in queues else QUICK_WORKER), service.watch:
            # RQ's worker ends with most outages of Redis, so another one follows.
            outages = Outages(_log, "the Redis of the queues", "work resumes")
            logging.getLogger("rq.worker").addFilter(lambda record: not _warn_of_outage(outages))
            while not _work_until_outage(settings, queues, outages):
                time.sleep(OUTAGE_SECONDS)
    stop.set()
    service.settle()


def _work_until_outage(settings: Settings, queues: Sequence[str], outages: Outages) -> bool:
    """Works with one worker of RQ until Redis goes away; returns whether it has been told to stop."""
    worker = None
    try:
        worker = WarmWorker(
            list(queues),
            connection=connect(settings.queue_redis_url or settings.redis_url, answer_seconds=None),
            serializer=JSONSerializer,
            worker_ttl=60,
        )
        worker.work(logging_level="WARNING")
    except (RedisError, OSError):
        _warn_of_outage(outages)
    finally:
        if worker is None or not worker.asked_to_stop:
            _stop_on_signals()  # in the place of the worker's own handlers, which would ask one that has ended
    return worker.asked_to_stop if worker is not None else WarmWorker.stop_requested


def _warn_of_outage(outages: Outages) -> bool:
    """Warns of the outage that this worker is handling, if it is one; RQ logs a line a second, or a traceback."""
    error = sys.exception()
    if not isinstance(error, (RedisError, OSError)):
        return False
    outages.warn(kind_of(error), answers=isinstance(error, ResponseError))
    return True


def _stop_on_signals() -> None:
    """Has signals stop this worker process, until RQ's worker has handlers of its own."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _raise_stop)


def _raise_stop(number: int, frame: FrameType | None) -> None:
    WarmWorker.stop_requested = True
    raise Stop


def _sweep(service: Service, stop: threading.Event) -> None:
    """Runs the sweeper of this worker process until it stops, and stops the process if sweeping fails."""
    try:
        sweep(service, stop)
    finally:
        if not stop.is_set():
            # A worker without a sweeper looks healthy and lets clocks expire unnoticed. Its supervisor starts a new
            # one.
            _log.critical("the sweeper has ended, and this worker with it")
            os.kill(os.getpid(), signal.SIGTERM)
