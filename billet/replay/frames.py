"""The frames of a game: its steps as a viewer sees them, with the events in words."""

from typing import Any

from billet.errors import StartError
from billet.replay.source import NumberedNames, Played
from engine.views import ALL, Viewer
from games.snapshot import first_snapshot
from games.steps import steps_of
from games.texts.catalogue import Catalogue
from games.views.events import frame


def frames_of(played: Played, viewer: Viewer, words: Catalogue) -> list[dict[str, Any]]:
    """Returns the frames of a replay, one for each step."""
    names = NumberedNames(words)
    names.named([getattr(entry.event, "player", None) for entry in played.entries])  # by appearance, not by seat
    begun = first_snapshot(played.entries[0], b"", "")
    return [frame(step, viewer, names, None, words, texts=True) for step in steps_of(played.entries, None, begun)]


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
