"""Whether an installation can serve: Redis answers, and at least one worker is alive."""

import redis
from redis.exceptions import RedisError

from service import keys

WORKER_SECONDS = 5
"""How long a worker counts as alive after it last said so."""


class Health:
    """Looks at what the API depends on."""

    def __init__(self, client: "redis.Redis") -> None:
        self._redis = client

    def ready(self) -> dict[str, bool]:
        """Returns for Redis and the workers whether they answer."""
        try:
            return {"redis": True, "worker": bool(self._redis.exists(keys.WORKER_ALIVE))}
        except RedisError:
            return {"redis": False, "worker": False}

    def worker_is_alive(self) -> None:
        """Notes that a worker is alive."""
        self._redis.set(keys.WORKER_ALIVE, 1, ex=WORKER_SECONDS)
