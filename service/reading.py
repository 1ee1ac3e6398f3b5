"""Reads a game: its view, now or at an earlier version, its redacted events, with long polling, rounds, whole log.

A view of an earlier version is byte for byte what it was when that version was the newest: it follows from the log up
to there and from names, which change only when a player asks for another one.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVarTuple

from engine.events import RoundStarted
from games.errors import Refused, invalid, no_such_game
from games.messages import Message
from games.records.portable import PortableLog, portable
from games.snapshot import Entry, Snapshot
from games.texts.catalogue import Catalogue
from games.texts.sentences.events import LOOK_AHEAD
from games.texts.sentences.past import BEGINNING
from games.views.events import event_list
from games.views.page_limits import LONGEST_WAIT_SECONDS, MOST_EVENTS, MOST_ROUNDS
from games.views.rounds import rounds_of
from games.views.view import game_view, tag_of, viewer_of
from games.views.viewpoints import check_after, must_act, version_at, viewer_as
from service.admission import Admission, check_not_sealed
from service.inputs.clock import now_ms
from service.past_events import game_at, past_of
from service.players import Players
from service.store.log.event_log import EventLog
from service.store.log.stored_answers import Answer

MOST_READ = 10_000
"""How many events are read for one page of rounds."""

Seen = TypeVarTuple("Seen")
Waiter = Callable[[str, int, float], None]
"""Waits until there is something new: takes a game, the version to wait beyond, and the longest wait in seconds."""


class GameReader:
    """Reads games as their viewers may see them."""

    def __init__(self, log: EventLog, players: Players, admission: Admission) -> None:
        self._log = log
        self._players = players
        self._admission = admission

    def view(
        self,
        token: str | None,
        game: str,
        *,
        at: int | None = None,
        as_: str | int | None = None,
        join_code: str | None = None,
        known: Callable[[str], bool] | None = None,
        words: Catalogue,
    ) -> Answer:
        """Returns a game's view for the caller, now or at a version, without a body if its tag is `known`.

        `at` selects an earlier version, as the viewer that the caller was then. `as_` selects another seat or `all`,
        once the game has ended.

        Raises:
            Refused: the token is not valid, there is no such game or version, the join code is missing, or the game has
                not ended.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        viewer = viewer_as(snapshot, as_, caller)
        if at is not None:
            snapshot = game_at(version_at(snapshot, at), snapshot, self._log)
            if as_ is None:
                viewer = viewer_of(snapshot, caller)
        tag = tag_of(snapshot, viewer, caller, words.language)
        if known is not None and known(tag):
            return Answer(tag=tag, unchanged=True, language=words.language)
        view = game_view(snapshot, viewer, self._players, caller, words)
        return Answer.of(view, tag, words.language)

    def events(
        self,
        token: str | None,
        game: str,
        *,
        after: int = 0,
        at: int | None = None,
        as_: str | int | None = None,
        limit: int | None = None,
        wait: float = 0,
        until_turn: bool = False,
        waiter: Waiter | None = None,
        join_code: str | None = None,
        words: Catalogue | None = None,
    ) -> Answer:
        """Returns a game's redacted events after a version, at most `limit`; waits `wait` seconds for the first.

        With `until_turn` it waits instead until the caller must act or the game has ended. With `words` each event has
        its text, which does not depend on where a page is cut. The answer's `version` is that of its last event, the
        cursor to continue from; `finished` means that there will be no more. The `waiter` waits; without one the call
        does not.

        `at` stops at a version and does not wait. `as_` selects what another seat or `all` sees, once the game has
        ended.

        Raises:
            Refused: the token is not valid, there is no such game or version, the join code is missing, or the game has
                not ended.
        """
        read_game = partial(self._admission.open, token, game, join_code)
        snapshot, caller = read_game()
        viewer = viewer_as(snapshot, as_, caller)
        check_after(after, version_at(snapshot, at))
        if waiter is not None and at is None:

            def is_time(snapshot: Snapshot, caller: str | None) -> bool:
                return must_act(snapshot, caller, as_) if until_turn else snapshot.version > after

            snapshot, caller = wait_for_more((snapshot, caller), read_game, is_time, wait, waiter)
            viewer = viewer_as(snapshot, as_, caller)
        limit = min(limit or MOST_EVENTS, MOST_EVENTS, version_at(snapshot, at) - after)
        read = self._entries(snapshot, after, limit + (LOOK_AHEAD if words is not None else 0))
        entries, following = read[:limit], read[limit:]
        last = entries[-1].version if entries else after
        past = past_of(entries, snapshot, self._log) if words is not None else BEGINNING
        body = {
            "events": event_list(entries, viewer, snapshot, self._players, words, following, past),
            "version": last,
            "finished": snapshot.ended and last >= snapshot.version,
        }
        return Answer.of(body, language=words.language if words is not None else None)

    def rounds(
        self,
        token: str | None,
        game: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        join_code: str | None = None,
        known: Callable[[str], bool] | None = None,
    ) -> Answer:
        """Returns where the rounds and turns of a game begin, in pages, without a body if its tag is `known`.

        Raises:
            Refused: the token is not valid, there is no such game, the join code is missing, or the cursor is not one
                of this list.
        """
        snapshot, _ = self._admission.open(token, game, join_code)
        tag = f"{snapshot.version}-rounds"
        if known is not None and known(tag):
            return Answer(tag=tag, unchanged=True)
        rounds, upto = self._rounds(snapshot, _version_in(cursor), min(limit or MOST_ROUNDS, MOST_ROUNDS))
        body = {
            "rounds": rounds,
            "version": snapshot.version,
            "finished": snapshot.ended,
            "next_cursor": str(upto) if upto < snapshot.version else None,
        }
        return Answer.of(body, tag)

    def log(self, token: str | None, game: str, join_code: str | None = None) -> PortableLog:
        """Returns the portable log of an ended game to a caller who may watch it.

        Raises:
            Refused: the token is not valid, there is no such game, the join code is missing or wrong, or the game has
                not ended.
        """
        snapshot, _ = self._admission.open(token, game, join_code)
        if not snapshot.ended:
            raise Refused("game_not_finished", Message("detail.log_too_early"))
        check_not_sealed(snapshot)
        return portable([stored for _, stored in self._log.stored(snapshot)])

    def _rounds(self, snapshot: Snapshot, after: int, most: int) -> tuple[list[dict[str, Any]], int]:
        """Returns for a reader at most `most` rounds of a game after a version, and the version up to which they go."""
        entries: list[Entry] = []
        begun, upto = 0, after
        while upto < snapshot.version and begun <= most and len(entries) < MOST_READ:
            read = self._log.entries(snapshot.id, upto, min(MOST_EVENTS, snapshot.version - upto))
            if not read:
                raise no_such_game()  # it has been removed meanwhile
            begun += sum(isinstance(entry.event, RoundStarted) for entry in read)
            entries += read
            upto = read[-1].version
        rounds = rounds_of(entries)
        if upto < snapshot.version or len(rounds) > most:
            # The last round may continue: leave it for the next page, unless it is the only one.
            kept = min(most, max(1, len(rounds) - (upto < snapshot.version)))
            upto = rounds[kept]["version"] - 1 if kept < len(rounds) else upto
            rounds = rounds[:kept]
        return rounds, upto

    def _entries(self, snapshot: Snapshot, after: int, limit: int) -> Sequence[Entry]:
        """Returns for a reader at most `limit` entries of a game after a version, none beyond the snapshot."""
        if not limit:
            return []
        if after + 1 >= snapshot.entries[0].version:
            return [entry for entry in snapshot.entries if entry.version > after][:limit]
        return [entry for entry in self._log.entries(snapshot.id, after, limit) if entry.version <= snapshot.version]


def wait_for_more(
    seen: tuple[Snapshot, *Seen],
    read: Callable[[], tuple[Snapshot, *Seen]],
    is_time: Callable[[Snapshot, *Seen], bool],
    wait: float,
    waiter: Waiter,
) -> tuple[Snapshot, *Seen]:
    """Waits up to `wait` seconds until it is time to answer a call that reads a game, or the game has ended.

    Takes what the call has `seen`, and returns what it has `read` last: a game, and more. It also ends if a wait brings
    nothing new: then it was cut short.
    """
    left = min(wait, LONGEST_WAIT_SECONDS)
    until = time.monotonic() + left
    while left > 0 and not seen[0].ended and not is_time(*seen):
        before, seconds = seen[0], left
        if before.waits_until is not None:  # the clock causes an event, if nobody else does
            seconds = max(0.001, min(seconds, (before.waits_until - now_ms()) / 1000))
        waiter(before.id, before.version, seconds)
        seen = read()
        if seen[0].version == before.version:
            break
        left = until - time.monotonic()
    return seen


def _version_in(cursor: str | None) -> int:
    """Returns the version that the cursor of a page of a game's rounds names; refuses any other text."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 16):
        raise invalid("cursor", "fault.cursor")
    return int(cursor)
