"""Events as a caller gets to read them: redacted, and in words if asked for; which events is for others to say."""

from collections.abc import Sequence
from typing import Any

from engine import codec, views
from engine.editions import rulebook
from engine.views import Viewer
from service.game_view import names_of
from service.players import Players
from service.snapshot import Entry, Snapshot
from service.texts.catalogue import Catalogue
from service.texts.events import event_texts


def event_list(
    entries: Sequence[Entry],
    viewer: Viewer,
    snapshot: Snapshot,
    players: Players,
    words: Catalogue | None = None,
    following: Sequence[Entry] = (),
    bound: int | None = None,
) -> list[dict[str, Any]]:
    """Returns events as a viewer may see them, with a text each if there are `words` for it.

    `following` are the next entries of the log, a few or as many as there are: some texts say how something ended.
    `bound` is the seat that the first card played had to choose, for the text that says so.
    """
    seen = [views.redact(entry.event, viewer) for entry in entries]
    texts: Sequence[str | None] = [None] * len(seen)
    if words is not None:
        table = snapshot.table
        book = rulebook(table.edition, table.seats, table.options)
        # What follows is redacted too: a text is never made of more than its reader may see.
        after = [views.redact(entry.event, viewer) for entry in following]
        texts = event_texts(words, seen, names_of(snapshot, players), book, after, bound)
    return [
        {"version": entry.version, "type": event.type, "at": entry.at, "data": codec.event_data(event), "text": text}
        for entry, event, text in zip(entries, seen, texts, strict=True)
    ]
