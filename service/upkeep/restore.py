"""Writes a backup into a Redis without games, calls off those that had not ended, and rebuilds what is left out."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from service.settings import Settings
from service.store.redis.cluster import client_at
from service.store.upkeep.copies import begin_restoring, end_restoring, write_back
from service.store.upkeep.saved_keys import SavedKey
from service.upkeep.backup_file import LONGEST_LINE, BackupError, WholeBackup, contents
from service.upkeep.calling_off import call_off
from service.upkeep.rebuild import rebuild

AT_ONCE: Final = 100
"""How many lines of a backup are written in one round trip: Redis syncs its disk once for all that it reads at once."""


def restore(settings: Settings, saved: WholeBackup) -> Counter[str]:
    """Restores a backup; returns the numbers of keys restored and left out, and of games called off.

    Games that were damaged in the backup stay so; their number is returned, too, and the lists lack them. All others
    that had not ended are called off.

    If it is broken off, restoring the same file again begins anew. Nobody checks here who has made the file.

    Raises:
        BackupError: the Redis holds games or players; nothing was written. Or the file has changed since it was read.
        OSError: the file cannot be read.
        Unavailable: Redis cannot be reached.
    """
    counts: Counter[str] = Counter({"keys": 0, "left out": 0})
    redis = client_at(settings.redis_url, settings.redis_cluster)
    if why := begin_restoring(redis, saved.digest):
        raise BackupError(why)
    for some in _batches(saved):
        written = write_back(redis, some)
        counts["keys"] += written
        counts["left out"] += len(some) - written
    counts["called off"], _ = call_off(settings)
    counts["damaged"] = rebuild(settings)["damaged"]  # which folds every log
    end_restoring(redis)
    return counts


def _batches(saved: WholeBackup) -> Iterator[list[SavedKey]]:
    """Yields the keys of a backup by what is restored in one round trip: some lines, which are not too long in all."""
    some: list[SavedKey] = []
    lines = size = 0
    for line in contents(saved):
        if lines == AT_ONCE or size + line.size > LONGEST_LINE:
            yield some
            some, lines, size = [], 0, 0
        some.extend(line.saved)
        lines, size = lines + 1, size + line.size
    if some:
        yield some
