"""Games whose players have yet to be told what has happened: what a process does not come to, sweepers ask for.

An entry is written just before the append that it is about and removed when all have been told: seldom is one found.
"""

import logging
from typing import Final

from service import keys
from service.connection import Command, Exchange
from service.due import LEASE_MS, LEASED, Hint
from service.scripts import CLAIM
from service.snapshot import Snapshot
from service.times import now_ms

GRACE_MS: Final = 1_000
"""How long telling may take before a sweeper asks for it again."""
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
        claimed = self._exchange.run(CLAIM, [keys.UNTOLD], [now, now + LEASE_MS + LEASED, CLAIMED_AT_ONCE])
        members = [member.decode() for member in claimed[::2]]
        if not members:
            return []
        games = [member.partition(" ")[0] for member in members]
        metas = self._exchange.send_each(*[("HMGET", keys.meta(game), "head", "told") for game in games])
        hints, over = [], []
        for member, score, game, meta in zip(members, claimed[1::2], games, metas, strict=True):
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
            if told >= version or (head < version and float(score) % 1 == LEASED):
                over.append(member)  # all have been told, or the append has never been made
            elif head >= version:
                hints.append(Hint("tell", game, head))
        if over:
            self._exchange.send(("ZREM", keys.UNTOLD, *over))
        return hints


def _member(snapshot: Snapshot) -> str:
    # Of this version: another append to the same game may be in the same need.
    return f"{snapshot.id} {snapshot.version}"
