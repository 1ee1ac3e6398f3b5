"""Reading a game: its view, now or at an earlier version, and its redacted events, at once or when there are any."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.views import ALL, Viewer
from service.admission import Admission
from service.answers import Answer
from service.changes import encoded
from service.earlier import past_of
from service.errors import Refused, invalid
from service.event_list import event_list
from service.game_view import etag_of, game_view, viewer_of
from service.log import EventLog
from service.players import Players
from service.said import Said
from service.snapshot import Entry, Snapshot, fresh
from service.texts.catalogue import Catalogue
from service.texts.events import LOOK_AHEAD
from service.texts.past import BEGINNING
from service.times import now_ms

MOST_EVENTS = 1000
LONGEST_WAIT_SECONDS = 30
AS_ALL = "all"

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

        `at` asks for the view at an earlier version, `as_` for that of another seat or of `all` once the game has
        ended.

        Raises:
            Refused: the token is not valid, there is no such game or version, the join code is missing, or the game
                has not ended.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        viewer = _as_viewer(snapshot, as_, viewer_of(snapshot, caller))
        if at is not None:
            snapshot = self._at(snapshot, at)
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

        Raises:
            Refused: the token is not valid, there is no such game or version, or the join code is missing.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        if after > snapshot.version:
            raise invalid("after", "fault.versions_up_to", last=snapshot.version)
        if wait and snapshot.version <= after and not snapshot.ended:
            self._wait(snapshot, after, min(wait, LONGEST_WAIT_SECONDS), elsewhere)
            if elsewhere is None:
                snapshot, caller = self._admission.open(token, game, join_code)
        viewer = viewer_of(snapshot, caller)
        limit = min(limit or MOST_EVENTS, MOST_EVENTS)
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

    def _entries(self, snapshot: Snapshot, after: int, limit: int) -> Sequence[Entry]:
        """Returns the entries of a game after a version, at most so many, and none that the snapshot has not."""
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
        """Returns the game as it was at an earlier version.

        Raises:
            Refused: `invalid_request`, there was no such version.
        """
        if not 1 <= version <= snapshot.version:
            raise invalid("at", "fault.versions_1_to", last=snapshot.version)
        if version == snapshot.version:
            return snapshot
        begun = fresh(snapshot.created, snapshot.secret, snapshot.join_code)
        started = snapshot.started
        entries = self._log.entries_from_round(snapshot.id, version)
        if started is not None and entries[0].version > started.version:
            past = begun.at_round(started, entries[0].version).after(entries, "")
        else:
            past = begun.after(entries[1:], "")
        return replace(past, next_game=snapshot.next_game)


def _as_viewer(snapshot: Snapshot, as_: str | int | None, own: Viewer) -> Viewer:
    """Returns as whom the game is to be read.

    Raises:
        Refused: `game_not_finished`, or `invalid_request` if there is no such seat.
    """
    if as_ is None:
        return own
    if as_ != AS_ALL and as_ not in range(len(snapshot.players)):
        raise invalid("as", "fault.all_or_seat", last=len(snapshot.players) - 1)
    if not snapshot.ended and as_ != own:
        raise Refused("game_not_finished", Said("detail.views_of_others"))
    return ALL if as_ == AS_ALL else int(as_)


def _matches(if_none_match: str, etag: str) -> bool:
    """Whether one of the header's tags is this one; the comparison is weak, as for caches."""
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or etag in tags
