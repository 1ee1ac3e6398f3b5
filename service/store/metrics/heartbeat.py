"""Stores the heartbeat of the workers. Every call may raise `Unavailable`."""

from service.store import keys
from service.store.exchange.connection import Exchange
from service.store.scripts import ALIVE


def is_worker_alive(exchange: Exchange) -> bool:
    """Reads from Redis the heartbeat of the workers: whether one has lately shown that it is alive."""
    return bool(exchange.send(("EXISTS", keys.WORKER_ALIVE))[0])


def record_heartbeat(exchange: Exchange, seconds: int) -> None:
    """Stores the heartbeat of the workers in Redis for so many seconds, also if its memory is full."""
    exchange.run(ALIVE, [keys.WORKER_ALIVE], [seconds])
