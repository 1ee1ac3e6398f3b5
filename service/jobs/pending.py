"""Finds games whose notices were not sent, so that sweepers can ask for them again.

An entry is written just before its append and removed when all players have been notified, so few are ever found.
Retries back off, and continue as long as the entry exists.
"""

import logging
from typing import Final

from service.inputs.clock import now_ms
from service.jobs.schedule import LEASE_MS, Task
from service.store.lists.due import CLAIMED, claims, pending_notices
from service.store.log.meta import read_metas
from service.store.redis.client import RedisClient

GRACE_MS: Final = 1_000
"""How long sending may take before a sweeper asks for it again."""
LONGEST_PAUSE_MS: Final = 60_000
"""The longest pause between retries."""
CLAIMED_AT_ONCE: Final = 500

_log = logging.getLogger(__name__)


class PendingNotices:
    """The pending entries, shared by any number of sweepers."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._pending = pending_notices(redis)
        self._recovery = self._pending.recovery()

    def tasks(self) -> list[Task]:
        """Claims overdue pending notices and returns tasks for the workers."""
        self._recovery.step()
        now = now_ms()
        lease = now + LEASE_MS + CLAIMED
        claimed = self._pending.claim(now, lease, CLAIMED_AT_ONCE)
        if not claimed:
            return []
        times = {member: claims(due) for member, due in claimed.items()}
        games = [member.partition(" ")[0] for member in claimed]
        metas = read_metas(self._redis, games, "head", "told")
        tasks: dict[str, Task] = {}
        over: list[str] = []
        for member, game, meta in zip(claimed, games, metas, strict=True):
            if meta is None:
                continue  # its node cannot be reached; it is claimed again
            try:
                version = int(member.partition(" ")[2])
                head, notified = int((meta[0] or b"0").partition(b":")[0]), int(meta[1] or 0)
            except ValueError:
                # One damaged game must not keep the players of all others from being notified.
                _log.error("cannot notify the players of game %s: the hash beside its log is damaged", game)
                over.append(member)
                continue
            if notified >= version or (head < version and times[member]):
                over.append(member)  # all were notified, or the append was never made
            elif head >= version:
                tasks[game] = Task("notify", game, head)
        if over:
            self._pending.remove(*over)
        # Finished entries are gone by then.
        self._pending.reschedule(lease, {member: next_look(now, count) for member, count in times.items()})
        return list(tasks.values())


def next_look(now: int, times: int) -> float:
    """Returns when sweepers look again at what they have claimed now, after so many claims before."""
    return now + min(LEASE_MS << times, LONGEST_PAUSE_MS) + min(times + 1, 15) * CLAIMED
