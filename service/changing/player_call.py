"""Makes a player's call that changes a game: read, let the use case decide, append, and again if another came first.

call = PlayerCall(changes, token, game, idempotency_key, request)
for game, player in call:
    ...
    call.make(new, answer)
return call.answer
"""

from collections.abc import Iterator, Sequence
from typing import Any

from games.clocks.expired import timed_out
from games.errors import stale
from games.player import Player
from games.snapshot import Snapshot
from games.steps import Step
from service.changing.changes import ATTEMPTS, Changes, contended
from service.inputs.clock import now_ms
from service.players import check_token, required_token
from service.store.log.answers import Answer, Key
from service.store.log.event_log import Caller, VersionConflict


class PlayerCall:
    """A call, made once for all calls with the same idempotency key."""

    def __init__(
        self,
        changes: Changes,
        token: str | None,
        game: str,
        idempotency_key: str | None = None,
        request: Sequence[Any] = (),
        *,
        acts: bool = False,
    ) -> None:
        """Prepares a player's call that changes a game; a key used for another `request` is refused.

        With `acts` the change answers what the game asks of the player: it is made without reading first where this
        process knows game and player, and refused if the question is no longer open after a conflict.

        Raises:
            Refused: `unauthenticated`, there is no token.
        """
        self._changes = changes
        self._log = changes.log
        self._token = required_token(token)
        self._game = game
        self._key = Key.of(self._token.player, idempotency_key, *request) if idempotency_key is not None else None
        self._acts = acts
        self._read: Snapshot | None = None
        self._unread: Caller | None = None
        """The caller, if they and the game are from memory: the append checks both."""
        self._answer: Answer | None = None
        self.was_noop = False
        """Whether the call was made before and changed nothing, so that it must change nothing now."""

    @property
    def answer(self) -> Answer:
        """The answer to a player's call that changes a game, once all attempts have been iterated over."""
        assert self._answer is not None, "iterating ends with an answer or an error"
        return self._answer

    def __iter__(self) -> Iterator[tuple[Snapshot, Player]]:
        """Yields the game and the player for each attempt to change the game, until one succeeds or did before.

        Raises:
            Refused: the token is not valid, there is no such game, the key was used for another request, or the
                question is no longer open.
            Unavailable: Redis cannot be reached.
        """
        if self._acts and (known := self._from_memory()) is not None:
            yield known
            self._unread = None
        asked: int | None = None
        for _ in range(ATTEMPTS):
            if self._answer is not None:
                return
            reading = self._log.read(self._game, self._token.player, self._key)
            player = check_token(self._token, reading.fields)
            if self._key is not None:
                self._key.check(reading.used)
                if reading.kept is not None:
                    self._answer = self._changes.replayed(self._game, reading.kept, self._key)
                    return
                self._key.check(reading.noop)
            snapshot = self._changes.current(reading)
            if snapshot is None:
                continue
            if self._acts:
                self._changes.checked.note(self._token, player)
                if asked is not None and asked != snapshot.state.since:
                    raise stale(snapshot.version)
                asked = snapshot.state.since
            self._read, self.was_noop = snapshot, reading.noop is not None
            yield snapshot, player
        if self._answer is None:
            raise contended()

    def make(self, new: Step | None, answer: Answer) -> None:
        """Changes the game by a player's step, or None for no change; does nothing if another change came first."""
        try:
            if new is None:
                self._answer = self._nothing_changes(answer)
            else:
                self._answer = self._changes.append(new, self._key, answer, self._unread)
        except VersionConflict:
            pass

    def _nothing_changes(self, answer: Answer) -> Answer:
        """Notes that a player's call changes no game; returns its answer, or that of a faster one with the same key."""
        assert self._read is not None, "what changes nothing is decided on a game that was read"
        if self._key is not None and not self.was_noop:
            kept = self._log.note_noop(self._game, self._key)
            if kept is not None:
                return self._changes.replayed(self._game, kept, self._key)
        self._log.confirm(self._read)
        return answer._replace(replayed=self.was_noop)

    # --- from memory ---

    def _from_memory(self) -> tuple[Snapshot, Player] | None:
        """Returns the game to change and its player from this process's memory, if the game asks something of them."""
        snapshot, checked = self._log.cached(self._game), self._changes.checked.of(self._token)
        if snapshot is None or checked is None or not self._changes.exchange.is_single:
            return None
        seat = snapshot.state.to_act
        if seat is None or snapshot.players[seat] != checked.player.id or timed_out(snapshot, now_ms()) is not None:
            return None
        self._unread = Caller(checked.player.id, checked.hash)
        return snapshot, checked.player

    @property
    def may_be_old(self) -> bool:
        """Whether the game is from memory: a refusal is then no answer, because it is read and decided again."""
        return self._unread is not None
