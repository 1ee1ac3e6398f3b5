"""When sweepers must look at a game: a sorted set of games by time, in milliseconds since 1970.

An entry says "no later than", never "exactly then": an action that moves the deadline into the future, as most do, need
not touch the entry; whoever looks too early sets it anew. An entry is written just before the append that needs it and
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
from service.own_bots import overdue_at, player_of, thinks
from service.scripts import CLAIM, RESCORE
from service.snapshot import Snapshot
from service.times import now_ms

BOT_GRACE_MS = 1_000
"""How long a bot's turn may take, beside the time it may think, before a sweeper asks for it again."""
LEASE_MS = 1_000
LEASED, LOOKED_AT = 0.25, 0.5
"""Fractions of a millisecond that tell a score which a sweeper has set from one that came with an append."""
LONGEST_PAUSE_MS = 600_000
NEVER_MS = 2**53
CLAIMED_AT_ONCE = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hint:
    """Something that a worker should see to, in a game at a version."""

    kind: str
    """`bots`, the turns of quick ones; `think`, the turn of one that thinks; `time_out`; `tell`, what players miss."""
    game: str
    version: int
    unattended: bool = False
    """Whether nobody but the service's own bots still plays, so that whoever has people at the table goes first."""
    whose: tuple[str, ...] = ()
    """For whom a bot is to think, so that each player has a share of the time that there is; () for other kinds."""


def due_after(new: Step, now: int, think_ms: int) -> int | None:
    """Returns when sweepers must look at a game after a step; None if an entry that is there already will do.

    `think_ms` is how long bots may think.
    """
    after = new.after
    hint = bots_hint(after, now)
    if hint is not None:
        grace = BOT_GRACE_MS + (think_ms if hint.kind == "think" else 0)
        return min(now + grace, after.deadline or NEVER_MS)
    before = new.before.deadline if new.before is not None else None
    # Before the start nobody is waited for. Afterwards a seat may have less time than the one before it had.
    sooner = before is None or (after.deadline is not None and after.deadline < before)
    return after.deadline if sooner else None


def bot_to_act(snapshot: Snapshot) -> str | None:
    """Returns the service's own bot whose turn it is; None if it is nobody's or somebody else's."""
    seat = snapshot.state.to_act
    return own_bot(snapshot.players[seat]) if seat is not None else None


def bots_hint(snapshot: Snapshot, now: int) -> Hint | None:
    """Returns the hint to play the turn of the service's own bot; None if it is nobody's or somebody else's."""
    bot = bot_to_act(snapshot)
    if bot is None:
        return None
    if thinks(player_of(bot, snapshot.asked, snapshot.unattended, now)):
        return Hint("think", snapshot.id, snapshot.version, snapshot.unattended, snapshot.whose)
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


_READ = ("head", "status", "actor", "asked", "deadline", "unattended", "whose")


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
    head, status, actor, asked, deadline, alone, whose = (value.decode() for value in meta)
    if status != ACTIVE:
        return _Look(game, None, "" if looked_at else now + LEASE_MS + LOOKED_AT)
    version = int(head.split(":")[0])
    late = bool(deadline) and int(deadline) <= now
    waited = now - int(deadline if late else asked) if looked_at else 0
    # Whatever waits longer is looked at more rarely: a game costs a number of looks that grows as its logarithm.
    again = now + min(max(LEASE_MS, waited), LONGEST_PAUSE_MS) + LOOKED_AT
    if late:
        return _Look(game, Hint("time_out", game, version, bool(alone)), again)
    if deadline:
        again = min(again, int(deadline))
    bot = own_bot(actor)
    if bot is None:
        return _Look(game, None, again)
    overdue = overdue_at(int(asked), bool(alone))
    if now < overdue:
        again = min(again, overdue + LOOKED_AT)
    if thinks(player_of(bot, int(asked), bool(alone), now)):
        return _Look(game, Hint("think", game, version, bool(alone), tuple(whose.split())), again)
    return _Look(game, Hint("bots", game, version, bool(alone)), again)
