"""How a game is changed: read, decide, append by compare, and again if somebody was faster.

What is decided belongs to `tables` and `play`. Here is what every change shares: who calls, the answer to a repeated
idempotency key, clocks that have run out, the indexes, and the hints for the workers.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from engine.state import ACTIVE
from service import keys, untold
from service.answers import Answer, Kept, Key
from service.causes import Cause
from service.clocks import timed_out
from service.connection import Exchange
from service.due import bots_hint, due_after
from service.errors import Refused, Unavailable, no_such_game, unauthenticated
from service.jobs import Jobs
from service.log import EventLog, Moved, Reading, Step
from service.measures import Measures
from service.notices import notices, people
from service.players import Player, check_token, read_token
from service.said import Said
from service.snapshot import Snapshot
from service.steps import step_of
from service.teller import Teller
from service.times import ms_of, now_ms

_log = logging.getLogger(__name__)

ATTEMPTS = 50
"""How often a change is tried again because others were faster; each time somebody else's change was made."""

Decide = Callable[[Snapshot, Player], Cause | None]
"""What a caller causes in the game as it is; None if there is nothing to change. Refuses by raising."""
Respond = Callable[[Snapshot, Step | None, Player], Answer]
"""The answer, from the game as it is after the change and the step that was made."""


class Changes:
    """The one way in which games are changed."""

    def __init__(
        self, exchange: Exchange, log: EventLog, jobs: Jobs, measures: Measures, teller: Teller, think_ms: int
    ) -> None:
        """Makes the way; `think_ms` is how long bots may think."""
        self._exchange = exchange
        self._log = log
        self._jobs = jobs
        self._measures = measures
        self._teller = teller
        self._think_ms = think_ms

    def by_player(
        self,
        game: str,
        token_text: str | None,
        decide: Decide,
        respond: Respond,
        idempotency_key: str | None = None,
        request: Sequence[Any] = (),
    ) -> Answer:
        """Changes a game as a player asks, once for all calls with the same idempotency key.

        `request` is what makes up the request: the same key with another request is refused.

        Raises:
            Refused: the token is not valid, there is no such game, the key was used for something else, or `decide`
                refuses.
            Unavailable: Redis is away.
        """
        token = read_token(token_text)
        if token is None:
            raise unauthenticated()
        key = Key.of(token.player, idempotency_key, *request) if idempotency_key is not None else None
        for _ in range(ATTEMPTS):
            reading = self._log.read(game, token.player, key)
            player = check_token(token, reading.caller)
            if reading.kept is not None and key is not None:
                return replayed(reading.kept, key)
            snapshot = self._present(reading)
            if snapshot is None:
                continue
            cause = decide(snapshot, player)
            new = step_of(snapshot, cause, now_ms()) if cause is not None else None
            after = new.after if new is not None else snapshot
            answer = respond(after, new, player)
            try:
                kept = self.append(new, key, answer) if new is not None else self.keep(game, key, answer)
            except Moved:
                continue
            return replayed(kept, key) if kept is not None and key is not None else answer
        raise Unavailable("too many callers change this game at once")

    def by_service(self, game: str, decide: Callable[[Snapshot], Cause | None]) -> Snapshot | None:
        """Changes a game of the service's own accord, in one attempt.

        Returns the game as it is then, or None if there is no such game. Who calls sees to what comes next; if that
        fails, sweepers do.

        Raises:
            Moved: somebody else was faster; nothing was appended.
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
        return new.after

    def up_to_time(self, snapshot: Snapshot) -> Snapshot:
        """Returns the game as it must be by now: a clock that has run out has had its effect."""
        while cause := timed_out(snapshot, now_ms()):
            new = step_of(snapshot, cause, now_ms())
            with contextlib.suppress(Moved):
                self.append(new)
            newest = self._log.read(snapshot.id).snapshot
            assert newest is not None, "games are not removed"
            snapshot = newest
        return snapshot

    def append(self, new: Step, key: Key | None = None, answer: Answer | None = None) -> Kept | None:
        """Appends a step, keeps the indexes in step with it, and asks the workers for what comes next.

        Raises:
            Moved: somebody was faster; nothing was appended.
            Unavailable: Redis is away.
        """
        after = new.after
        kept = self._write(new, key, answer)
        if kept is None and (hint := bots_hint(after, now_ms())) is not None:
            self._jobs.ask([hint])
        return kept

    def _write(self, new: Step, key: Key | None = None, answer: Answer | None = None) -> Kept | None:
        """Appends a step, keeps the indexes in step with it, and has the players told."""
        tells = bool(notices(new.after, new.entries))
        due = due_after(new, now_ms(), self._think_ms)
        try:
            kept = self._log.append(
                new,
                key=key,
                answer=Kept(key.fingerprint, answer) if key is not None and answer is not None else None,
                due=due,
                tell=untold.entry(new.after, now_ms()) if tells else None,
                also=joined_indexes(new),
            )
        except Moved:
            self._measures.refused(new)
            if due is not None:
                # It may stand in the place of an earlier time that whoever was faster has set.
                self._exchange.send(("ZADD", keys.DUE, now_ms(), new.after.id))
            raise
        if kept is None:
            self._measures.appended(new)
            self._leave_indexes(new)
            if tells:
                self._teller.soon(new)
        return kept

    def keep(self, game: str, key: Key | None, answer: Answer) -> Kept | None:
        """Keeps the answer to a call that changed nothing, if it has a key; returns what an earlier call has kept."""
        return self._log.keep(game, key, Kept(key.fingerprint, answer)) if key is not None else None

    def _present(self, reading: Reading) -> Snapshot | None:
        """Returns the game if it is up to time; None if it had to be brought up to it and must be read again."""
        if reading.snapshot is None:
            raise no_such_game()
        return reading.snapshot if self.up_to_time(reading.snapshot) is reading.snapshot else None

    def _leave_indexes(self, new: Step) -> None:
        left = left_indexes(new)
        if not left:
            return
        try:
            self._exchange.send(*[("ZREM", name, new.after.id) for name in left])
        except Unavailable as error:
            # The change itself is made; whoever reads the index checks what it finds.
            _log.warning("cannot clear the indexes of game %s: %s", new.after.id, error)


def replayed(kept: Kept, key: Key) -> Answer:
    """Returns the kept answer again.

    Raises:
        Refused: `idempotency_key_reused`, the key was used for another request.
    """
    if kept.fingerprint != key.fingerprint:
        raise Refused("idempotency_key_reused", Said("detail.key_of_another_request"))
    return kept.replay()


def encoded(
    status: int, body: Any, etag: str | None = None, location: str | None = None, language: str | None = None
) -> Answer:
    """Returns an answer with a body made of plain data; `language` is that of its texts, if it has any."""
    return Answer(status, orjson.dumps(body), etag, location, language=language)


def joined_indexes(new: Step) -> dict[str, dict[str, int]]:
    """Returns the members that indexes gain with a step: written before it, so that they never miss a game."""
    after = new.after
    joined: dict[str, dict[str, int]] = {}
    if new.before is None and not after.ended:
        joined[keys.opened(after.table.creator)] = {after.id: ms_of(after.created.at)}
    if new.before is None or new.before.state.status != after.state.status:
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
    """Returns the indexes that a game leaves for good with a step: cleared after it; readers check what they find.

    Those of a player who gets up or declines before the start stay: they may have sat down or been invited again by the
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
            left += [keys.DUE, keys.opened(after.table.creator), *(keys.playing(player) for player in people(after))]
    return left
