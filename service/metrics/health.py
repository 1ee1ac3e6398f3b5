"""Checks whether an installation can serve: Redis answers and at least one worker is alive."""

from games.errors import StoreFull, Unavailable
from service.store import keys
from service.store.connection import Exchange

WORKER_SECONDS = 5
"""How long a worker counts as alive after its last heartbeat."""


class Health:
    """Checks what the API depends on."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def ready(self) -> dict[str, bool]:
        """Returns whether Redis and the workers answer."""
        try:
            return {"redis": True, "worker": bool(self._exchange.send(("EXISTS", keys.WORKER_ALIVE))[0])}
        except Unavailable:
            return {"redis": False, "worker": False}

    def worker_is_alive(self) -> None:
        """Records a worker's heartbeat.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        try:
            self._exchange.send(("SET", keys.WORKER_ALIVE, 1, "EX", WORKER_SECONDS))
        except StoreFull:
            # This needs no memory. Without it a full but readable installation would count as down.
            self._exchange.send(("EXPIRE", keys.WORKER_ALIVE, WORKER_SECONDS))
