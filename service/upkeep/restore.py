"""Writes a backup into a Redis without games, and rebuilds what a backup leaves out."""

from collections import Counter
from itertools import islice
from typing import Final

from service.settings import Settings
from service.store.exchange.cluster import exchange_at
from service.store.upkeep.copies import begin_restoring, end_restoring, write_back
from service.upkeep.backup import BackupError, WholeBackup, contents
from service.upkeep.rebuild import rebuild

AT_ONCE: Final = 100
"""How many lines of a backup are written in one round trip: Redis syncs its disk once for all that it reads at once."""


def restore(settings: Settings, saved: WholeBackup) -> Counter[str]:
    """Restores a backup; returns the numbers of keys restored and left out.

    Games that were damaged in the backup stay so; their number is returned, too, and the lists lack them.

    If it is broken off, restoring the same file again finishes it.

    Raises:
        BackupError: the Redis holds games or players. Nothing was written.
        OSError: the file cannot be read.
        Unavailable: Redis cannot be reached.
    """
    counts: Counter[str] = Counter({"keys": 0, "damaged": 0, "left out": 0})
    exchange = exchange_at(settings.redis_url, settings.redis_cluster)
    if why := begin_restoring(exchange, saved.digest):
        raise BackupError(why)
    lines = contents(saved.path)
    while some := list(islice(lines, AT_ONCE)):
        copied = [one for line in some for one in line]
        written = write_back(exchange, copied)
        counts["keys"] += written
        counts["left out"] += len(copied) - written
    counts["damaged"] = rebuild(settings)["damaged"]
    end_restoring(exchange)
    return counts
