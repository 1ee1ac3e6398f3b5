"""The steps of a game as a viewer sees them: the view after each, and its events in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from billet.errors import StartError
from billet.replay.source import NumberedNames, Played
from engine.views import ALL, Viewer
from games.snapshot import Entry, Snapshot, first_snapshot
from games.texts.catalogue import Catalogue
from games.texts.sentences.past import BEGINNING, Past
from games.views.events import event_list
from games.views.view import game_view


@dataclass(frozen=True, slots=True)
class _Step:
    entries: Sequence[Entry]
    after: Snapshot
    past: Past


class ReplayCourse:
    """The steps of a game, for one viewer."""

    def __init__(self, played: Played, viewer: Viewer, words: Catalogue) -> None:
        self.words = words
        self._viewer = viewer
        self._names = NumberedNames(words)
        self._names.named([getattr(entry.event, "player", None) for entry in played.entries])
        self._steps = _replay_steps(played)

    @property
    def edition(self) -> str:
        """The edition of the replayed game."""
        return self._steps[0].after.table.edition

    def __len__(self) -> int:
        return len(self._steps)

    def view(self, step: int) -> dict[str, Any]:
        """Returns the view that a replay shows after a step."""
        return game_view(self._steps[step].after, self._viewer, self._names, None, self.words)

    def events(self, step: int) -> list[dict[str, Any]]:
        """Returns the events of a replay's step, with texts."""
        one = self._steps[step]
        return event_list(one.entries, self._viewer, one.after, self._names, self.words, (), one.past)


def viewer_of(played: Played, seat: str | None, words: Catalogue) -> Viewer:
    """Returns the viewer of a replay: a seat, or one who sees everything.

    Raises:
        StartError: the seat does not exist.
    """
    if seat is None:
        return ALL
    seats = first_snapshot(played.entries[0], b"", "").table.seats
    if not (seat.isascii() and seat.isdecimal() and int(seat) < seats):
        raise StartError(words.text("replay.no_seat", wanted=seat, last=seats - 1))
    return int(seat)


def _replay_steps(played: Played) -> list[_Step]:
    groups: list[list[Entry]] = []
    for entry in played.entries:
        if entry.first or not groups:
            groups.append([])
        groups[-1].append(entry)
    steps: list[_Step] = []
    before: Snapshot | None = None
    past = BEGINNING
    for group in groups:
        begun, rest = (first_snapshot(group[0], b"", ""), group[1:]) if before is None else (before, group)
        after = begun.after(rest, "")
        steps.append(_Step(group, after, past))
        for entry in group:
            past = past.after(entry.event)
        before = after
    return steps
