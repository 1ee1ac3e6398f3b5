"""Writes a backup into a Redis without games, and rebuilds what a backup leaves out."""

from collections import Counter

from service.settings import Settings
from service.store.exchange.cluster import exchange_at
from service.store.upkeep.copies import begin_restoring, end_restoring, write_back
from service.upkeep.backup import BackupError, WholeBackup, contents
from service.upkeep.rebuild import rebuild


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
    for line in contents(saved.path):
        written = write_back(exchange, line)
        counts["keys"] += written
        counts["left out"] += len(line) - written
    counts["damaged"] = rebuild(settings)["damaged"]
    end_restoring(exchange)
    return counts
