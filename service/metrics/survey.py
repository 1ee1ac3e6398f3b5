"""Reads the current state of an installation from Redis: processes, queues, games.

`totals` has the measurements over time.
"""

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prometheus_client.metrics_core import Metric

from engine.editions import EDITIONS
from games.errors import TakesNoWrites, Unavailable
from games.times import now_ms
from service.jobs.queue import Jobs, Waiting
from service.metrics.memory import UNBOUNDED, Memory, read_memory
from service.metrics.totals import Totals
from service.store import keys
from service.store.connection import Exchange

NEEDED: Final = {"api": 0, "worker": 0}
"""Kinds of processes that every installation needs; they are listed even when none is alive."""
OVERDUE_MS: Final = 2_000
"""How long after its time a game counts as overdue. A running sweeper acts much sooner."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of an installation; parts that Redis or the queues' Redis cannot give are empty."""

    redis: bool
    queue_redis: bool
    processes: Mapping[str, int]
    """Live processes by kind."""
    queues: Mapping[str, Waiting]
    active: Mapping[str, int]
    """Running games by edition, without sandbox games."""
    overdue: int
    """Games that no sweeper looked at when they were due."""
    measured: Sequence[Metric]
    not_archived: int = 0
    """Games whose last archiving attempt failed."""
    kept_from_it: str = ""
    """The reason for one of the failures."""
    memory: Memory = UNBOUNDED
    """The memory of the games' Redis."""


class Survey:
    """Surveys a whole installation."""

    def __init__(self, exchange: Exchange, jobs: Jobs, totals: Totals) -> None:
        self._exchange = exchange
        self._jobs = jobs
        self._totals = totals

    def standing(self) -> Standing:
        """Returns the state of the installation, as far as it can be read."""
        queues: Mapping[str, Waiting] = {}
        try:
            queues = self._jobs.waiting()
            queue_redis = True
        except Unavailable:
            queue_redis = False
        try:
            with contextlib.suppress(TakesNoWrites):
                self._totals.report()
            processes = self._totals.processes()
            *active, overdue, not_archived, one = self._exchange.send(
                *[("ZCARD", keys.active(edition)) for edition in EDITIONS],
                ("ZCOUNT", keys.DUE, "-inf", now_ms() - OVERDUE_MS),
                ("HLEN", keys.NOT_ARCHIVED),
                ("HRANDFIELD", keys.NOT_ARCHIVED, 1, "WITHVALUES"),
            )
            measured = self._totals.read(processes)
            memory = read_memory(self._exchange)
        except Unavailable:
            return Standing(False, queue_redis, {}, queues, {}, 0, ())
        alive = NEEDED | Counter(process.kind for process in processes)
        why = one[1].decode() if one else ""
        games = dict(zip(EDITIONS, active, strict=True))
        return Standing(True, queue_redis, alive, queues, games, overdue, measured, not_archived, why, memory)
