"""Calls off all games that have not ended, after Redis has gone back in time.

A game may have ended since that time and shown its secret, from which all its cards follow. So none goes on
(decision 051).
"""

from games.causes import Restore
from service.changing.changes import Changes
from service.jobs.notifier import Notifier
from service.jobs.queue import Jobs
from service.metrics.measures import Measures
from service.settings import Settings
from service.store.damaged import leaving_out
from service.store.log.event_log import EventLog
from service.store.redis.client import connect
from service.store.redis.cluster import client_at
from service.store.upkeep.inventory import games_in


def call_off(settings: Settings) -> tuple[int, int]:
    """Calls off all games that have not ended; returns how many, and how many are damaged.

    No clock is applied before: what it brings about might deal cards that somebody knows.

    Raises:
        Unavailable: Redis cannot be reached; repeat it.
    """
    called_off = damaged = 0
    redis = client_at(settings.redis_url, settings.redis_cluster)
    log = EventLog(redis)
    notifier = Notifier(redis, log)
    jobs = Jobs(connect(settings.queue_redis_url or settings.redis_url))
    changes = Changes(redis, log, jobs, Measures(), notifier, settings.bot_think_ms)
    for game in games_in(redis):
        damaged += 1
        with leaving_out(game, "the games that are called off"):
            snapshot = log.read_uncached(game)
            if snapshot is not None and not snapshot.ended:
                changes.by_service(snapshot, Restore())
                called_off += 1
            damaged -= 1
    notifier.settle()
    return called_off, damaged
