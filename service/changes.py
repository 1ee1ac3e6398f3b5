"""Changes a game: reads it, decides, appends if the version still matches, and retries if another change came first.

`tables` and `play` decide what to change. This module holds what all changes share: authentication, idempotency keys,
expired clocks, indexes, and hints for the workers.
"""

import contextlib
import hmac
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import orjson

from engine.state import ACTIVE
from games.causes import Cause
from games.clocks.expired import timed_out
from games.errors import Refused, TakesNoWrites, Unavailable, no_such_game
from games.messages import Message
from games.notices import notices, people
from games.player import Player
from games.snapshot import Snapshot
from games.steps import Step, step_of
from games.tables.lifetimes import Lifetimes
from games.times import ms_of, now_ms
from service.jobs import pending
from service.jobs.notifier import Notifier
from service.jobs.queue import Jobs
from service.jobs.schedule import bots_hint, due_after
from service.listing import Listing, changes_listing, doubt
from service.metrics.measures import Measures
from service.players import Token, check_token, required_token
from service.store import keys
from service.store.answers import Answer, Kept, Key
from service.store.connection import Exchange
from service.store.event_log import Caller, EventLog, Reading, VersionConflict
from service.store.grants import hashed

_log = logging.getLogger(__name__)

ATTEMPTS = 50
"""How often a change is retried after a conflict; each conflict means that another change was made."""

CHECKED_PLAYERS = 50_000
"""How many players a process remembers to have checked."""

Decide = Callable[[Snapshot, Player], Cause | None]
"""Returns what a caller causes in the current game, or None if nothing changes. Raises to refuse."""
Respond = Callable[[Snapshot, Step | None, Player], Answer]
"""Builds the answer from the game after the change and the step that was made."""


