"""Checks whether an installation can serve: Redis answers and takes writes, and at least one worker is alive."""

import threading
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.errors import Unavailable
from service.store.exchange.condition import Condition, check
from service.store.exchange.connection import Exchange
from service.store.metrics.heartbeat import is_worker_alive, record_heartbeat

WORKER_SECONDS: Final = 5
"""How long a worker counts as alive after its last heartbeat."""
CHECKED_SECONDS: Final = 1.0
"""How long the condition of Redis is cached: each check writes."""


class Ready(NamedTuple):
    """Whether the parts that the API needs can serve."""

    redis: bool
    """Whether Redis answers."""
    worker: bool
    """Whether a worker is alive."""
    writes: bool
    """Whether Redis takes writes, all nodes of a cluster."""
    read_only: bool = False
    """Whether no Redis takes writes because all are read-only."""


class HealthCheck:
    """Checks what the API depends on."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._checking = threading.Lock()
        self._checked: tuple[float, Sequence[Condition]] = (0.0, ())

    def ready(self) -> Ready:
        """Checks the health of the installation: whether Redis and the workers answer."""
        store = self._redis_conditions()
        if all("away" in one.faults for one in store):
            return Ready(False, False, False)  # to ask a frozen Redis once more takes seconds
        try:
            worker = is_worker_alive(self._exchange)
        except Unavailable:
            return Ready(False, False, False)
        writes = not any({"away", "full", "read_only"} & one.faults.keys() for one in store)
        return Ready(True, worker, writes, all("read_only" in one.faults for one in store))

    def _redis_conditions(self) -> Sequence[Condition]:
        with self._checking:
            at, store = self._checked
            if not store or time.monotonic() - at > CHECKED_SECONDS:
                self._checked = time.monotonic(), (store := check(self._exchange))
            return store

    def record_heartbeat(self) -> None:
        """Records a worker's heartbeat for the health check.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        record_heartbeat(self._exchange, WORKER_SECONDS)
