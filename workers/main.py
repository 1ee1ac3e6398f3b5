"""The worker process: RQ's worker for the jobs, and a sweeper beside it."""

import threading

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.connection import connect
from service.jobs import QUEUES
from service.log_lines import configure
from service.settings import Settings
from workers import runtime
from workers.sweeper import sweep


class WarmWorker(SimpleWorker):
    """RQ's worker that runs jobs in its own process, without a fork and imports for each."""

    max_connection_wait_time = 1.0
    """Seconds between two attempts to reach a Redis that is away; games wait as long."""


def run(settings: Settings) -> None:
    """Works until the process is told to stop."""
    configure(settings.log_level)
    stop = threading.Event()
    sweeper = threading.Thread(target=sweep, args=(runtime.start(settings), stop), name="sweeper", daemon=True)
    sweeper.start()
    worker = WarmWorker(
        list(QUEUES),
        connection=connect(settings.queue_redis_url or settings.redis_url, answer_seconds=None),
        serializer=JSONSerializer,
        default_worker_ttl=60,
    )
    worker.work(logging_level="WARNING")
    stop.set()