class Changes:
    """Makes every change to a game."""

    def __init__(
        self,
        exchange: Exchange,
        log: EventLog,
        jobs: Jobs,
        measures: Measures,
        notifier: Notifier,
        think_ms: int,
        lives: Lifetimes | None = None,
    ) -> None:
        """`think_ms` is how long bots may think; `lives` is how long untouched games live."""
        self._lives = lives or Lifetimes()
        self._exchange = exchange
        self._log = log
        self._jobs = jobs
        self._measures = measures
        self._notifier = notifier
        self._think_ms = think_ms
        self._listing = Listing(exchange)
        self._checked: dict[str, tuple[Token, Player]] = {}
        """The newest valid token that each player has shown this process; it may have been replaced since."""

    def by_player(
        self,
        game: str,
        token_text: str | None,
        decide: Decide,
        respond: Respond,
        idempotency_key: str | None = None,
        request: Sequence[Any] = (),
        *,
        acts: bool = False,
    ) -> Answer:
        """Changes a game at a player's request, once for all calls with the same idempotency key.

        `request` identifies the request: reusing the key for a different one is refused. With `acts` the change answers
        what the game asks of the player: it is made without reading first where this process knows game and player, and
        refused if the question is no longer open after a conflict.

        Raises:
            Refused: the token is not valid, there is no such game, the key was used for another request, the question
                is no longer open, or `decide` refuses.
            Unavailable: Redis cannot be reached.
        """
        token = required_token(token_text)
        key = Key.of(token.player, idempotency_key, *request) if idempotency_key is not None else None
        if acts and (answer := self._without_reading(game, token, decide, respond, key)) is not None:
            return answer
        asked: int | None = None
        for _ in range(ATTEMPTS):
            reading = self._log.read(game, token.player, key)
            player = check_token(token, reading.caller)
            if key is not None:
                key.check(reading.used)
            if reading.kept is not None and key is not None:
                return self.replayed(game, reading.kept, key)
            snapshot = self._present(reading)
            if snapshot is None:
                continue
            if acts:
                self._note_checked(token, player)
                if asked is not None and asked != snapshot.state.since:
                    raise stale(snapshot)
                asked = snapshot.state.since
            if reading.idle is not None and key is not None:
                key.check(reading.idle)
                self._log.confirm(snapshot)
                return replace(respond(snapshot, None, player), replayed=True)
            cause = decide(snapshot, player)
            new = step_of(snapshot, cause, now_ms()) if cause is not None else None
            after = new.after if new is not None else snapshot
            answer = respond(after, new, player)
            try:
                kept = self.append(new, key, answer) if new is not None else self._nothing_to_append(snapshot, key)
            except VersionConflict:
                continue
            return replayed(kept, key) if kept is not None and key is not None else answer
        raise Unavailable("too many callers change this game at once")

    def _without_reading(
        self, game: str, token: Token, decide: Decide, respond: Respond, key: Key | None
    ) -> Answer | None:
        """Answers a question of a game as this process knows both game and player; the append checks both.

        Returns None if either may be otherwise by now: what is refused is refused on the game as it is.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        snapshot, known = self._log.cached(game), self._checked.get(token.player)
        if snapshot is None or known is None or not self._exchange.is_single:
            return None
        checked, player = known
        if not hmac.compare_digest(checked.secret, token.secret) or snapshot.state.to_act not in snapshot.seats_of(
            player.id
        ):
            return None
        if timed_out(snapshot, now_ms()) is not None:
            return None
        try:
            cause = decide(snapshot, player)
            if cause is None:
                return None
            new = step_of(snapshot, cause, now_ms())
            answer = respond(new.after, new, player)
            kept = self.append(new, key, answer, Caller(player.id, hashed(token.secret)))
        except (Refused, VersionConflict):
            return None
        return replayed(kept, key) if kept is not None and key is not None else answer

    def _note_checked(self, token: Token, player: Player) -> None:
        if len(self._checked) >= CHECKED_PLAYERS:
            self._checked = {}  # a new one: other threads may be reading the old
        self._checked[token.player] = token, player

    def by_service(self, game: str, decide: Callable[[Snapshot], Cause | None]) -> Snapshot | None:
        """Changes a game on the service's own behalf, in one attempt.

        Returns the changed game, or None if there is no such game. The caller sees to what comes next; if it fails to,
        the sweepers do.

        Raises:
            VersionConflict: another change came first; nothing was appended.
        """
        snapshot = self._log.read(game).snapshot
        if snapshot is None:
            return None
        begun = time.perf_counter()
        cause = decide(snapshot)
        if cause is None:
            return snapshot
        self._measures.chosen(snapshot, time.perf_counter() - begun)
        new = step_of(snapshot, cause, now_ms())
        self._write(new)
        self._log.confirm(new.after)
        return new.after

    def by_operator(self, game: str, decide: Callable[[Snapshot], Cause | None]) -> Snapshot:
        """Changes a game without a player's token, and returns it as it is then.

        Raises:
            Refused: there is no such game, or `decide` refuses.
            Unavailable: Redis cannot be reached.
        """
        for _ in range(ATTEMPTS):
            snapshot = self._present(self._log.read(game))
            if snapshot is None:
                continue
            cause = decide(snapshot)
            if cause is None:
                return snapshot
            new = step_of(snapshot, cause, now_ms())
            with contextlib.suppress(VersionConflict):
                self.append(new)
                return new.after
        raise Unavailable("too many callers change this game at once")

    def up_to_time(self, snapshot: Snapshot) -> Snapshot:
        """Returns the game up to date: if its clock has run out, the effect is appended first.

        It never waits for replicas, so that reading does not. Whatever is confirmed later includes the effect.
        """
        while cause := timed_out(snapshot, now_ms()):
            new = step_of(snapshot, cause, now_ms())
            with contextlib.suppress(VersionConflict):
                self._write_and_ask(new)
            newest = self._log.read(snapshot.id).snapshot
            if newest is None:
                raise no_such_game()  # It ended long ago and has since expired.
            snapshot = newest
        return snapshot

    def time_is_up(self, snapshot: Snapshot) -> None:
        """Applies an expired clock, treating its deadline as reached whatever the time is."""
        cause = timed_out(snapshot, snapshot.deadline or 0)
        if cause is not None:
            with contextlib.suppress(VersionConflict):
                self.append(step_of(snapshot, cause, now_ms()))

    def as_of_now(self, snapshot: Snapshot) -> Snapshot:
        """Returns the game for reading: up to date, or as stored while Redis takes no writes."""
        try:
            return self.up_to_time(snapshot)
        except TakesNoWrites:
            return snapshot

    def append(
        self, new: Step, key: Key | None = None, answer: Answer | None = None, caller: Caller | None = None
    ) -> Kept | None:
        """Appends a step, updates the indexes, and hands the next work to the workers.

        A `caller` who has not been read before is checked with the append.

        Raises:
            VersionConflict: another change came first, or the caller must be read; nothing was appended.
            Unavailable: Redis cannot be reached.
            NotReplicated: the step was appended, but no replica has it in time.
        """
        kept = self._write_and_ask(new, key, answer, caller)
        if kept is not None and key is not None:
            self._log.confirm_kept(new.after.id, key, kept)
        else:
            self._log.confirm(new.after)
        return kept

    def replayed(self, game: str, kept: Kept, key: Key) -> Answer:
        """Returns a kept answer for a repeated call.

        Raises:
            Refused: `idempotency_key_reused`, the key was used for another request.
            NotReplicated: no replica has the answer in time.
        """
        answer = replayed(kept, key)
        self._log.confirm_kept(game, key, kept)
        return answer

    def _write_and_ask(
        self, new: Step, key: Key | None = None, answer: Answer | None = None, caller: Caller | None = None
    ) -> Kept | None:
        """Appends a step, and hands the next work to the workers."""
        kept = self._write(new, key, answer, caller)
        if kept is None and (hint := bots_hint(new.after, now_ms())) is not None:
            self._jobs.ask([hint])
        return kept

    def _write(
        self, new: Step, key: Key | None = None, answer: Answer | None = None, caller: Caller | None = None
    ) -> Kept | None:
        """Appends a step, updates the indexes, and schedules notifications."""
        tells = bool(notices(new.after, new.entries))
        due = due_after(new, now_ms(), self._think_ms)
        try:
            kept = self._log.append(
                new,
                key=key,
                answer=Kept(key.fingerprint, answer) if key is not None and answer is not None else None,
                due=due,
                tell=pending.entry(new.after, now_ms()) if tells else None,
                expires=self._lives.ends(new.after) if _changes_status(new) else None,
                doubt=doubt(new),
                also=joined_indexes(new),
                caller=caller,
            )
        except VersionConflict:
            self._measures.refused(new)
            if due is not None:
                # This entry may have replaced an earlier time set by the change that came first.
                self._exchange.send(("ZADD", keys.DUE, now_ms(), new.after.id))
            raise
        if kept is None:
            self._measures.appended(new)
            self._leave_indexes(new)
            if tells:
                self._notifier.soon(new)
        return kept

    def _nothing_to_append(self, snapshot: Snapshot, key: Key | None) -> Kept | None:
        """Records under its key, if any, that a call changed nothing; returns the answer kept by a faster identical
        call.
        """
        kept = self._log.note_idle(snapshot.id, key) if key is not None else None
        if kept is not None and key is not None:
            self._log.confirm_kept(snapshot.id, key, kept)
        else:
            self._log.confirm(snapshot)
        return kept

    def _present(self, reading: Reading) -> Snapshot | None:
        """Returns the game if it is up to date; None if an expired clock was applied and it must be read again."""
        if reading.snapshot is None:
            raise no_such_game()
        return reading.snapshot if self.up_to_time(reading.snapshot) is reading.snapshot else None

    def _leave_indexes(self, new: Step) -> None:
        left = [("ZREM", name, new.after.id) for name in left_indexes(new)]
        try:
            if changes_listing(new):
                self._listing.note(new.after, before=left)
            elif left:
                self._exchange.send(*left)
        except Unavailable as error:
            # The change itself is made, and readers of the index check what they find.
            _log.warning("cannot clear the indexes or list the changes of game %s: %s", new.after.id, error)


def replayed(kept: Kept, key: Key) -> Answer:
    """Returns a kept answer for a repeated call.

    Raises:
        Refused: `idempotency_key_reused`, the key was used for another request.
    """
    key.check(kept.fingerprint)
    return kept.replay()


def stale(snapshot: Snapshot) -> Refused:
    """Returns the refusal of a call that was made on an earlier view."""
    return Refused("stale_version", Message("detail.stale_view"), version=snapshot.version)


def encoded(body: Any, tag: str | None = None, language: str | None = None) -> Answer:
    """Returns an answer whose body is plain data; `language` is that of its texts, if it has any."""
    return Answer(orjson.dumps(body), tag, language=language)


def _changes_status(new: Step) -> bool:
    return new.before is None or new.before.state.status != new.after.state.status


def joined_indexes(new: Step) -> dict[str, dict[str, int]]:
    """Returns the index entries that a step adds. They are written before it, so that indexes never miss a game."""
    after = new.after
    joined: dict[str, dict[str, int]] = {}
    if new.before is None and not after.ended:
        for index in _opened(after):
            joined[index] = {after.id: ms_of(after.created.at)}
    if new.before is None and after.table.visibility == "unlisted":
        # It stays when the game has ended: a repeated call by the code must find its first answer.
        joined[keys.joining(after.join_code)] = {after.id: ms_of(after.created.at)}
    if _changes_status(new):
        created = ms_of(after.created.at)
        if after.table.visibility == "public":
            joined[keys.lobby(after.state.status)] = {after.id: created}
        if after.state.status == ACTIVE and not after.table.sandbox:
            joined[keys.active(after.table.edition)] = {after.id: created}
        if after.ended:
            for player in people(after):
                joined[keys.played(player)] = {after.id: ms_of(new.entries[-1].at)}
    if not after.ended:
        newcomers = set(people(after)) - set(people(new.before) if new.before is not None else ())
        for player in newcomers:
            joined[keys.playing(player)] = {after.id: ms_of(new.entries[-1].at)}
        before = set(new.before.state.offers.values()) if new.before is not None else set()
        for player in set(after.state.offers.values()) - before:
            joined[keys.invited(player)] = {after.id: ms_of(new.entries[-1].at)}
    return joined


def left_indexes(new: Step) -> list[str]:
    """Returns the indexes that a game leaves for good with a step. They are cleared after it; readers check what they
    find.

    Indexes of a player who leaves or declines before the start are kept: the player may be back at the table by the
    time they would be cleared.
    """
    after = new.after
    left: list[str] = []
    if new.before is None:
        return left
    if new.before.state.status != after.state.status:
        if after.table.visibility == "public":
            left.append(keys.lobby(new.before.state.status))
        if new.before.state.status == ACTIVE:
            left.append(keys.active(after.table.edition))
        if after.ended:
            left += [keys.DUE, *_opened(after), *(keys.playing(player) for player in people(after))]
    return left


def _opened(snapshot: Snapshot) -> list[str]:
    """Returns the indexes of open games that count this game: by its creator, and by the address it was opened from."""
    return [keys.opened(snapshot.table.creator), *([keys.opened_from(snapshot.share)] if snapshot.share else [])]
