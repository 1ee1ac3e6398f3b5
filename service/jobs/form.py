"""Defines the form of a job in RQ: how one is written, and that workers accept no other.

RQ imports whatever a job names, and whoever can write to the Redis of the queues can name anything (decision 024).
"""

import json
import logging
import re
import secrets
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis.exceptions import ResponseError
from rq import Queue
from rq.exceptions import NoSuchJobError
from rq.job import Job
from rq.queue import EnqueueData

from service.jobs.schedule import Task
from service.log_lines import request_id

TIMEOUTS: Final = "timeouts"
TURNS: Final = "turns"
THINKING: Final = "thinking"
REVIEWS: Final = "reviews"
UNATTENDED: Final = "unattended"
UNATTENDED_THINKING: Final = "unattended_thinking"
QUEUES: Final = (TIMEOUTS, TURNS, THINKING, REVIEWS, UNATTENDED, UNATTENDED_THINKING)
"""The queues, most urgent first. Reviews wait for all games with people. Games between bots, which anybody may open in
numbers, get the remaining time."""
QUICK_QUEUES: Final = (TIMEOUTS, TURNS, UNATTENDED)
"""Queues whose jobs take milliseconds. Some workers serve only these, so timeouts and quick bots never wait long."""

JOB_SECONDS: Final = 10
WAITING_SECONDS: Final = 600
"""How long a job may wait. Jobs that a stopped worker took but never began are kept as long."""
FAILURE_SECONDS: Final = 60
"""How long a failed job is kept for inspection; the next sweep asks for the work again anyway."""
REQUEST: Final = "request"
"""The entry of a job's `meta` with the id of the request that has asked for it."""
MOST_BYTES: Final = 4096
"""How large the data of a job may be when unpacked, several times what 20 games take."""
FIELDS: Final = frozenset(
    {"created_at", "data", "description", "ended_at", "enqueued_at", "failure_ttl", "last_heartbeat", "meta", "origin"}
    | {"result_ttl", "started_at", "status", "timeout", "ttl", "worker_name"}
)
"""What RQ writes of our jobs. The rest has RQ run, load or call something: callbacks, webhooks, retries, repeats,
dependencies, groups."""
EMPTY: Final = frozenset({"success_callback_name", "failure_callback_name", "stopped_callback_name", "group_id"})
"""What RQ writes of any job, and of ours without a value."""

_FIXED: Final = {
    "timeout": str(JOB_SECONDS),
    "ttl": str(WAITING_SECONDS),
    "failure_ttl": str(FAILURE_SECONDS),
    "result_ttl": "0",
}
_GAME: Final = re.compile(r"[a-z0-9_-]{1,64}")
_REQUEST: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of task is enqueued."""

    function: str
    queue: str
    unattended: str
    """The queue for games between bots."""
    in_line: bool = False
    """Whether games wait in lines (`lines`): the job names nothing, and serves the next game in line."""
    together: int = 1
    """How many games one job may serve: RQ's own work for a job takes several times as long as a timeout."""


KINDS: Final = {
    "time_out": Kind("workers.jobs.time_out", TIMEOUTS, UNATTENDED, together=20),
    "bots": Kind("workers.jobs.play_bots", TURNS, UNATTENDED, in_line=True),
    "think": Kind("workers.jobs.think", THINKING, UNATTENDED_THINKING, in_line=True),
    "record": Kind("workers.jobs.record", TURNS, UNATTENDED, together=20),
    "pair": Kind("workers.jobs.pair", TURNS, UNATTENDED),
    "play": Kind("workers.jobs.play_match", TURNS, UNATTENDED),
    "day": Kind("workers.jobs.end_day", TURNS, UNATTENDED),
    "review": Kind("workers.jobs.review", REVIEWS, REVIEWS, in_line=True),
    "notify": Kind("workers.jobs.notify", TURNS, UNATTENDED),
}
_BY_FUNCTION: Final = {kind.function: kind for kind in KINDS.values()}


def job_of(tasks: Sequence[Task]) -> EnqueueData:
    """Returns the job of tasks of one kind, to be enqueued."""
    # Some tasks are asked for twice, which does no harm. But two workers on one job id would delete each other's RQ
    # records and fail, so each request has its own id.
    first, kind = tasks[0], KINDS[tasks[0].kind]
    return Queue.prepare_data(
        kind.function,
        args=[] if kind.in_line else [(task.game, task.version) for task in tasks],
        job_id=f"{first.kind}-{first.game}-{first.version}-{secrets.token_hex(4)}",
        timeout=JOB_SECONDS,
        ttl=WAITING_SECONDS,
        result_ttl=0,
        failure_ttl=FAILURE_SECONDS,
        meta={REQUEST: request_id.get()},
    )


def is_game(name: str) -> bool:
    """Returns whether what a queue or a line holds can be the id of a game."""
    return _GAME.fullmatch(name) is not None


class OwnJob(Job):
    """RQ's job, which exists only if it has the form that `job_of` gives."""

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Takes over the fields of a job in Redis.

        Raises:
            NoSuchJobError: it is no job of ours. RQ goes on with the next one.
        """
        try:
            _check(raw_data)
            super().restore(raw_data)
        except Exception as error:
            # Whatever fails here fails for each worker that takes it, and would end RQ's worker.
            _log.error("refused the job %s: it is none of Billet's", self.id)
            raise NoSuchJobError from error

    @classmethod
    def fetch(cls, id: str, connection: Any = None, serializer: Any = None) -> Job:
        """Returns a job in Redis.

        Raises:
            NoSuchJobError: there is none, or it is no job of ours.
        """
        try:
            return super().fetch(id, connection, serializer)
        except (ValueError, ResponseError) as error:  # the id has another form, or names something that is no hash
            _log.error("refused a job: it is none of Billet's")
            raise NoSuchJobError from error


class OwnQueue(Queue):
    """RQ's queue, whose jobs have nothing that depends on them."""

    job_class = OwnJob

    def enqueue_dependents(self, *_: object, **__: object) -> None:
        """Does nothing when a job is done: RQ would load and enqueue whatever Redis calls its dependents."""


def _check(raw: Mapping[bytes, bytes]) -> None:
    """Raises ValueError, or what else a wrong type brings about, if a job's fields are not those of `job_of`."""
    fields = {name.decode(): value for name, value in raw.items()}
    unknown = {name for name, value in fields.items() if name not in FIELDS and not (name in EMPTY and not value)}
    changed = {name for name, value in _FIXED.items() if fields[name].decode() != value}
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(fields["data"], MOST_BYTES)
    if unknown or changed or not unpacker.eof or len(fields["meta"]) > MOST_BYTES:
        raise ValueError
    function, instance, games, named = json.loads(data)
    [(name, request)] = json.loads(fields["meta"]).items()
    if (instance, named, name) != (None, {}, REQUEST) or _REQUEST.fullmatch(request) is None:
        raise ValueError
    kind = _BY_FUNCTION[function]
    most = 0 if kind.in_line else kind.together
    if fields["origin"].decode() not in QUEUES or not min(most, 1) <= len(games) <= most:
        raise ValueError
    if type(games) is not list:
        raise ValueError
    for game, version in games:
        if not is_game(game) or type(version) is not int:
            raise ValueError
