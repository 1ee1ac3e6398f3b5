"""How an installation stands at this moment: its processes, its queues, its games; read from Redis when somebody asks.

What has been measured over time is in `totals`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prometheus_client.metrics_core import Metric

from engine.editions import EDITIONS
from service import keys
from service.connection import Exchange
from service.errors import Unavailable
from service.jobs import Jobs, Waiting
from service.times import now_ms
from service.totals import Totals

NEEDED: Final = {"api": 0, "worker": 0}
"""The kinds of processes without which no game goes on: they are counted also where there is none."""
OVERDUE_MS: Final = 2_000
"""How long after its time a game counts as overdue: a sweeper that is there looks much sooner."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What can be said of an installation; without Redis, or without that of the queues, it is empty there."""

    redis: bool
    queue_redis: bool
    processes: Mapping[str, int]
    """How many processes of each kind are alive."""
    queues: Mapping[str, Waiting]
    active: Mapping[str, int]
    """How many games are being played, by edition; sandbox games are not counted."""
    overdue: int
    """Games that no sweeper has looked at when it was time."""
    measured: Sequence[Metric]
    not_archived: int = 0
    """Games that could not be archived when it was last tried."""
    kept_from_it: str = ""
    """What kept one of them from it."""


class Survey:
    """Looks at a whole installation."""

    def __init__(self, exchange: Exchange, jobs: Jobs, totals: Totals) -> None:
        self._exchange = exchange
        self._jobs = jobs
        self._totals = totals

    def standing(self) -> Standing:
        """Returns how the installation stands, whatever of it is away."""
        queues: Mapping[str, Waiting] = {}
        try:
            queues = self._jobs.waiting()
            queue_redis = True
        except Unavailable:
            queue_redis = False
        try:
            self._totals.report()
            processes = self._totals.processes()
            *active, overdue, not_archived, one = self._exchange.send(
                *[("ZCARD", keys.active(edition)) for edition in EDITIONS],
                ("ZCOUNT", keys.DUE, "-inf", now_ms() - OVERDUE_MS),
                ("HLEN", keys.NOT_ARCHIVED),
                ("HRANDFIELD", keys.NOT_ARCHIVED, 1, "WITHVALUES"),
            )
            measured = self._totals.read(processes)
        except Unavailable:
            return Standing(False, queue_redis, {}, queues, {}, 0, ())
        alive = NEEDED | Counter(process.kind for process in processes)
        why = one[1].decode() if one else ""
        games = dict(zip(EDITIONS, active, strict=True))
        return Standing(True, queue_redis, alive, queues, games, overdue, measured, not_archived, why)
