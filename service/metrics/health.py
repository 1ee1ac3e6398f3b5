"""Checks whether an installation can serve: Redis answers and takes writes, and at least one worker is alive."""

from typing import Final, NamedTuple

from games.errors import Unavailable
from service.metrics.latest import Dated, Latest
from service.store.metrics.heartbeat import is_worker_alive, record_heartbeat
from service.store.redis.client import RedisClient
from service.store.redis.condition import check

WORKER_SECONDS: Final = 5
"""How long a worker counts as alive after its last heartbeat."""
OLD_SECONDS: Final = 15.0
"""From which age a check says nothing any more; the slowest takes as long as Redis may take to answer, twice."""


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


UNKNOWN: Final = Ready(False, False, False)


class HealthCheck:
    """Checks what the API depends on."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._latest = Latest(self.ready, UNKNOWN)

    def latest(self) -> Dated[Ready]:
        """Returns the health of the installation as it was checked last, within a second even if Redis hangs."""
        found = self._latest.get()
        return found if found.age < OLD_SECONDS else Dated(UNKNOWN, found.age)

    def ready(self) -> Ready:
        """Checks the health of the installation: whether Redis and the workers answer."""
        store = check(self._redis)
        if all("away" in one.faults for one in store):
            return UNKNOWN  # to ask a frozen Redis once more takes seconds
        try:
            worker = is_worker_alive(self._redis)
        except Unavailable:
            return UNKNOWN
        writes = not any({"away", "full", "read_only"} & one.faults.keys() for one in store)
        return Ready(True, worker, writes, all("read_only" in one.faults for one in store))

    def record_heartbeat(self) -> None:
        """Records a worker's heartbeat for the health check.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        record_heartbeat(self._redis, WORKER_SECONDS)
