"""Enqueues jobs for the workers by import path; a job carries only games, editions and versions."""

import logging
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from datetime import UTC, datetime
from typing import Any, NamedTuple

import redis
from redis.exceptions import RedisError, ResponseError
from rq.job import Job
from rq.serializers import JSONSerializer

from games.errors import StoreReadOnly
from service.jobs.form import KINDS, QUEUES, TIMEOUTS, OwnQueue, is_game, job_of
from service.jobs.schedule import Task
from service.store.jobs.lines import NextInLine, join_line, next_in_line
from service.store.redis.client import away_is_unavailable
from service.store.redis.shared_connection import is_demoted

MOST_TIMEOUTS = 25
"""How many jobs of timeouts may wait until sweepers leave further games where they are: on the list of those due."""
MOST_ASKED = 1_000
"""How many tasks may wait in this process to be enqueued. The sweepers take care of the rest."""
SETTLE_SECONDS = 5.0
"""How long a process that ends waits for the Redis of the queues."""
OLDEST = 10
"""How many jobs are checked to find the oldest: RQ has dropped those that waited too long."""

_log = logging.getLogger(__name__)


class Waiting(NamedTuple):
    """The number of jobs in a queue, and the age of the oldest in seconds (0 if there is none)."""

    jobs: int
    oldest: float


class Jobs:
    """The job queues of an installation."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client
        self._queues = {name: OwnQueue(name, connection=client, serializer=JSONSerializer) for name in QUEUES}
        self._thread = ThreadPoolExecutor(1, "tasks")
        self._asked: set[Future[None]] = set()
        """What the thread has yet to enqueue."""

    def enqueue_soon(self, task: Task) -> None:
        """Has the job of a task enqueued on a thread, without waiting: no answer waits for the queues."""
        if len(self._asked) >= MOST_ASKED:
            return
        asked = self._thread.submit(copy_context().run, self.enqueue, [task])  # the job names the request
        self._asked.add(asked)
        asked.add_done_callback(self._end)

    def settle(self) -> None:
        """Waits until what was to be enqueued soon has been, or leaves it to the sweepers."""
        for asked in wait(self._asked.copy(), SETTLE_SECONDS).not_done:
            asked.cancel()

    def _end(self, asked: Future[None]) -> None:
        self._asked.discard(asked)
        if not asked.cancelled() and (error := asked.exception()) is not None:
            _log.error("cannot enqueue, the next sweep will", exc_info=error)

    def enqueue(self, tasks: Iterable[Task]) -> None:
        """Enqueues jobs of tasks for the workers. The next sweep repeats a lost one, so failures are only logged."""
        alike: dict[tuple[str, str], list[Task]] = {}
        for task in tasks:
            if not is_game(task.game):
                _log.error("refused to enqueue work for a game: its id is none of Billet's")
                continue
            kind = KINDS[task.kind]
            name = kind.unattended if task.unattended else kind.queue
            alike.setdefault((name, task.kind), []).append(task)
        try:
            for (name, kind_name), some in alike.items():
                pipeline = self._client.pipeline()  # one transaction: a job and its place in line belong together
                most = KINDS[kind_name].together
                for at in range(0, len(some), most):
                    part = some[at : at + most]
                    (job,) = self._queues[name].enqueue_many([job_of(part)], pipeline)
                    if KINDS[kind_name].in_line:
                        first = part[0]
                        join_line(pipeline, first.game, first.humans, first.address_hash, self._queues[name], job.id)
                pipeline.execute()
        except RedisError as error:
            if is_demoted(error):
                self._connect_anew()
            _log.warning("cannot enqueue, the next sweep will: %s", error)

    def next_in_line(self, kind: str) -> NextInLine | None:
        """Takes the next game in line for a kind of job and returns it, and whose turn it is; None if none waits.

        Raises:
            Unavailable: the Redis of the queues cannot be reached; a game may have been taken, and the sweepers will
                find it.
        """
        try:
            found = next_in_line(self._client, (KINDS[kind].queue, KINDS[kind].unattended))
        except StoreReadOnly:
            self._connect_anew()
            raise
        if found is not None and not is_game(found.game):
            _log.error("refused a game in line: its id is none of Billet's")
            return None
        return found

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


def _waiting_in(queue: OwnQueue) -> Waiting:
    ids: list[Any] = queue.connection.lrange(queue.key, 0, OLDEST - 1)
    pipeline = queue.connection.pipeline()
    pipeline.llen(queue.key)
    for job in ids:
        pipeline.hget(Job.key_for("").encode() + job, "enqueued_at")  # the rest may be anything
    jobs, *enqueued = pipeline.execute(raise_on_error=False)
    oldest = max((_age(text) for text in enqueued if isinstance(text, bytes)), default=0.0)
    return Waiting(jobs, max(0.0, oldest))


def _age(enqueued: bytes) -> float:
    """Returns how long ago RQ has enqueued a job, in seconds; 0 if the job does not say."""
    try:
        return (datetime.now(UTC) - datetime.fromisoformat(enqueued.decode())).total_seconds()
    except (ValueError, TypeError):
        return 0.0
