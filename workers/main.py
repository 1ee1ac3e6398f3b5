"""The worker process: RQ's worker for the jobs, and a sweeper beside it."""

import logging
import threading

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.connection import connect
from service.jobs import QUEUES
from service.settings import Settings
from workers.runtime import service
from workers.sweeper import sweep


def run(settings: Settings) -> None:
    """Works until the process is told to stop; jobs run in this process, warm."""
    logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    stop = threading.Event()
    sweeper = threading.Thread(target=sweep, args=(service(), stop), name="sweeper", daemon=True)
    sweeper.start()
    worker = SimpleWorker(
        list(QUEUES),
        connection=connect(settings.redis_url, answer_seconds=None),
        serializer=JSONSerializer,
        default_worker_ttl=60,
    )
    worker.work(logging_level="WARNING")
    stop.set()
