"""Finds games whose notifications were not sent, so that sweepers can ask for them again.

An entry is written just before its append and removed when all players have been notified, so few are ever found.
Retries back off, and continue as long as the entry exists.
"""

import logging
from typing import Final

from games.snapshot import Snapshot
from service.inputs.clock import now_ms
from service.jobs.schedule import LEASE_MS, Hint
from service.store import keys
from service.store.exchange.connection import Command, Exchange
from service.store.lists.recovery import Recovery
from service.store.scripts import CLAIM, RESCORE

GRACE_MS: Final = 1_000
"""How long sending may take before a sweeper asks for it again."""
LONGEST_PAUSE_MS: Final = 60_000
"""The longest pause between retries."""
ASKED: Final = 1 / 16
"""The fraction of a millisecond with which a score counts how often an entry was claimed, up to 15 times."""
CLAIMED_AT_ONCE: Final = 500

_log = logging.getLogger(__name__)


def entry(snapshot: Snapshot, now: int) -> Command:
    """Returns the command that records a step's notifications as pending, for the append that made a snapshot."""
    return "ZADD", keys.PENDING_NOTICES, now + GRACE_MS, _pending_member(snapshot)


def removal(snapshot: Snapshot) -> Command:
    """Returns the command that records that a step's pending notifications have been sent."""
    return "ZREM", keys.PENDING_NOTICES, _pending_member(snapshot)


class PendingNotices:
    """The pending entries, shared by any number of sweepers."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._recall = Recovery(exchange, keys.PENDING_NOTICES)

    def hints(self) -> list[Hint]:
        """Claims overdue pending notifications and returns hints for the workers."""
        self._recall.step()
        now = now_ms()
        lease = now + LEASE_MS + ASKED
        claimed = self._exchange.run(CLAIM, [keys.PENDING_NOTICES], [now, lease, CLAIMED_AT_ONCE])
        members = [member.decode() for member in claimed[::2]]
        if not members:
            return []
        times = {member: round(float(score) % 1 / ASKED) for member, score in zip(members, claimed[1::2], strict=True)}
        games = [member.partition(" ")[0] for member in members]
        metas = self._exchange.send_each(*[("HMGET", keys.meta(game), "head", "told") for game in games])
        hints: dict[str, Hint] = {}
        over: list[str] = []
        for member, game, meta in zip(members, games, metas, strict=True):
            if meta is None:
                continue  # its node cannot be reached; it is claimed again
            try:
                version = int(member.partition(" ")[2])
                head, told = int((meta[0] or b"0").partition(b":")[0]), int(meta[1] or 0)
            except ValueError:
                # One damaged game must not keep the players of all others from being notified.
                _log.error("cannot notify the players of game %s: the hash beside its log is damaged", game)
                over.append(member)
                continue
            if told >= version or (head < version and times[member]):
                over.append(member)  # all were notified, or the append was never made
            elif head >= version:
                hints[game] = Hint("tell", game, head)
        if over:
            self._exchange.send(("ZREM", keys.PENDING_NOTICES, *over))
        later = [value for member, claims in times.items() for value in (member, _next_look(now, claims))]
        self._exchange.run(RESCORE, [keys.PENDING_NOTICES], [lease, *later])  # finished entries are gone by then
        return list(hints.values())


def _next_look(now: int, times: int) -> float:
    """Returns when pending notifications claimed now are looked at next, after so many claims before."""
    return now + min(LEASE_MS << times, LONGEST_PAUSE_MS) + min(times + 1, 15) * ASKED


def _pending_member(snapshot: Snapshot) -> str:
    # The version matters: another append to the same game may need the same.
    return f"{snapshot.id} {snapshot.version}"
