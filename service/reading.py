"""Reading a game: its view, now or as it was, its redacted events, at once or when there are any, and its rounds.

What is read of an earlier version is what was read when it was the newest, byte for byte: it follows from the log up to
there and from names, which never change.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from service.admission import Admission
from service.answers import Answer
from service.changes import encoded
from service.earlier import past_of
from service.event_list import event_list
from service.game_view import etag_of, game_view, viewer_of
from service.log import EventLog
from service.players import Players
from service.rounds import rounds_of
from service.snapshot import Entry, Snapshot, fresh
from service.texts.catalogue import Catalogue
from service.texts.events import LOOK_AHEAD
from service.texts.past import BEGINNING
from service.times import now_ms
from service.viewpoints import check_after, version_at, viewer_as

MOST_EVENTS = 1000
LONGEST_WAIT_SECONDS = 30

Elsewhere = Callable[[str, int, float], None]
"""What waits in place of a call: it takes a game, the version to wait beyond, and the seconds to wait at most."""


class Reader:
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
        if_none_match: str | None = None,
        words: Catalogue,
    ) -> Answer:
        """Returns a game as the caller may see it: 200, or 304 if they have it already.

        `at` asks for the view at a version, as whoever the caller was then; `as_` for that of another seat or of `all`
        once the game has ended.

        Raises:
            Refused: the token is not valid, there is no such game or version, the join code is missing, or the game
                has not ended.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        viewer = viewer_as(snapshot, as_, caller)
        if at is not None:
            snapshot = self._at(snapshot, version_at(snapshot, at))
            if as_ is None:
                viewer = viewer_of(snapshot, caller)
        etag = etag_of(snapshot, viewer, caller, words.language)
        if if_none_match is not None and _matches(if_none_match, etag):
            return Answer(304, etag=etag, language=words.language)
        view = game_view(snapshot, viewer, self._players, caller, words)
        return encoded(200, view, etag, language=words.language)

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
        elsewhere: Elsewhere | None = None,
        join_code: str | None = None,
        words: Catalogue | None = None,
    ) -> Answer:
        """Returns the redacted events after a version, at most `limit`; waits up to `wait` seconds for the first.

        With `words` each event comes with its text, the same wherever a page is cut. The answer's `version` is that of
        its last event, the cursor to go on from; `finished` says that there will be no more. What waits `elsewhere` is
        told what to wait for instead: it asks once more when there is something, and this thread is free.

        `at` asks for the events up to a version, for which nobody waits; `as_` for what another seat or `all` sees of
        them once the game has ended.

        Raises:
            Refused: the token is not valid, there is no such game or version, the join code is missing, or the game
                has not ended.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        viewer = viewer_as(snapshot, as_, caller)
        check_after(after, version_at(snapshot, at))
        if wait and at is None and snapshot.version <= after and not snapshot.ended:
            self._wait(snapshot, after, min(wait, LONGEST_WAIT_SECONDS), elsewhere)
            if elsewhere is None:
                snapshot, caller = self._admission.open(token, game, join_code)
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
        return encoded(200, body, language=words.language if words is not None else None)

    def rounds(
        self,
        token: str | None,
        game: str,
        *,
        join_code: str | None = None,
        if_none_match: str | None = None,
    ) -> Answer:
        """Returns where the rounds and turns of a game begin: 200, or 304 if the caller has it already.

        Raises:
            Refused: the token is not valid, there is no such game, or the join code is missing.
        """
        snapshot, _ = self._admission.open(token, game, join_code)
        etag = f'"{snapshot.version}-rounds"'
        if if_none_match is not None and _matches(if_none_match, etag):
            return Answer(304, etag=etag)
        entries = [entry for entry in self._log.entries(game, 0) if entry.version <= snapshot.version]
        body = {"rounds": rounds_of(entries), "version": snapshot.version, "finished": snapshot.ended}
        return encoded(200, body, etag)

    def _entries(self, snapshot: Snapshot, after: int, limit: int) -> Sequence[Entry]:
        """Returns the entries of a game after a version, at most so many, and none that the snapshot has not."""
        if not limit:
            return []
        if after + 1 >= snapshot.entries[0].version:
            return [entry for entry in snapshot.entries if entry.version > after][:limit]
        return [entry for entry in self._log.entries(snapshot.id, after, limit) if entry.version <= snapshot.version]

    def _wait(self, snapshot: Snapshot, after: int, seconds: float, elsewhere: "Elsewhere | None") -> None:
        """Waits for an event, or for the clock that makes one."""
        if snapshot.deadline is not None:
            seconds = max(0.001, min(seconds, (snapshot.deadline - now_ms()) / 1000))
        if elsewhere is not None:
            elsewhere(snapshot.id, after, seconds)
        else:
            self._log.wait(snapshot.id, after, int(seconds * 1000))

    def _at(self, snapshot: Snapshot, version: int) -> Snapshot:
        """Returns the game as it was at a version, when nobody knew of a rematch yet."""
        if version == snapshot.version:
            return replace(snapshot, next_game=None)
        begun = fresh(snapshot.created, snapshot.secret, snapshot.join_code)
        started = snapshot.started
        entries = self._log.entries_from_round(snapshot.id, version)
        if started is not None and entries[0].version > started.version:
            return begun.at_round(started, entries[0].version).after(entries, "")
        return begun.after(entries[1:], "")


def _matches(if_none_match: str, etag: str) -> bool:
    """Whether one of the header's tags is this one; the comparison is weak, as for caches."""
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or etag in tags
