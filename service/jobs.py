"""Jobs for the workers, enqueued by import path: hints that name a game and a version and carry nothing else."""

import logging
import secrets
from collections.abc import Iterable

import redis
from redis.exceptions import RedisError
from rq import Queue
from rq.queue import EnqueueData
from rq.serializers import JSONSerializer

from service.due import Hint

TIMEOUTS = "timeouts"
TURNS = "turns"
UNATTENDED = "unattended"
QUEUES = (TIMEOUTS, TURNS, UNATTENDED)
"""The queues, the most urgent first: games of bots alone, of which anybody may open many, get what time is left."""
_FUNCTIONS = {"bots": (TURNS, "workers.jobs.play_bots"), "time_out": (TIMEOUTS, "workers.jobs.time_out")}
JOB_SECONDS = 10
WAITING_SECONDS = 600
"""How long a job may wait; also how long one is kept that a worker took when it was told to stop, and never began."""
FAILURE_SECONDS = 60
"""How long a failed job is kept for a look; the next sweep asks for the work again anyway."""

_log = logging.getLogger(__name__)


class Jobs:
    """The queues of an installation."""

    def __init__(self, client: "redis.Redis") -> None:
        self._queues = {name: Queue(name, connection=client, serializer=JSONSerializer) for name in QUEUES}

    def ask(self, hints: Iterable[Hint]) -> None:
        """Enqueues hints. One that is lost comes back with the next sweep, so a failure is logged and no more."""
        by_queue: dict[str, list[Hint]] = {}
        for hint in hints:
            name = UNATTENDED if hint.unattended else _FUNCTIONS[hint.kind][0]
            by_queue.setdefault(name, []).append(hint)
        try:
            for name, some in by_queue.items():
                self._queues[name].enqueue_many([_job(hint) for hint in some])
        except RedisError as error:
            _log.warning("cannot enqueue, the next sweep will: %s", error)


def _job(hint: Hint) -> EnqueueData:
    # The same hint may be asked for twice: done twice it does nothing. But two workers on a job of one id would take
    # away each other's records at RQ and fail, so each asking has an id of its own.
    return Queue.prepare_data(
        _FUNCTIONS[hint.kind][1],
        args=(hint.game, hint.version),
        job_id=f"{hint.kind}-{hint.game}-{hint.version}-{secrets.token_hex(4)}",
        timeout=JOB_SECONDS,
        ttl=WAITING_SECONDS,
        result_ttl=0,
        failure_ttl=FAILURE_SECONDS,
    )
