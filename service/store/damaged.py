"""Notes what is damaged for operators, and skips it, so that everything else is still processed."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeVar

from games.errors import Refused, Unavailable, kind_of
from service.inputs.clock import now_ms
from service.store import keys
from service.store.redis.client import RedisClient

SHOWN_MS: Final = 10 * 60 * 1000
"""How long operators see a damaged game in their lists after a call last failed to read it."""

Read = TypeVar("Read")

_log = logging.getLogger(__name__)


@contextmanager
def leaving_out(game: str, of: str) -> Iterator[None]:
    """Skips a damaged game: logs and suppresses the error of reading it; `of` names what it is left out of."""
    try:
        yield
    except (Refused, Unavailable):
        raise
    except Exception as error:
        _log.error("game %s is left out of %s, because it cannot be read: %s", game, of, kind_of(error))


def sound(of: str, read: Callable[[], Read]) -> Read | None:
    """Returns what is stored of something, as `read` parses it; None, and a line in the log, if it is damaged."""
    try:
        return read()
    except Exception as error:
        _log.error("what is stored of %s cannot be read, and is left out: %s", of, kind_of(error))
        return None


def note(redis: RedisClient, game: str, among: str = keys.DAMAGED) -> None:
    """Notes in Redis, for operators, that a game is damaged, or its file in the archive, among such games."""
    now = now_ms()
    with suppress(Unavailable):
        redis.send(("ZADD", among, now, game), ("ZREMRANGEBYSCORE", among, "-inf", now - SHOWN_MS))
