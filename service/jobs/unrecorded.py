"""Finds ended games whose result may not have been recorded, so that sweepers can ask for it again.

An entry is written ahead of the append that ends the game, and removed once the result is recorded. Retries back off.
"""

from typing import Final

from engine.state import FINISHED
from service.inputs.clock import now_ms
from service.jobs.pending import CLAIMED_AT_ONCE, GRACE_MS, next_look
from service.jobs.schedule import LEASE_MS, Task
from service.store.lists.due import CLAIMED, claims, unrecorded_games
from service.store.log.meta import read_metas
from service.store.redis.client import RedisClient

_ENDED: Final = FINISHED.encode()


class UnrecordedResults:
    """The games on the list, shared by any number of sweepers."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._unrecorded = unrecorded_games(redis)
        self._recovery = self._unrecorded.recovery()

    def tasks(self) -> list[Task]:
        """Claims games whose results are overdue and returns tasks for the workers."""
        self._recovery.step()
        now = now_ms()
        lease = now + LEASE_MS + CLAIMED
        claimed = self._unrecorded.claim(now - GRACE_MS, lease, CLAIMED_AT_ONCE)
        if not claimed:
            return []
        tasks: list[Task] = []
        times: dict[str, float | None] = {}
        for (game, due), meta in zip(claimed.items(), read_metas(self._redis, [*claimed], "status"), strict=True):
            if meta is None:
                continue  # its node cannot be reached; it is claimed again
            asked = claims(due)
            if meta[0] == _ENDED:
                tasks.append(Task("record", game, 0))
            # The append may come just after its entry. If it has not by the second look, it was never made.
            times[game] = next_look(now, asked) if meta[0] == _ENDED or not asked else None
        self._unrecorded.reschedule(lease, times)
        return tasks
