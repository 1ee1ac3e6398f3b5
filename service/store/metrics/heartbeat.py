"""Stores the heartbeat of the workers. Every call may raise `Unavailable`."""

from service.store import keys
from service.store.redis.client import RedisClient
from service.store.scripts import ALIVE


def is_worker_alive(redis: RedisClient) -> bool:
    """Reads from Redis the heartbeat of the workers: whether one has lately shown that it is alive."""
    return bool(redis.send(("EXISTS", keys.WORKER_ALIVE))[0])


def record_heartbeat(redis: RedisClient, seconds: int) -> None:
    """Stores the heartbeat of the workers in Redis for so many seconds, also if its memory is full."""
    redis.run(ALIVE, [keys.WORKER_ALIVE], [seconds])
