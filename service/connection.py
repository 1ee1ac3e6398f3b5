"""Connections to Redis; what is said over them belongs to the modules that use it."""

from collections.abc import Iterator
from contextlib import contextmanager

import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from service.errors import Unavailable

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0

_AWAY = (RedisConnectionError, RedisTimeoutError, ReadOnlyError)
_CANNOT_WRITE = ("OOM", "MISCONF", "READONLY", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "LOADING", "TRYAGAIN")


def connect(url: str, *, max_connections: int = 1024, answer_seconds: float | None = ANSWER_SECONDS) -> "redis.Redis":
    """Returns a client for a Redis; it connects when it is first used.

    The client never repeats a command by itself: a repeated append would be refused and hide that the first was made.
    """
    return redis.Redis.from_url(
        url,
        max_connections=max_connections,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=answer_seconds,
        retry=Retry(NoBackoff(), 0),
    )


@contextmanager
def away_is_unavailable() -> Iterator[None]:
    """Turns the errors of a Redis that is away, still loading or cannot write into `Unavailable`."""
    try:
        yield
    except _AWAY as error:
        raise Unavailable(str(error)) from error
    except ResponseError as error:
        if str(error).startswith(_CANNOT_WRITE):
            raise Unavailable(str(error)) from error
        raise


__all__ = ["RedisError", "away_is_unavailable", "connect"]
