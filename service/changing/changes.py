"""Appends what changes a game, if no other change came first, and follows it up: indexes, notices, tasks for workers.

Expired clocks are applied here too, before anything else that is asked of a game. `retry` has players' calls.
"""

import contextlib
import logging
import time
from collections.abc import Callable
from typing import Final

from games.bots.turns import ThinkBudget
from games.causes import Cause
from games.clocks.expired import timed_out
from games.daily.days import is_recorded
from games.errors import TakesNoWrites, Unavailable, no_such_game
from games.notices import notices
from games.snapshot import Snapshot
from games.steps import Step, step_of
from games.tables.lifetimes import expires_at
from service.inputs.chance import new_tag
from service.inputs.clock import now_ms
from service.jobs.notifier import Notifier
from service.jobs.pending import GRACE_MS
from service.jobs.queue import Jobs
from service.jobs.schedule import Task, bots_task, due_after
from service.metrics.measures import Measures
from service.players import CheckedPlayers
from service.store.lists.due import due_games
from service.store.lists.indexes import DueTimes, changes_status
from service.store.lists.listing import Listing
from service.store.lists.presence import Presence
from service.store.log.event_log import Caller, EventLog, Reading, VersionConflict
from service.store.log.stored_answers import NO_ANSWER, Answer, Kept, Key
from service.store.redis.client import RedisClient
from service.store.redis.greenlets import pause

_log = logging.getLogger(__name__)

ATTEMPTS = 50
"""How often a change is retried after a conflict; each conflict means that another change was made."""


class _ClockOfCalls:
    """The clock by which stand-ins rest; the event loop of a call goes on meanwhile."""

    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(pause)


STAND_IN_BUDGET: Final = ThinkBudget(0, _ClockOfCalls())
"""For the stand-in of a player whose time is up: how soon it knew would tell of the hand."""


