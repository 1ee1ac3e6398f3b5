"""The steps of a game as a viewer sees them: the view after each, and its events in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from billet.errors import StartError
from billet.replay.source import NumberedNames, Played
from engine.events import RoundStarted
from engine.views import ALL, WATCHER, Viewer
from games.records.scoresheet_notation import print_cause
from games.snapshot import Entry, Snapshot, first_snapshot
from games.texts.catalogue import Catalogue
from games.texts.sentences.past import BEGINNING, Past
from games.views.events import event_list
from games.views.view import game_view


@dataclass(frozen=True, slots=True)
class _Step:
    entries: Sequence[Entry]
    before: Snapshot | None
    after: Snapshot
    past: Past


class ReplayCourse:
    """The steps of a game, for one viewer."""

    def __init__(self, played: Played, viewer: Viewer, words: Catalogue) -> None:
        self.words = words
        self.viewer = viewer
        self.doubt = played.doubt
        self._played = played
        self._names = NumberedNames(played.names, words)
        self._names.named([getattr(entry.event, "player", None) for entry in played.entries])
        self._steps = _replay_steps(played)

    @property
    def edition(self) -> str:
        """The edition of the replayed game."""
        return self._steps[0].after.table.edition

    @property
    def version(self) -> int:
        """The last version of the replayed game."""
        return len(self._played.entries)

    def __len__(self) -> int:
        return len(self._steps)

    def step_at(self, version: int) -> int:
        """Returns the index of the replayed step that contains a version."""
        return next(i for i, step in enumerate(self._steps) if step.after.version >= version)

    def round_from(self, step: int, by: int) -> int:
        """Returns a replay's next step that begins a round (`by` 1), or its previous (-1); else the last or first."""
        begins = [i for i, one in enumerate(self._steps) if any(isinstance(e.event, RoundStarted) for e in one.entries)]
        if by > 0:
            return next((i for i in begins if i > step), len(self) - 1)
        return next((i for i in reversed(begins) if i < step), 0)

    def view(self, step: int, version: int | None = None) -> dict[str, Any]:
        """Returns the view that a replay shows after a step, or at a version within it."""
        snapshot = self._steps[step].after
        if version is not None and version < snapshot.version:
            snapshot = self._snapshot_within(self._steps[step], version)
        return game_view(snapshot, self.viewer, self._names, None, self.words)

    def events(self, step: int, version: int | None = None) -> list[dict[str, Any]]:
        """Returns the events of a replay's step, up to a version, with texts."""
        one = self._steps[step]
        upto = [entry for entry in one.entries if version is None or entry.version <= version]
        following = one.entries[len(upto) :]
        return event_list(upto, self.viewer, one.after, self._names, self.words, following, one.past)

    def cause(self, step: int) -> str | None:
        """Returns the cause of a replayed step, in notation, if the viewer may see everything; None if unknown."""
        cause = self._played.causes.get(self._steps[step].entries[0].version)
        return print_cause(cause) if cause is not None and self.viewer == ALL else None

    def _snapshot_within(self, step: _Step, version: int) -> Snapshot:
        entries = [entry for entry in step.entries if entry.version <= version]
        if step.before is not None:
            return step.before.after(entries, "")
        return first_snapshot(entries[0], b"", "").after(entries[1:], "")


def viewer_of(played: Played, wanted: str | None, words: Catalogue) -> Viewer:
    """Returns the viewer of a replay: by default one who sees everything after the end, and a watcher before.

    Raises:
        StartError: the seat does not exist, or the game has not ended.
    """
    if wanted is None:
        return ALL if played.ended else WATCHER
    if not played.ended:
        raise StartError(words.text("replay.goes_on"))
    if wanted == "all":
        return ALL
    seats = first_snapshot(played.entries[0], b"", "").table.seats
    if not (wanted.isascii() and wanted.isdecimal() and int(wanted) < seats):
        raise StartError(words.text("replay.no_seat", wanted=wanted, last=seats - 1))
    return int(wanted)


def _replay_steps(played: Played) -> list[_Step]:
    """Returns the steps to replay; without known causes, events of the same time form a step."""
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
        begun, rest = (first_snapshot(group[0], b"", ""), group[1:]) if before is None else (before, group)
        after = begun.after(rest, "")
        steps.append(_Step(group, before, after, past))
        for entry in group:
            past = past.after(entry.event)
        before = after
    return steps
