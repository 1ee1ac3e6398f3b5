"""The steps of a game as a viewer sees them: the view after each, and what happened in it, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from billet.errors import StartError
from billet.replay.source import Names, Played
from engine.events import RoundStarted
from engine.views import ALL, WATCHER, Viewer
from service.event_list import event_list
from service.game_view import game_view
from service.sheet_notation import print_cause
from service.snapshot import Entry, Snapshot, fresh
from service.texts.catalogue import Catalogue
from service.texts.past import BEGINNING, Past


@dataclass(frozen=True, slots=True)
class _Step:
    entries: Sequence[Entry]
    before: Snapshot | None
    after: Snapshot
    past: Past


class Course:
    """A game's course, for one viewer."""

    def __init__(self, played: Played, viewer: Viewer, words: Catalogue) -> None:
        self.words = words
        self.viewer = viewer
        self.doubt = played.doubt
        self._played = played
        self._names = Names(played.names, words)
        self._names.named([getattr(entry.event, "player", None) for entry in played.entries])
        self._steps = _steps(played)

    @property
    def edition(self) -> str:
        """The edition that is played."""
        return self._steps[0].after.table.edition

    @property
    def version(self) -> int:
        """The last version there is."""
        return len(self._played.entries)

    def __len__(self) -> int:
        return len(self._steps)

    def step_at(self, version: int) -> int:
        """Returns the index of the step that a version is in."""
        return next(i for i, step in enumerate(self._steps) if step.after.version >= version)

    def round_from(self, step: int, by: int) -> int:
        """Returns the next step that begins a round (`by` 1) or the one before (-1); else the last or first."""
        begins = [i for i, one in enumerate(self._steps) if any(isinstance(e.event, RoundStarted) for e in one.entries)]
        if by > 0:
            return next((i for i in begins if i > step), len(self) - 1)
        return next((i for i in reversed(begins) if i < step), 0)

    def view(self, step: int, version: int | None = None) -> dict[str, Any]:
        """Returns the game as it was after a step, or at a version within it."""
        snapshot = self._steps[step].after
        if version is not None and version < snapshot.version:
            snapshot = self._within(self._steps[step], version)
        return game_view(snapshot, self.viewer, self._names, None, self.words)

    def events(self, step: int, version: int | None = None) -> list[dict[str, Any]]:
        """Returns what happened in a step, up to a version, with texts."""
        one = self._steps[step]
        upto = [entry for entry in one.entries if version is None or entry.version <= version]
        following = one.entries[len(upto) :]
        return event_list(upto, self.viewer, one.after, self._names, self.words, following, one.past)

    def cause(self, step: int) -> str | None:
        """Returns what caused a step, in notation, for those who may see everything; None where it is not known."""
        cause = self._played.causes.get(self._steps[step].entries[0].version)
        return print_cause(cause) if cause is not None and self.viewer == ALL else None

    def _within(self, step: _Step, version: int) -> Snapshot:
        entries = [entry for entry in step.entries if entry.version <= version]
        if step.before is not None:
            return step.before.after(entries, "")
        return fresh(entries[0], b"", "").after(entries[1:], "")


def viewer_of(played: Played, wanted: str | None, words: Catalogue) -> Viewer:
    """Returns as whom a game is seen: by default everything of one that has ended, else what a watcher sees.

    Raises:
        StartError: there is no such seat, or the game has not ended.
    """
    if wanted is None:
        return ALL if played.ended else WATCHER
    if not played.ended:
        raise StartError(words.text("replay.goes_on"))
    if wanted == "all":
        return ALL
    seats = fresh(played.entries[0], b"", "").table.seats
    if not (wanted.isascii() and wanted.isdecimal() and int(wanted) < seats):
        raise StartError(words.text("replay.no_seat", wanted=wanted, last=seats - 1))
    return int(wanted)


def _steps(played: Played) -> list[_Step]:
    """Returns the steps of a game; where no causes are known, what has one time is one."""
    groups: list[list[Entry]] = []
    for entry in played.entries:
        begins = entry.version in played.causes if played.causes else not groups or groups[-1][-1].at != entry.at
        if begins or not groups:
            groups.append([])
        groups[-1].append(entry)
    steps: list[_Step] = []
    before: Snapshot | None = None
    past = BEGINNING
    for group in groups:
        after = before.after(group, "") if before is not None else fresh(group[0], b"", "").after(group[1:], "")
        steps.append(_Step(group, before, after, past))
        for entry in group:
            past = past.after(entry.event)
        before = after
    return steps
