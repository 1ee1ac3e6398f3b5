"""Enqueues jobs for the workers by import path; a job carries only games and versions."""

import logging
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import redis
from redis.exceptions import RedisError, ResponseError
from rq import Queue
from rq.job import Job
from rq.queue import EnqueueData
from rq.serializers import JSONSerializer

from games.errors import StoreReadOnly
from games.log_lines import current_request
from service.jobs.schedule import Hint
from service.store.exchange.connection import away_is_unavailable
from service.store.exchange.pipe import is_demoted
from service.store.exchange.serving import off_loop
from service.store.jobs.lines import join_line, next_in_line

TIMEOUTS = "timeouts"
TURNS = "turns"
THINKING = "thinking"
UNATTENDED = "unattended"
UNATTENDED_THINKING = "unattended_thinking"
QUEUES = (TIMEOUTS, TURNS, THINKING, UNATTENDED, UNATTENDED_THINKING)
"""The queues, most urgent first. Games between bots, which anybody may open in numbers, get the remaining time."""
QUICK_QUEUES = (TIMEOUTS, TURNS, UNATTENDED)
"""Queues whose jobs take milliseconds. Some workers serve only these, so timeouts and quick bots never wait long."""
JOB_SECONDS = 10
WAITING_SECONDS = 600
"""How long a job may wait. Jobs that a stopped worker took but never began are kept as long."""
FAILURE_SECONDS = 60
"""How long a failed job is kept for inspection; the next sweep asks for the work again anyway."""

REQUEST = "request"
"""The entry of a job's `meta` with the id of the request that has asked for it."""
MOST_TIMEOUTS = 25
"""How many jobs of timeouts may wait until sweepers leave further games where they are: on the list of those due."""
OLDEST = 10
"""How many jobs are checked to find the oldest: RQ has dropped those that waited too long."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of hint is enqueued."""

    function: str
    queue: str
    unattended: str
    """The queue for games between bots."""
    in_line: bool = False
    """Whether games wait in lines, so that a job serves the next game in line (`lines`)."""
    together: int = 1
    """How many games one job may serve: RQ's own work for a job takes several times as long as a timeout."""


_KINDS = {
    "time_out": _Kind("workers.jobs.time_out", TIMEOUTS, UNATTENDED, together=20),
    "bots": _Kind("workers.jobs.play_bots", TURNS, UNATTENDED, in_line=True),
    "think": _Kind("workers.jobs.think", THINKING, UNATTENDED_THINKING, in_line=True),
    "tell": _Kind("workers.jobs.tell", TURNS, UNATTENDED),
}


class Waiting(NamedTuple):
    """The number of jobs in a queue, and the age of the oldest in seconds (0 if there is none)."""

    jobs: int
    oldest: float


class Jobs:
    """The job queues of an installation."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client
        self._queues = {name: Queue(name, connection=client, serializer=JSONSerializer) for name in QUEUES}

    def ask(self, hints: Iterable[Hint]) -> None:
        """Enqueues jobs of hints for the workers. The next sweep repeats a lost one, so failures are only logged."""
        off_loop(partial(self._enqueue_jobs, hints))

    def _enqueue_jobs(self, hints: Iterable[Hint]) -> None:
        alike: dict[tuple[str, str], list[Hint]] = {}
        for hint in hints:
            kind = _KINDS[hint.kind]
            name = kind.unattended if hint.unattended else kind.queue
            alike.setdefault((name, hint.kind), []).append(hint)
        try:
            for (name, kind_name), some in alike.items():
                pipeline = self._client.pipeline()  # one transaction: a job and its place in line belong together
                most = _KINDS[kind_name].together
                for at in range(0, len(some), most):
                    part = some[at : at + most]
                    (job,) = self._queues[name].enqueue_many([_job_of(part)], pipeline)
                    if _KINDS[kind_name].in_line:
                        first = part[0]
                        join_line(pipeline, first.game, first.whose, first.share, self._queues[name], job.id)
                pipeline.execute()
        except RedisError as error:
            if is_demoted(error):
                self._connect_anew()
            _log.warning("cannot enqueue, the next sweep will: %s", error)

    def next_in_line(self, kind: str) -> str | None:
        """Takes the next game in line for a kind of job and returns it; None if none waits.

        Raises:
            Unavailable: the Redis of the queues cannot be reached; a game may have been taken, and the sweepers will
                find it.
        """
        try:
            return next_in_line(self._client, (_KINDS[kind].queue, _KINDS[kind].unattended))
        except StoreReadOnly:
            self._connect_anew()
            raise

    def _connect_anew(self) -> None:
        """Leaves a Redis of the job queues that is now a replica: the address may lead to the new primary."""
        self._client.connection_pool.disconnect(inuse_connections=False)

    def are_behind(self) -> bool:
        """Returns whether so many timeouts wait for the workers that sweepers need not look for more.

        Otherwise, after an outage, a game that comes due would wait for all that were due before it. True also while
        the Redis of the queues cannot be reached.
        """
        try:
            return self._queues[TIMEOUTS].count >= MOST_TIMEOUTS
        except RedisError as error:
            # To wait a second time for a Redis that does not answer would outlast the heartbeat of the workers.
            return not isinstance(error, ResponseError)

    def waiting(self) -> dict[str, Waiting]:
        """Returns how many jobs wait for the workers in each queue, and how long the oldest has.

        Raises:
            Unavailable: the Redis of the queues cannot be reached.
        """
        with away_is_unavailable():
            return {name: _waiting_in(queue) for name, queue in self._queues.items()}


def _waiting_in(queue: Queue) -> Waiting:
    ids = queue.get_job_ids(0, OLDEST)
    found = Job.fetch_many(ids, queue.connection, queue.serializer) if ids else []
    asked = [job.enqueued_at for job in found if job is not None and job.enqueued_at is not None]
    oldest = max(((datetime.now(UTC) - at).total_seconds() for at in asked), default=0.0)
    return Waiting(queue.count, max(0.0, oldest))


def _job_of(hints: Sequence[Hint]) -> EnqueueData:
    # Some hints are asked for twice, which does no harm. But two workers on one job id would delete each other's RQ
    # records and fail, so each request has its own id.
    first = hints[0]
    return Queue.prepare_data(
        _KINDS[first.kind].function,
        args=[(hint.game, hint.version) for hint in hints],
        job_id=f"{first.kind}-{first.game}-{first.version}-{secrets.token_hex(4)}",
        timeout=JOB_SECONDS,
        ttl=WAITING_SECONDS,
        result_ttl=0,
        failure_ttl=FAILURE_SECONDS,
        meta={REQUEST: current_request.get()},
    )