class Changes:
    """Makes every change to a game."""

    def __init__(
        self,
        redis: RedisClient,
        log: EventLog,
        jobs: Jobs,
        measures: Measures,
        notifier: Notifier,
        think_ms: int,
        presence: Presence | None = None,
    ) -> None:
        """Prepares to change games; `think_ms` is how long bots may think."""
        self.redis = redis
        self.log = log
        self._jobs = jobs
        self._measures = measures
        self._notifier = notifier
        self._think_ms = think_ms
        self._listing = Listing(redis, presence)
        self._due = due_games(redis)
        self.checked = CheckedPlayers()

    def by_service(self, snapshot: Snapshot, cause: Cause) -> Snapshot:
        """Changes a game on the service's own behalf, in one attempt, and returns it changed.

        The caller asks the workers for a bot's next turn; if it fails to, the sweepers do.

        Raises:
            VersionConflict: another change came first; nothing was appended.
        """
        new = step_of(snapshot, cause, now_ms(), new_tag())
        self._write(new, asks=False)
        self.log.confirm(new.after)
        return new.after

    def by_operator(self, game: str, cause_for: Callable[[Snapshot], Cause | None]) -> Snapshot:
        """Changes a game without a player's token, and returns it as it is then.

        Raises:
            Refused: there is no such game, or `cause_for` refuses.
            Unavailable: Redis cannot be reached.
        """
        for _ in range(ATTEMPTS):
            snapshot = self.current(self.log.read(game))
            if snapshot is None:
                continue
            cause = cause_for(snapshot)
            if cause is None:
                return snapshot
            new = step_of(snapshot, cause, now_ms(), new_tag())
            with contextlib.suppress(VersionConflict):
                self.append(new)
                return new.after
        raise contended()

    def apply_clock(self, snapshot: Snapshot) -> Snapshot:
        """Returns the game up to date: if its clock has run out, the effect is appended first.

        It never waits for replicas, so that reading does not. Whatever is confirmed later includes the effect.
        """
        while cause := timed_out(snapshot, now_ms(), STAND_IN_BUDGET):
            new = step_of(snapshot, cause, now_ms(), new_tag())
            with contextlib.suppress(VersionConflict):
                self._write(new)
            newest = self.log.read(snapshot.id).snapshot
            if newest is None:
                raise no_such_game()  # It ended long ago and has since expired.
            snapshot = newest
        return snapshot

    def time_out(self, snapshot: Snapshot) -> None:
        """Carries out the timeout of a game with a deadline, whatever the time is: for a clock that was set back."""
        cause = timed_out(snapshot, snapshot.deadline or 0, STAND_IN_BUDGET)
        if cause is not None:
            with contextlib.suppress(VersionConflict):
                self.append(step_of(snapshot, cause, now_ms(), new_tag()))

    def apply_clock_if_writable(self, snapshot: Snapshot) -> Snapshot:
        """Returns the game as `apply_clock` does, or as it is stored while Redis takes no writes."""
        try:
            return self.apply_clock(snapshot)
        except TakesNoWrites:
            return snapshot

    def append(
        self, new: Step, key: Key | None = None, answer: Answer = NO_ANSWER, caller: Caller | None = None
    ) -> Answer:
        """Changes a game: appends a step, updates the indexes, and hands the next work to the workers.

        Returns the answer, or that of a faster call with the same key, after which nothing is appended. A `caller` who
        has not been read is checked with the append.

        Raises:
            VersionConflict: another change came first, or the caller must be read; nothing was appended.
            Unavailable: Redis cannot be reached.
            NotReplicated: the step was appended, but no replica has it in time.
        """
        kept = self._write(new, key, answer, caller)
        if kept is not None and key is not None:
            return self.replayed(new.after.id, kept, key)
        self.log.confirm(new.after)
        return answer

    def replayed(self, game: str, kept: Kept, key: Key) -> Answer:
        """Returns the stored answer to a repeated call that has changed a game before.

        Raises:
            Refused: `idempotency_key_reused`, the key was used for another request.
            NotReplicated: no replica has the answer in time.
        """
        answer = kept.replayed(key)
        self.log.confirm_kept(game, key, kept)
        return answer

    def _write(
        self,
        new: Step,
        key: Key | None = None,
        answer: Answer = NO_ANSWER,
        caller: Caller | None = None,
        *,
        asks: bool = True,
    ) -> Kept | None:
        """Changes a game: appends a step, updates indexes; notices, and tasks if it `asks`, go out soon."""
        now = now_ms()
        by_player = notices(new.after, new.entries)
        task = bots_task(new.after, now)
        due_times = DueTimes(
            turn=due_after(new, task, now, self._think_ms),
            notices=now + GRACE_MS if by_player else None,
            expiry=expires_at(new.after) if changes_status(new) else None,
        )
        try:
            kept = self.log.append(
                new,
                due_times=due_times,
                key=key,
                answer=Kept(key.fingerprint, answer) if key is not None else None,
                caller=caller,
            )
        except VersionConflict:
            self._measures.refused(new)
            if due_times.turn is not None:
                # This entry may have replaced an earlier time set by the change that came first.
                self._due.set(new.after.id, now_ms())
            raise
        if kept is None:
            self._measures.appended(new)
            try:
                self._listing.update(new)
            except Unavailable as error:
                # The change itself is made, and readers of the index check what they find.
                _log.warning("cannot clear the indexes or list the changes of game %s: %s", new.after.id, error)
            if by_player:
                self._notifier.queue(new, by_player)
            if asks and task is not None:
                self._jobs.enqueue_soon(task)
            if new.after.table.match is not None and new.after.ended:
                self._jobs.enqueue_soon(Task("play", new.after.table.match["id"], 0, new.after.unattended))
            if is_recorded(new.after):
                self._jobs.enqueue_soon(Task("record", new.after.id, new.after.version, new.after.unattended))
        return kept

    def current(self, reading: Reading) -> Snapshot | None:
        """Returns the game to change, if it is up to date; None if an expired clock came first: read it again.

        Raises:
            Refused: `not_found`, there is no such game.
        """
        if reading.snapshot is None:
            raise no_such_game()
        return reading.snapshot if self.apply_clock(reading.snapshot) is reading.snapshot else None


def contended() -> Unavailable:
    """Returns the error of a call that gave up changing a game, because other changes came first too often."""
    return Unavailable("too many callers change this game at once")
