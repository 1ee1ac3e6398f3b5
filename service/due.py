"""When sweepers must look at a game: a sorted set of games by time, in milliseconds since 1970.

An entry says "no later than", never "exactly then": an action moves a deadline only into the future, so it need not
touch the entry; whoever looks too early sets it anew. An entry is written just before the append that needs it and
stays as long as its game is active. A sweeper may look in between the two and find nothing to do: hence an entry that
came with an append is looked at once more after a second before the pauses grow.
"""

import logging
from dataclasses import dataclass

from engine.state import ACTIVE
from service import keys
from service.connection import Exchange
from service.ids import own_bot
from service.log import Step
from service.scripts import CLAIM, RESCORE
from service.snapshot import Snapshot
from service.times import now_ms

BOT_GRACE_MS = 1_000
"""How long a bot turn may take before a sweeper asks for it again."""
LEASE_MS = 1_000
LEASED, LOOKED_AT = 0.25, 0.5
"""Fractions of a millisecond that tell a score which a sweeper has set from one that came with an append."""
LONGEST_PAUSE_MS = 600_000
NEVER_MS = 2**53
CLAIMED_AT_ONCE = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hint:
    """Something that a worker should see to: `bots` or `time_out`, in a game at a version."""

    kind: str
    game: str
    version: int
    unattended: bool = False
    """Whether nobody but the service's own bots still plays, so that whoever has people at the table goes first."""


def due_after(new: Step, now: int) -> int | None:
    """Returns when sweepers must look at a game after a step; None if an entry that is there already will do."""
    after = new.after
    if waits_for_bot(after):
        return min(now + BOT_GRACE_MS, after.deadline or NEVER_MS)
    begins = new.before is None or new.before.started is None
    return after.deadline if begins else None


def waits_for_bot(snapshot: Snapshot) -> bool:
    """Whether the seat to act is one of the service's own bots."""
    seat = snapshot.state.to_act
    return seat is not None and own_bot(snapshot.players[seat]) is not None


def bots_hint(snapshot: Snapshot) -> Hint | None:
    """Returns the hint to play the turn of the service's own bot; None if it is nobody's or somebody else's."""
    if not waits_for_bot(snapshot):
        return None
    return Hint("bots", snapshot.id, snapshot.version, snapshot.unattended)


class Due:
    """The due games, shared by any number of sweepers."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def pause_ms(self, longest: int) -> int:
        """Returns how long nothing is due, at most `longest`."""
        first = self._exchange.send(("ZRANGE", keys.DUE, 0, 0, "WITHSCORES"))[0]
        return longest if not first else max(0, min(longest, int(float(first[1])) - now_ms()))

    def hints(self) -> list[Hint]:
        """Claims the games that are due and returns what workers should do; the rest is given its next time."""
        now = now_ms()
        lease = now + LEASE_MS + LEASED
        claimed = self._exchange.run(CLAIM, [keys.DUE], [now, lease, CLAIMED_AT_ONCE])
        if not claimed:
            return []
        games = [game.decode() for game in claimed[::2]]
        metas = self._exchange.send_each(*[("HMGET", keys.meta(game), *_READ) for game in games])
        # A game on a node that is away comes due again when its lease ends, and keeps no other from being looked at.
        looks = [
            _look(game, float(score) % 1 == LOOKED_AT, [value or b"" for value in meta], now)
            for game, score, meta in zip(games, claimed[1::2], metas, strict=True)
            if meta is not None
        ]
        scores = [value for look in looks for value in (look.game, look.next_time)]
        self._exchange.run(RESCORE, [keys.DUE], [lease, *scores])
        return [look.hint for look in looks if look.hint is not None]


_READ = ("head", "status", "actor", "asked", "deadline", "unattended")


@dataclass(frozen=True, slots=True)
class _Look:
    game: str
    hint: Hint | None
    next_time: float | str
    """Milliseconds since 1970, or '' when the game need not be looked at any more."""


def _look(game: str, looked_at: bool, meta: list[bytes], now: int) -> _Look:
    try:
        return _look_at(game, looked_at, meta, now)
    except ValueError:
        # One game that somebody has damaged must not keep sweepers from all the others.
        _log.error("game %s cannot be looked at: the hash beside its log does not hold what it must", game)
        return _Look(game, None, now + LONGEST_PAUSE_MS + LOOKED_AT)


def _look_at(game: str, looked_at: bool, meta: list[bytes], now: int) -> _Look:
    head, status, actor, asked, deadline, alone = (value.decode() for value in meta)
    if status != ACTIVE:
        return _Look(game, None, "" if looked_at else now + LEASE_MS + LOOKED_AT)
    version = int(head.split(":")[0])
    late = bool(deadline) and int(deadline) <= now
    waited = now - int(deadline if late else asked) if looked_at else 0
    # Whatever waits longer is looked at more rarely: a game costs a number of looks that grows as its logarithm.
    again = now + min(max(LEASE_MS, waited), LONGEST_PAUSE_MS) + LOOKED_AT
    if late:
        return _Look(game, Hint("time_out", game, version, bool(alone)), again)
    hint = Hint("bots", game, version, bool(alone)) if own_bot(actor) is not None else None
    return _Look(game, hint, min(again, int(deadline)) if deadline else again)
