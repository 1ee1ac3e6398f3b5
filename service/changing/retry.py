"""Makes a player's call that changes a game: read, decide, append, and all again if another change came first."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from games.clocks.expired import timed_out
from games.errors import Refused, stale
from games.player import Player
from games.snapshot import Snapshot
from games.steps import Step
from service.changing.changes import ATTEMPTS, Changes, contended
from service.inputs.clock import now_ms
from service.players import Checked, Token, check_token, required_token
from service.store.log.event_log import Caller, VersionConflict
from service.store.log.stored_answers import Answer, Key

Decide: TypeAlias = Callable[[Snapshot, Player], tuple[Step, Answer]]
"""Decides what a call changes, and its answer; it may be asked several times, and refuses by raising."""
DecideOrLeave: TypeAlias = Callable[[Snapshot, Player, bool], tuple[Step | None, Answer]]
"""Decides as `Decide` does, or changes nothing (None); it must not if the third argument is true: the same call was
answered before by changing nothing."""


@dataclass(frozen=True, slots=True)
class PlayerCall:
    """Who calls for which game; calls with the same key are one call, made once."""

    token: Token
    game: str
    key: Key | None

    @classmethod
    def of(cls, token: str | None, game: str, key: str | None = None, request: tuple[Any, ...] = ()) -> Self:
        """Returns the call of the player with a token; an idempotency key is good for one `request` only.

        Raises:
            Refused: `unauthenticated`, there is no token.
        """
        parsed = required_token(token)
        return cls(parsed, game, Key.of(parsed.player, key, *request) if key is not None else None)


def retry(changes: Changes, call: PlayerCall, decide: DecideOrLeave) -> Answer:
    """Decides on the game as it is and appends that, until no other change comes in between.

    Raises:
        Refused: the token is not valid, there is no such game, the key was used for another request, or `decide`
            refuses.
        Unavailable: Redis cannot be reached, or other changes came first too often.
    """
    for _ in range(ATTEMPTS):
        reading = changes.log.read(call.game, call.token.player, call.key)
        player = check_token(call.token, reading.fields)
        if call.key is not None:
            call.key.check(reading.used)
            if reading.kept is not None:
                return changes.replayed(call.game, reading.kept, call.key)
            call.key.check(reading.noop)
        snapshot = changes.current(reading)
        if snapshot is None:
            continue
        left_before = reading.noop is not None
        new, answer = decide(snapshot, player, left_before)
        if new is None:
            return _leave(changes, call, snapshot, answer, left_before)
        with contextlib.suppress(VersionConflict):
            return changes.append(new, call.key, answer)
    raise contended()


def retry_action(changes: Changes, call: PlayerCall, decide: Decide) -> Answer:
    """Does as `retry` does for an answer to what the game asks of the player.

    It first tries without reading where this process knows game and player; the append checks both.

    Raises:
        Refused: as `retry`, or the question is no longer open after another change.
    """
    if (known := _from_memory(changes, call)) is not None:
        snapshot, checked = known
        with contextlib.suppress(VersionConflict, Refused):  # what was known may be old: read and decide again
            new, answer = decide(snapshot, checked.player)
            return changes.append(new, call.key, answer, Caller(checked.player.id, checked.hash))
    question: int | None = None

    def same_question(snapshot: Snapshot, player: Player, _: bool) -> tuple[Step, Answer]:
        nonlocal question
        changes.checked.note(call.token, player)
        if question is not None and question != snapshot.state.since:
            raise stale(snapshot.version)
        question = snapshot.state.since
        return decide(snapshot, player)

    return retry(changes, call, same_question)


def _leave(changes: Changes, call: PlayerCall, read: Snapshot, answer: Answer, left_before: bool) -> Answer:
    """Notes that a call changes no game; returns its answer, or that of a faster one with the same key."""
    if call.key is not None and not left_before:
        kept = changes.log.note_noop(call.game, call.key)
        if kept is not None:
            return changes.replayed(call.game, kept, call.key)
    changes.log.confirm(read)
    return answer._replace(replayed=left_before)


def _from_memory(changes: Changes, call: PlayerCall) -> tuple[Snapshot, Checked] | None:
    """Returns the game and its caller from this process's memory, if the game asks something of them."""
    snapshot, checked = changes.log.cached(call.game), changes.checked.of(call.token)
    if snapshot is None or checked is None or not changes.redis.is_single:
        return None
    seat = snapshot.state.to_act
    if seat is None or snapshot.players[seat] != checked.player.id or timed_out(snapshot, now_ms()) is not None:
        return None
    return snapshot, checked
