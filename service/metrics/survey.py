"""Reads the current state of an installation from Redis: processes, queues, games.

`totals` has the measurements over time.
"""

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from prometheus_client.metrics_core import Metric

from engine.editions import EDITIONS
from games.errors import TakesNoWrites, Unavailable
from service.jobs.queue import Jobs, Waiting
from service.metrics.latest import Dated, Latest
from service.metrics.reporting import API, QUICK_WORKER, WORKER
from service.metrics.totals import Totals
from service.store.metrics.counts import GameCounts, count_games
from service.store.redis.client import RedisClient
from service.store.redis.condition import AWAY_SAYS, OF_QUEUES, Condition, check

KEPT_SECONDS: Final = 1.0
"""How long a survey counts as new: it takes 20 to 40 ms of CPU time, and writes."""
NEEDED: Final = {API: 0, WORKER: 0, QUICK_WORKER: 0}
"""The kinds of processes; they are listed even when none is alive."""
OVERDUE_MS: Final = 2_000
"""How long after its time a game counts as overdue. A running sweeper acts much sooner."""


@dataclass(frozen=True, slots=True)
class InstallationState:
    """The state of an installation; parts that Redis or the queues' Redis cannot give are empty."""

    redis: bool
    queue_redis: bool
    processes: Mapping[str, int] = field(default_factory=dict)
    """Live processes by kind."""
    queues: Mapping[str, Waiting] = field(default_factory=dict)
    games: GameCounts = field(default_factory=GameCounts)
    measured: Sequence[Metric] = ()
    store: Sequence[Condition] = (Condition(),)
    """The condition of the games' Redis, or of each primary of a cluster."""
    queue_store: Condition | None = None
    """The condition of the queues' Redis; None if it is that of the games."""

    @property
    def fullest(self) -> Condition:
        """Returns, from a survey of the installation, the condition of the Redis with the least room."""
        return max(self.store, key=lambda one: (one.share, one.used))


UNKNOWN: Final = InstallationState(redis=False, queue_redis=False, store=(Condition(faults=AWAY_SAYS),))


class Survey:
    """Surveys a whole installation."""

    def __init__(self, redis: RedisClient, queues: RedisClient | None, jobs: Jobs, totals: Totals) -> None:
        """`queues` is the Redis of the queues to survey; None if it is that of the games."""
        self._redis = redis
        self._queue_redis = queues
        self._jobs = jobs
        self._totals = totals
        self._latest = Latest(self.state, UNKNOWN, KEPT_SECONDS)

    def latest(self) -> Dated[InstallationState]:
        """Returns the state of the installation as it was surveyed last, within a second even if Redis hangs."""
        return self._latest.get()

    def state(self) -> InstallationState:
        """Surveys the installation: returns its state, as far as it can be read."""
        store = check(self._redis)
        queue_store = _condition_of_queues(self._queue_redis)
        queues = self._waiting_jobs() if _redis_serves(queue_store or store[0]) else None
        of_games = self._of_games() if any(map(_redis_serves, store)) else None
        return InstallationState(
            redis=of_games is not None,
            queue_redis=queues is not None,
            queues=queues or {},
            store=store,
            queue_store=queue_store,
            **(of_games or {}),
        )

    def _waiting_jobs(self) -> Mapping[str, Waiting] | None:
        try:
            return self._jobs.waiting()
        except Unavailable:
            return None

    def _of_games(self) -> dict[str, Any] | None:
        """Surveys what the Redis of the games says of the installation; None if it does not answer."""
        try:
            with contextlib.suppress(TakesNoWrites):
                self._totals.report()
            processes = self._totals.processes()
            games = count_games(self._redis, [*EDITIONS], OVERDUE_MS)
            measured = self._totals.read(processes)
        except Unavailable:
            return None
        alive = NEEDED | Counter(process.kind for process in processes)
        return {"processes": alive, "games": games, "measured": measured}


def _redis_serves(one: Condition) -> bool:
    return not {"away", "wrong_kind"} & one.faults.keys()


def _condition_of_queues(redis: RedisClient | None) -> Condition | None:
    if redis is None:
        return None
    found = check(redis)[0]
    return Condition(faults={code: says for code, says in found.faults.items() if code in OF_QUEUES})
