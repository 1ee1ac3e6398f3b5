"""Reads a game by steps: each as a frame, or as the events in it. For the list of frames, and for streams of both."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from engine.views import Viewer
from games.snapshot import Entry, Snapshot
from games.steps import Step, steps_of, whole_steps
from games.texts.catalogue import Catalogue, catalogue
from games.views.events import events_of, frame, frame_of
from games.views.page_limits import MOST_FRAMES
from games.views.viewpoints import check_after, must_act, viewer_as
from service.admission import Admission
from service.past_events import game_at
from service.players import Players
from service.reading import Waiter, wait_for_more
from service.store.log.event_log import EventLog
from service.store.log.stored_answers import Answer

PAGE: Final = 200
"""How many events are read at once."""


class FollowerView(NamedTuple):
    """How a follower reads a game. Followers with the same view share what is written for them."""

    viewer: Viewer
    language: str = ""
    """The language of texts and frames; "" for events without texts."""
    texts: bool = False
    """Whether events have texts."""
    frames: bool = False
    """Whether they read frames; otherwise events."""
    caller: str | None = None
    """The player who asks, only where a frame depends on it."""


class Frames:
    """Reads games by steps."""

    def __init__(self, log: EventLog, players: Players, admission: Admission) -> None:
        self._log = log
        self._players = players
        self._admission = admission

    def page(
        self,
        token: str | None,
        game: str,
        *,
        after: int = 0,
        as_: str | int | None = None,
        limit: int | None = None,
        wait: float = 0,
        until_turn: bool = False,
        waiter: Waiter | None = None,
        join_code: str | None = None,
        words: Catalogue,
        texts: bool = False,
    ) -> Answer:
        """Returns the frames of the steps after a version, at most `limit`; waits up to `wait` seconds for the first.

        With `until_turn` it waits instead until the caller must act or the game has ended. The answer's `version` is
        that of its last frame, the cursor to continue from; `finished` means that there will be no more. The `waiter`
        waits; without one the call does not. `as_` selects what another seat or `all` sees, once the game has ended.

        Raises:
            Refused: the token is not valid, there is no such game or version, the join code is missing, or the game has
                not ended.
        """
        read = partial(self._seen, token, game, after, as_, join_code, words, texts=texts)
        snapshot, follower_view, caller = read()
        if waiter is not None:

            def is_time(snapshot: Snapshot, _: FollowerView, caller: str | None) -> bool:
                return must_act(snapshot, caller, as_) if until_turn else snapshot.version > after

            snapshot, follower_view, _ = wait_for_more((snapshot, follower_view, caller), read, is_time, wait, waiter)
        frames = list(islice(self.after(snapshot, follower_view, after), min(limit or MOST_FRAMES, MOST_FRAMES)))
        last = frames[-1]["version"] if frames else after
        body = {"frames": frames, "version": last, "finished": snapshot.ended and last >= snapshot.version}
        return Answer.of(body, language=words.language)

    def after(self, snapshot: Snapshot, follower_view: FollowerView, after: int) -> Iterator[dict[str, Any]]:
        """Yields the frames, or the events, after a version, up to that of a snapshot."""
        before = self._before(after + 1, snapshot)
        for entries in self._pages(snapshot, after):
            for step in steps_of(entries, before, snapshot):
                yield from self._items(follower_view, step)
                before = step.after

    def present(self, snapshot: Snapshot, follower_view: FollowerView) -> dict[str, Any]:
        """Returns the frame of a game as it is, without events."""
        words = catalogue(follower_view.language)
        return frame_of(snapshot, [], follower_view.viewer, self._players, follower_view.caller, words)

    def shown(
        self, follower_views: Iterable[FollowerView], known: Snapshot, entries: Sequence[Entry]
    ) -> tuple[dict[FollowerView, list[dict[str, Any]]], Snapshot]:
        """Returns the frames, or the events, of consecutive steps as each of some followers sees them.

        Also returns the game after them. `known` is the game at any version, best at that before. The first step may
        have begun before the entries.
        """
        steps = list(steps_of(entries, self._before(entries[0].version, known), known))
        return {one: [item for step in steps for item in self._items(one, step)] for one in follower_views}, steps[
            -1
        ].after

    def read(self, game: str, after: int, most: int) -> tuple[list[Entry], bool]:
        """Reads whole steps after a version: about `most` unredacted events, and whether there are more."""
        while True:
            read = self._log.entries(game, after, most + 1)
            if len(read) <= most:
                return read, False
            if whole := whole_steps(read, most):
                return read[:whole], True
            most *= 2

    def hints(self, game: str) -> tuple[tuple[int, int], ...]:
        """Reads the hints that were given in a game: the seat, and the version about which it asked."""
        return self._log.hints(game)

    def _seen(
        self,
        token: str | None,
        game: str,
        after: int,
        as_: str | int | None,
        join_code: str | None,
        words: Catalogue,
        *,
        texts: bool,
    ) -> tuple[Snapshot, FollowerView, str | None]:
        """Returns a game, how the caller is shown its frames after a version, and who they are."""
        snapshot, caller = self._admission.open(token, game, join_code)
        viewer = viewer_as(snapshot, as_, caller)
        check_after(after, snapshot.version)
        return snapshot, follower_view_of(snapshot, viewer, caller, words, texts=texts, frames=True), caller

    def _before(self, version: int, known: Snapshot) -> Snapshot | None:
        """Returns the game before the event of a version, from which its step goes on; None before the first."""
        return game_at(version - 1, known, self._log) if version > 1 else None

    def _items(self, follower_view: FollowerView, step: Step) -> list[dict[str, Any]]:
        """Returns what a follower gets of a step: its frame, or the events in it."""
        viewer, language, texts, frames, caller = follower_view
        if frames:
            return [frame(step, viewer, self._players, caller, catalogue(language), texts=texts)]
        return events_of(step, viewer, self._players, catalogue(language) if texts else None)

    def _pages(self, snapshot: Snapshot, after: int) -> Iterator[Sequence[Entry]]:
        """Yields the entries of a game after a version whole steps at a time."""
        if not snapshot.ended and after + 1 >= snapshot.entries[0].version:
            entries = [entry for entry in snapshot.entries if entry.version > after]
            if entries:
                yield entries
            return
        while after < snapshot.version:
            read = self.read(snapshot.id, after, PAGE)[0]
            entries = [entry for entry in read if entry.version <= snapshot.version]
            yield entries
            after = entries[-1].version


def follower_view_of(
    snapshot: Snapshot, viewer: Viewer, caller: str | None, words: Catalogue, *, texts: bool, frames: bool
) -> FollowerView:
    """Returns how a caller is shown the events or frames of a game."""
    if not frames:
        return FollowerView(viewer, words.language if texts else "", texts)
    shown = caller if snapshot.table.visibility == "unlisted" else None  # the join code is not for everybody
    return FollowerView(viewer, words.language, texts, frames, shown)
