"""Encodes what is sent to followers: messages of server-sent events."""

from typing import Any, Final

import orjson

SSE_TYPE: Final = "text/event-stream"

GAME: Final = "game"
"""The name of the first event of a stream, which carries the view."""
OPENING: Final = b"retry: 1000\n\n"
"""The start of a stream: how many milliseconds to wait before reconnecting."""
COMMENT: Final = b":\n\n"
"""What an idle stream sends. `EventSource` shows nothing of it."""
ALIVE: Final = b"event: alive\ndata: {}\n\n"
"""The same, for those who have asked to see it; without an id, so that the last one stays."""


def event_message(event: dict[str, Any]) -> bytes:
    """Returns an event as streams send it: one server-sent event."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (event["version"], event["type"].encode(), orjson.dumps(event))


def view_message(view: dict[str, Any]) -> bytes:
    """Returns a view as streams send it: one server-sent event."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (view["version"], GAME.encode(), orjson.dumps(view))


def frame_message(frame: dict[str, Any]) -> bytes:
    """Returns a frame as streams send it: one server-sent event without a name."""
    return b"id: %d\ndata: %b\n\n" % (frame["version"], orjson.dumps(frame))


def notice_message(notice: dict[str, Any]) -> bytes:
    """Returns a notice as streams send it; one on something already open has no cursor."""
    text = b"event: %b\ndata: %b\n\n" % (notice["type"].encode(), orjson.dumps(notice))
    return text if notice["cursor"] is None else b"id: %d\n%b" % (notice["cursor"], text)


def change_message(change: dict[str, Any]) -> bytes:
    """Returns a change of the lobby as streams send it; what was there already has no cursor."""
    text = b"data: %b\n\n" % orjson.dumps({"type": change["type"], "game": change["game"]})
    return text if change["cursor"] is None else b"id: %d\n%b" % (change["cursor"], text)


def cursor_message(cursor: int) -> bytes:
    """Returns a stream's message that sets the cursor to resume after, without an event."""
    return b"id: %d\n\n" % cursor
