"""Schedules when sweepers must look at a game: a sorted set of games by time, in milliseconds since 1970.

An entry means "no later than", not "exactly at". Most actions move the deadline into the future and need not touch the
entry: a sweeper that looks too early sets it again. An entry is written just before the append that needs it and stays
while its game is active. A sweeper may look between the two and find nothing to do, so an entry that came with an
append is looked at again after a second before the pauses grow.
"""

import logging
import time
from dataclasses import dataclass

from engine.state import ACTIVE, OPEN
from games.bots.turns import bot_to_play, is_ahead, overdue_at, thinks
from games.ids import own_bot
from games.snapshot import Snapshot
from games.steps import Step
from service.inputs.clock import now_ms
from service.store.lists.due import due_games
from service.store.log.meta import read_metas
from service.store.redis.client import RedisClient

BOT_GRACE_MS = 1_000
"""How long a bot's turn may take, beyond its thinking time, before a sweeper asks for it again."""
LEASE_MS = 1_000
LEASED, LOOKED_AT = 0.25, 0.5
"""Fractions of a millisecond that mark scores set by a sweeper rather than with an append."""
LONGEST_PAUSE_MS = 600_000
NEVER_MS = 2**53
CLAIMED_AT_ONCE = 500
MOST_AHEAD = 10_000
"""How many questions from the future a sweeper remembers."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """Work for a worker in a game at a version, or for those who wait for an edition."""

    kind: str
    """`bots`: turns of quick bots; `think`: the turn of a thinking bot; `time_out`; `notify`: missed notices;
    `record`: the result of an ended game; `pair`: the queue of an edition; `play`: a match;
    `day`: a deal of the day; `review`: the review of an ended game."""
    game: str
    """With `pair` the edition, with `play` the match, with `day` the deal of the day."""
    version: int
    unattended: bool = False
    """Whether only the service's own bots still play, so that tables with people go first."""
    humans: tuple[str, ...] = ()
    """The players for whom a bot plays, or who asked for a review, so that each gets a share of the time."""
    address_hash: str = ""
    """The hash of the address that opened the game or asked, for the same purpose; "" if unknown."""


def due_after(new: Step, task: Task | None, now: int, think_ms: int = 0) -> int | None:
    """Returns when sweepers must look at a game after a step; None if the existing entry will do.

    `task` is that of the bot to act, if it is a bot's turn; `think_ms` is how long bots may think.
    """
    after = new.after
    if task is not None:
        grace = BOT_GRACE_MS + (think_ms if task.kind == "think" else 0)
        return min(now + grace, after.deadline or NEVER_MS)
    before = new.before.waits_until if new.before is not None else None
    # Before the start a game waits only for nonces. After it, a seat may have less time than the one before. And the
    # later sweepers have found the game, the longer they pause.
    late = before is not None and before + LEASE_MS < now
    until = after.waits_until
    sooner = before is None or late or (until is not None and until < before)
    return until if sooner else None


def bots_task(snapshot: Snapshot, now: int) -> Task | None:
    """Returns the task to play a bot's turn; None if it is a player's turn or nobody's."""
    seat = snapshot.state.to_act
    bot = own_bot(snapshot.players[seat]) if seat is not None else None
    if bot is None:
        return None
    kind = "think" if thinks(bot_to_play(bot, snapshot.asked, snapshot.unattended, now)) else "bots"
    return Task(kind, snapshot.id, snapshot.version, snapshot.unattended, snapshot.humans, snapshot.address_hash)


class Schedule:
    """The due games, shared by any number of sweepers."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._due = due_games(redis)
        self._recovery = self._due.recovery()
        self._ahead = Ahead()

    def pause_ms(self, longest: int) -> int:
        """Returns how long the sweepers have no game due, at most `longest`, in milliseconds."""
        first = self._due.first()
        return longest if first is None else max(0, min(longest, int(first) - now_ms()))

    def tasks(self) -> list[Task]:
        """Claims the due games, returns tasks for the workers, and reschedules the rest."""
        self._recovery.step()
        now = now_ms()
        lease = now + LEASE_MS + LEASED
        claimed = self._due.claim(now, lease, CLAIMED_AT_ONCE)
        if not claimed:
            return []
        metas = read_metas(self._redis, [*claimed], *_READ)
        # Games on an unreachable node come due again when the lease ends, and do not hold up the others.
        looks = [
            _look_at_due(game, due % 1 == LOOKED_AT, [value or b"" for value in meta], now, self._ahead)
            for (game, due), meta in zip(claimed.items(), metas, strict=True)
            if meta is not None
        ]
        self._due.reschedule(lease, {look.game: look.next_time for look in looks})
        return [look.task for look in looks if look.task is not None]


_READ = ("head", "status", "actor", "asked", "deadline", "unattended", "humans", "address_hash")


@dataclass(frozen=True, slots=True)
class _Look:
    game: str
    task: Task | None
    next_time: float | None
    """Milliseconds since 1970; None when the game needs no further look."""


class Ahead:
    """The questions that, after a clock was set back, appear to have been asked in the future.

    Their deadlines are too far away, so a sweeper measures itself how long it has known of each.
    """

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, float]] = {}

    def waited(self, game: str, asked: int) -> int:
        """Returns how many milliseconds, at least, a due game has waited for its answer, whatever the clock says."""
        if len(self._since) > MOST_AHEAD:
            self._since = {}
        known, since = self._since.get(game, (None, 0.0))
        if known != asked:
            since = time.monotonic()
            self._since[game] = asked, since
        return int((time.monotonic() - since) * 1000)


def _look_at_due(game: str, looked_at: bool, meta: list[bytes], now: int, ahead: Ahead) -> _Look:
    try:
        return _look_at_game(game, looked_at, meta, now, ahead)
    except ValueError:
        # One damaged game must not keep sweepers from all the others.
        _log.error("game %s cannot be looked at: the hash beside its log does not hold what it must", game)
        return _Look(game, None, now + LONGEST_PAUSE_MS + LOOKED_AT)


def _look_at_game(game: str, looked_at: bool, meta: list[bytes], now: int, ahead: Ahead) -> _Look:
    head, status, actor, asked, deadline, alone, humans, address_hash = (value.decode() for value in meta)
    reveals = status == OPEN and bool(deadline)
    if status != ACTIVE and not reveals:
        return _Look(game, None, None if looked_at else now + LEASE_MS + LOOKED_AT)
    version = int(head.split(":")[0])
    if deadline and is_ahead(int(asked), now):
        deadline = str(now + max(0, int(deadline) - int(asked) - ahead.waited(game, int(asked))))
    late = bool(deadline) and int(deadline) <= now
    waited = abs(now - int(deadline if late else asked)) if looked_at else 0
    # The longer a game waits, the rarer the looks: their number grows with the logarithm of the wait.
    again = now + min(max(LEASE_MS, waited), LONGEST_PAUSE_MS) + LOOKED_AT
    if late:
        return _Look(game, Task("time_out", game, version, bool(alone)), again)
    if deadline:
        again = min(again, int(deadline))
    bot = own_bot(actor)
    if bot is None:
        return _Look(game, None, again)
    overdue = overdue_at(int(asked), bool(alone))
    if now < overdue:
        again = min(again, overdue + LOOKED_AT)
    if is_ahead(int(asked), now):
        again = now + LEASE_MS + LOOKED_AT  # its waiting time is unknown
    kind = "think" if thinks(bot_to_play(bot, int(asked), bool(alone), now)) else "bots"
    return _Look(game, Task(kind, game, version, bool(alone), tuple(humans.split()), address_hash), again)
