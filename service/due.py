"""When sweepers must look at a game: a sorted set of games by time, in milliseconds since 1970.

An entry says "no later than", never "exactly then": an action moves a deadline only into the future, so it need not
touch the entry; whoever looks too early sets it anew. An entry stays as long as its game is active.
"""

from dataclasses import dataclass

import redis

from engine.state import ACTIVE
from service import keys
from service.connection import away_is_unavailable
from service.log import Step
from service.players import own_bot
from service.scripts import CLAIM, RESCORE
from service.snapshot import Snapshot
from service.times import now_ms

BOT_GRACE_MS = 1_000
"""How long a bot turn may take before a sweeper asks for it again."""
LEASE_MS = 1_000
LONGEST_PAUSE_MS = 600_000
CLAIMED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Hint:
    """Something that a worker should see to: `bots` or `time_out`, in a game at a version."""

    kind: str
    game: str
    version: int


def due_after(new: Step, now: int) -> int | None:
    """Returns when sweepers must look at a game after a step; None if an entry that is there already will do."""
    after = new.after
    if waits_for_bot(after):
        return now + BOT_GRACE_MS
    begins = new.before is None or new.before.started is None
    return after.deadline if begins else None


def waits_for_bot(snapshot: Snapshot) -> bool:
    """Whether the seat to act is one of the service's own bots."""
    seat = snapshot.state.to_act
    return seat is not None and own_bot(snapshot.players[seat]) is not None


class Due:
    """The due games, shared by any number of sweepers."""

    def __init__(self, client: "redis.Redis") -> None:
        self._redis = client

    def pause_ms(self, longest: int) -> int:
        """Returns how long nothing is due, at most `longest`."""
        with away_is_unavailable():
            first = self._redis.zrange(keys.DUE, 0, 0, withscores=True)
        return longest if not first else max(0, min(longest, int(first[0][1]) - now_ms()))

    def hints(self) -> list[Hint]:
        """Claims the games that are due and returns what workers should do; the rest is given its next time."""
        now = now_ms()
        lease = now + LEASE_MS
        with away_is_unavailable():
            games = [game.decode() for game in CLAIM.run(self._redis, [keys.DUE], [now, lease, CLAIMED_AT_ONCE])]
            if not games:
                return []
            pipe = self._redis.pipeline(transaction=False)
            for game in games:
                pipe.hmget(keys.meta(game), "head", "status", "actor", "asked", "deadline")
            looks = [
                _look(game, [v or b"" for v in meta], now) for game, meta in zip(games, pipe.execute(), strict=True)
            ]
            scores = [value for look in looks for value in (look.game, look.next_time)]
            RESCORE.run(self._redis, [keys.DUE], [lease, *scores])
        return [look.hint for look in looks if look.hint is not None]


@dataclass(frozen=True, slots=True)
class _Look:
    game: str
    hint: Hint | None
    next_time: int | str
    """Milliseconds since 1970, or '' when the game need not be looked at any more."""


def _look(game: str, meta: list[bytes], now: int) -> _Look:
    head, status, actor, asked, deadline = (value.decode() for value in meta)
    if status != ACTIVE:
        return _Look(game, None, "")
    version = int(head.split(":")[0])
    # Whatever waits longer is looked at more rarely: a game costs a number of looks that grows with its logarithm.
    pause = min(max(BOT_GRACE_MS, now - int(asked)), LONGEST_PAUSE_MS)
    if deadline and int(deadline) <= now:
        return _Look(game, Hint("time_out", game, version), now + max(LEASE_MS, now - int(deadline)))
    next_time = min(now + pause, int(deadline)) if deadline and own_bot(actor) else int(deadline or now + pause)
    return _Look(game, Hint("bots", game, version) if own_bot(actor) else None, next_time)
