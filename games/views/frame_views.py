"""Renders frames: the events of one step and the game after it, as one viewer may see them.

The answer to an action, the items of the list of frames and those of streams are made here, so they are the same.
"""

from collections.abc import Sequence
from typing import Any

from engine.views import Viewer
from games.player import Naming
from games.snapshot import Snapshot
from games.steps import Step
from games.texts.catalogue import Catalogue
from games.texts.sentences.past import BEGINNING, Past
from games.views.events import event_list
from games.views.view import game_view, tag_of


def frame(
    step: Step, viewer: Viewer, players: Naming, caller: str | None, words: Catalogue, *, texts: bool
) -> dict[str, Any]:
    """Returns the frame of a step; `caller` is the player who asks, and with `texts` each event has its text."""
    events = events_of(step, viewer, players, words if texts else None)
    return frame_of(step.after, events, viewer, players, caller, words)


def events_of(step: Step, viewer: Viewer, players: Naming, words: Catalogue | None) -> list[dict[str, Any]]:
    """Returns the events of a step, with a text each if there are `words` for it."""
    past = _past(step) if words is not None else BEGINNING
    return event_list(step.entries, viewer, step.after, players, words, past=past)


def frame_of(
    snapshot: Snapshot,
    events: Sequence[dict[str, Any]],
    viewer: Viewer,
    players: Naming,
    caller: str | None,
    words: Catalogue,
) -> dict[str, Any]:
    """Returns the frame that shows a game after events, with the tag of its view in the quotes in which it is sent."""
    return {
        "version": snapshot.version,
        "tag": f'"{tag_of(snapshot, viewer, caller, words.language)}"',
        "events": events,
        "game": game_view(snapshot, viewer, players, caller, words),
    }


def _past(step: Step) -> Past:
    """Returns what the texts of a frame need from the events before it."""
    if step.before is None:
        return BEGINNING
    state = step.before.state
    return Past(state.bound, frozenset(seat for seat in range(len(state.seats)) if state.is_away(seat)))
