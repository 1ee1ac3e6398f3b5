"""Games whose players have yet to be told what has happened: what a process does not come to, sweepers ask for.

An entry is written just before the append that it is about and removed when all have been told: seldom is one found.
Telling that fails is asked for more and more rarely, but as long as an entry is there it is asked for.
"""

import logging
from typing import Final

from service import keys
from service.connection import Command, Exchange
from service.due import LEASE_MS, Hint
from service.scripts import CLAIM, RESCORE
from service.snapshot import Snapshot
from service.times import now_ms

GRACE_MS: Final = 1_000
"""How long telling may take before a sweeper asks for it again."""
LONGEST_PAUSE_MS: Final = 60_000
"""How rarely what fails again and again is asked for."""
ASKED: Final = 1 / 16
"""The fraction of a millisecond by which a score tells how often an entry has been claimed, up to 15 times."""
CLAIMED_AT_ONCE: Final = 500

_log = logging.getLogger(__name__)


def entry(snapshot: Snapshot, now: int) -> Command:
    """Returns what notes that players are to be told of the append that made a snapshot."""
    return "ZADD", keys.UNTOLD, now + GRACE_MS, _member(snapshot)


def removal(snapshot: Snapshot) -> Command:
    """Returns what notes that they have been told."""
    return "ZREM", keys.UNTOLD, _member(snapshot)


class Untold:
    """The entries, shared by any number of sweepers."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def hints(self) -> list[Hint]:
        """Claims what is overdue and returns what workers should do."""
        now = now_ms()
        lease = now + LEASE_MS + ASKED
        claimed = self._exchange.run(CLAIM, [keys.UNTOLD], [now, lease, CLAIMED_AT_ONCE])
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
                continue  # on a node that is away; it is claimed again
            try:
                version = int(member.partition(" ")[2])
                head, told = int((meta[0] or b"0").partition(b":")[0]), int(meta[1] or 0)
            except ValueError:
                # One game that somebody has damaged must not keep the players of all the others from being told.
                _log.error("the players of game %s cannot be told: the hash beside its log is damaged", game)
                over.append(member)
                continue
            if told >= version or (head < version and times[member]):
                over.append(member)  # all have been told, or the append has never been made
            elif head >= version:
                hints[game] = Hint("tell", game, head)
        if over:
            self._exchange.send(("ZREM", keys.UNTOLD, *over))
        later = [value for member, claims in times.items() for value in (member, _again(now, claims))]
        self._exchange.run(RESCORE, [keys.UNTOLD], [lease, *later])  # those that are over are not there any more
        return list(hints.values())


def _again(now: int, times: int) -> float:
    """Returns the score of an entry that is claimed at a time and was so many times before."""
    return now + min(LEASE_MS << times, LONGEST_PAUSE_MS) + min(times + 1, 15) * ASKED


def _member(snapshot: Snapshot) -> str:
    # Of this version: another append to the same game may be in the same need.
    return f"{snapshot.id} {snapshot.version}"
