"""Renders events for a caller: redacted, and with texts if requested."""

from collections.abc import Sequence
from typing import Any, Final

from engine import views
from engine.editions import rulebook
from engine.events import OfferWithdrawn, SeatCleared, SeatDeclined, SeatOffered, SeatTaken
from engine.logs import codec
from engine.views import Viewer
from games.player import Naming
from games.snapshot import Entry, Snapshot
from games.steps import Step
from games.texts.catalogue import Catalogue
from games.texts.sentences.events import event_texts
from games.texts.sentences.past import BEGINNING, Past
from games.views.seated import display_name, names_of, reader_of
from games.views.view import game_view, tag_of

NAMING: Final = (SeatTaken, SeatCleared, SeatOffered, SeatDeclined, OfferWithdrawn)
"""The events about a player who may have no seat, or no longer have one."""


def event_list(
    entries: Sequence[Entry],
    viewer: Viewer,
    snapshot: Snapshot,
    players: Naming,
    words: Catalogue | None = None,
    following: Sequence[Entry] = (),
    past: Past = BEGINNING,
) -> list[dict[str, Any]]:
    """Returns events for readers, as a viewer may see them, with a text each if there are `words` for it.

    `following` are the next entries of the log, a few or as many as there are: some texts say how something ended.
    `past` is the result of the log before them, for the texts that depend on it.
    """
    seen = views.redact_log([entry.event for entry in entries], viewer)
    texts: Sequence[str | None] = [None] * len(seen)
    if words is not None:
        table = snapshot.table
        book = rulebook(table.edition, table.seats, table.options)
        # What follows is redacted too: a text is never made of more than its reader may see.
        after = views.redact_log([entry.event for entry in following], viewer)
        named = players.named([event.player for event in seen if isinstance(event, NAMING)])
        people = {player.id: display_name(player, words) for player in named.values()}
        names, reader = names_of(snapshot, players, words), reader_of(viewer)
        texts = event_texts(words, seen, names, book, after, past, people, reader)
    return [
        {"version": entry.version, "type": event.type, "at": entry.at, "data": codec.event_data(event), "text": text}
        for entry, event, text in zip(entries, seen, texts, strict=True)
    ]


def frame(
    step: Step, viewer: Viewer, players: Naming, caller: str | None, words: Catalogue, *, texts: bool
) -> dict[str, Any]:
    """Returns the frame of a step; `caller` is the player who asks, and with `texts` each event has its text."""
    events = events_of(step, viewer, players, words if texts else None)
    # A frame is the same whenever it is made, so hints that were asked for after its step are not in it.
    return frame_of(step.after.as_appended(), events, viewer, players, caller, words)


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
