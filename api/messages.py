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
    """Returns an event as a message with its type as name."""
    return _message(event, event["version"], event["type"])


def view_message(view: dict[str, Any]) -> bytes:
    """Returns a view as the first message of a stream of events."""
    return _message(view, view["version"], GAME)


def frame_message(frame: dict[str, Any]) -> bytes:
    """Returns a frame as a message without a name."""
    return _message(frame, frame["version"])


def notice_message(notice: dict[str, Any]) -> bytes:
    """Returns a notice as a message; one on something already open has no cursor."""
    return _message(notice, notice["cursor"], notice["type"])


def change_message(change: dict[str, Any]) -> bytes:
    """Returns a change of the lobby as a message; what was there already has no cursor."""
    return _message({"type": change["type"], "game": change["game"]}, change["cursor"])


def result_message(result: dict[str, Any]) -> bytes:
    """Returns the result of a game as a message without a name."""
    return _message(result, result["cursor"])


def cursor_message(cursor: int) -> bytes:
    """Returns a message that sets the cursor to resume after, without an event."""
    return b"id: %d\n\n" % cursor


def _message(data: dict[str, Any], number: int | None, name: str | None = None) -> bytes:
    """Returns a server-sent event."""
    head = b"" if number is None else b"id: %d\n" % number
    named = b"" if name is None else b"event: %b\n" % name.encode()
    return b"%b%bdata: %b\n\n" % (head, named, orjson.dumps(data))
