"""Stores the sums of what all processes have counted, and the reports of the running processes."""

from collections.abc import Iterator, Mapping
from typing import Final

from service.store import keys
from service.store.redis.client import Command, RedisClient
from service.store.scripts import ADD

MARK_SECONDS: Final = 3600
"""How long the mark of an added batch is kept; longer than any process retries the batch."""


class StoredSums:
    """The sums and reports in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def add(self, batch: str, changes: Mapping[str, float], report: tuple[str, bytes] | None = None) -> None:
        """Adds a batch of counts to the stored metrics, once however often sent; stores a process's report, if any."""
        before: list[Command] = self._redis.keep_name()
        before += [("HSET", keys.PROCESSES, *report)] if report is not None else []
        pairs = [word for pair in changes.items() for word in pair]
        if pairs:
            self._redis.run(ADD, [keys.MEASURED, keys.reported(batch)], [MARK_SECONDS, *pairs], before)
        elif before:
            self._redis.send(*before)

    def remove(self, *processes: str) -> None:
        """Removes the stored reports of processes' metrics, at least one."""
        self._redis.send(("HDEL", keys.PROCESSES, *processes))

    def reports(self) -> Iterator[tuple[bytes, bytes]]:
        """Reads the processes and their stored reports of metrics."""
        return self._pairs(keys.PROCESSES)

    def sums(self) -> Iterator[tuple[bytes, bytes]]:
        """Reads the stored samples of metrics and their sums."""
        return self._pairs(keys.MEASURED)

    def _pairs(self, key: str) -> Iterator[tuple[bytes, bytes]]:
        found = self._redis.send(("HGETALL", key))[0]
        return zip(found[::2], found[1::2], strict=True)
