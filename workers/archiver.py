"""Packs and archives ended games, expires untouched ones and removes old matches, a few beside a worker's jobs.

The service decides what is packed, archived, expires or is removed.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Final

from games.errors import TakesNoWrites, Unavailable
from service import Service
from service.store.redis.condition import Condition, check

PAUSE_SECONDS: Final = 60.0
"""How long an archiver waits after finding nothing to do, or failing."""
REST: Final = 9
"""How many times as long as it used the processor an archiver rests, so that jobs in its process hardly notice it."""
LEAST_REST_SECONDS: Final = 0.05
WARNING_SECONDS: Final = 600.0
"""The shortest interval between warnings about Redis."""
MOST_AHEAD_MS: Final = 60_000
"""A worker whose clock is further ahead of that of Redis expires nothing, because it would be too early."""

_log = logging.getLogger(__name__)


def archive(service: Service, stop: threading.Event) -> None:
    """Packs, archives and expires games beside a worker's jobs until told to stop; a game may be left unfinished."""
    next_warning = 0.0
    while not stop.is_set():
        try:
            conditions = check(service.redis)
            if time.monotonic() >= next_warning and _warn_of_redis(conditions):
                next_warning = time.monotonic() + WARNING_SECONDS
            found = _pack_some(service, stop)
            found |= _archive_some(service, stop)
            if all(one.ahead_ms >= -MOST_AHEAD_MS for one in conditions):
                for outcomes in (service.expiry.expire_games(), service.expiry.expire_players()):
                    found |= _expire_some(outcomes, stop)
            _expire_some(service.retention.remove_matches(), stop)
        except Unavailable as error:
            found = False
            _log.warning("Redis is unreachable; packing, archiving and expiring resume when it is back: %s", error)
        except Exception:
            # An archiver that ended would harm no game, but Redis would grow under a worker that looks healthy.
            found = False
            _log.exception("archiving failed; it is tried again")
        if not found:
            stop.wait(PAUSE_SECONDS)


def _warn_of_redis(conditions: Iterable[Condition]) -> bool:
    """Has this worker log what is wrong with Redis, other than that it is away; returns whether anything is."""
    found = [(one.node, says) for one in conditions for code, says in one.faults.items() if code != "away"]
    for node, says in found:
        _log.warning("Redis%s %s", f" at {node}" if node else "", says)
    return bool(found)


def _pack_some(service: Service, stop: threading.Event) -> bool:
    """Has this worker pack the games that are next; returns whether to look for more at once."""
    games, upto = service.packing.waiting()
    try:
        for game in games:
            begun = time.thread_time()
            service.packing.pack(game)
            if _rest(begun, stop):
                return False
        if upto is not None:
            service.packing.packed(upto)
    except TakesNoWrites as error:
        # Archiving and expiring must still run: only they make room in a Redis whose memory is full.
        _log.warning("Redis takes no writes, packing goes on when it does: %s", error)
        return False
    return upto is not None


def _archive_some(service: Service, stop: threading.Event) -> bool:
    """Has this worker archive the games that it claims; returns whether to look for more at once."""
    found = False
    for game in service.retention.claim():
        begun = time.thread_time()
        failed = service.retention.archive(game) == "failed"
        if failed and service.retention.fault() is not None:
            return False  # the others would fail too; all of them come up again
        found |= not failed
        if _rest(begun, stop):
            return False
    return found


def _expire_some(outcomes: Iterator[object], stop: threading.Event) -> bool:
    """Has this worker expire what it claims; returns whether to look for more at once."""
    found = False
    begun = time.thread_time()
    for _ in outcomes:
        found = True
        if _rest(begun, stop):
            return False
        begun = time.thread_time()
    return found


def _rest(begun: float, stop: threading.Event) -> bool:
    """Has this worker rest from work that began at a time of its thread's clock; returns whether it stops."""
    return stop.wait(max(LEAST_REST_SECONDS, REST * (time.thread_time() - begun)))
