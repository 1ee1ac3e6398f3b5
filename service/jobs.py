"""Jobs for the workers, enqueued by import path: hints that name games and versions and carry nothing else."""

import logging
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import redis
from redis.exceptions import RedisError
from rq import Queue
from rq.job import Job
from rq.queue import EnqueueData
from rq.serializers import JSONSerializer

from service.connection import away_is_unavailable
from service.due import Hint
from service.thoughts import await_thought, next_thought

TIMEOUTS = "timeouts"
TURNS = "turns"
THINKING = "thinking"
UNATTENDED = "unattended"
UNATTENDED_THINKING = "unattended_thinking"
QUEUES = (TIMEOUTS, TURNS, THINKING, UNATTENDED, UNATTENDED_THINKING)
"""The queues, the most urgent first: games of bots alone, of which anybody may open many, get what time is left."""
QUICK_QUEUES = (TIMEOUTS, TURNS, UNATTENDED)
"""Those whose jobs take milliseconds, for workers that are always there for a timeout or the turn of a quick bot."""
JOB_SECONDS = 10
WAITING_SECONDS = 600
"""How long a job may wait; also how long one is kept that a worker took when it was told to stop, and never began."""
FAILURE_SECONDS = 60
"""How long a failed job is kept for a look; the next sweep asks for the work again anyway."""

OLDEST = 10
"""How many jobs are looked at for the oldest one, for RQ has forgotten those that have waited too long."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What becomes of a kind of hint."""

    function: str
    queue: str
    unattended: str
    """The queue for games of bots alone."""
    together: int = 1
    """How many games one job may be for: what RQ does for a job takes several times as long as a timeout itself."""


_KINDS = {
    "time_out": _Kind("workers.jobs.time_out", TIMEOUTS, UNATTENDED, together=20),
    "bots": _Kind("workers.jobs.play_bots", TURNS, UNATTENDED),
    "think": _Kind("workers.jobs.think", THINKING, UNATTENDED_THINKING),
    "tell": _Kind("workers.jobs.tell", TURNS, UNATTENDED),
}


class Waiting(NamedTuple):
    """What waits in a queue: how many jobs, and the age of the oldest in seconds, 0 without any."""

    jobs: int
    oldest: float


class Jobs:
    """The queues of an installation."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client
        self._queues = {name: Queue(name, connection=client, serializer=JSONSerializer) for name in QUEUES}

    def ask(self, hints: Iterable[Hint]) -> None:
        """Enqueues hints. One that is lost comes back with the next sweep, so a failure is logged and no more."""
        alike: dict[tuple[str, str], list[Hint]] = {}
        for hint in hints:
            kind = _KINDS[hint.kind]
            name = kind.unattended if hint.unattended else kind.queue
            alike.setdefault((name, hint.kind), []).append(hint)
        try:
            for (name, kind_name), some in alike.items():
                most = _KINDS[kind_name].together
                parts = [some[i : i + most] for i in range(0, len(some), most)]
                pipeline = self._client.pipeline()
                for hint in some if kind_name == "think" else ():
                    await_thought(pipeline, hint)
                self._queues[name].enqueue_many([_job(part) for part in parts], pipeline)
                pipeline.execute()
        except RedisError as error:
            _log.warning("cannot enqueue, the next sweep will: %s", error)

    def next_thought(self) -> tuple[str, int] | None:
        """Takes the game that is to be thought about next, and returns it with its version; None if none waits.

        Raises:
            Unavailable: the Redis of the queues is away; a game may have been taken, which sweepers find.
        """
        return next_thought(self._client)

    def waiting(self) -> dict[str, Waiting]:
        """Returns what waits in each queue.

        Raises:
            Unavailable: the Redis of the queues is away.
        """
        with away_is_unavailable():
            return {name: _waiting(queue) for name, queue in self._queues.items()}


def _waiting(queue: Queue) -> Waiting:
    ids = queue.get_job_ids(0, OLDEST)
    found = Job.fetch_many(ids, queue.connection, queue.serializer) if ids else []
    asked = [job.enqueued_at for job in found if job is not None and job.enqueued_at is not None]
    oldest = max(((datetime.now(UTC) - at).total_seconds() for at in asked), default=0.0)
    return Waiting(queue.count, max(0.0, oldest))


def _job(hints: Sequence[Hint]) -> EnqueueData:
    # The same hint may be asked for twice: done twice it does nothing. But two workers on a job of one id would take
    # away each other's records at RQ and fail, so each asking has an id of its own.
    first = hints[0]
    return Queue.prepare_data(
        _KINDS[first.kind].function,
        args=[(hint.game, hint.version) for hint in hints],
        job_id=f"{first.kind}-{first.game}-{first.version}-{secrets.token_hex(4)}",
        timeout=JOB_SECONDS,
        ttl=WAITING_SECONDS,
        result_ttl=0,
        failure_ttl=FAILURE_SECONDS,
    )
