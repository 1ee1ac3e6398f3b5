"""Whether an installation can serve: Redis answers, and at least one worker is alive."""

from service import keys
from service.connection import Exchange
from service.errors import Unavailable

WORKER_SECONDS = 5
"""How long a worker counts as alive after it last said so."""


class Health:
    """Looks at what the API depends on."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def ready(self) -> dict[str, bool]:
        """Returns for Redis and the workers whether they answer."""
        try:
            return {"redis": True, "worker": bool(self._exchange.send(("EXISTS", keys.WORKER_ALIVE))[0])}
        except Unavailable:
            return {"redis": False, "worker": False}

    def worker_is_alive(self) -> None:
        """Notes that a worker is alive.

        Raises:
            Unavailable: Redis is away.
        """
        self._exchange.send(("SET", keys.WORKER_ALIVE, 1, "EX", WORKER_SECONDS))
