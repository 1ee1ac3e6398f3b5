"""Encodes events for each way of following a game: server-sent events and JSON lines."""

from collections.abc import Iterable
from typing import Any, Final

import orjson

SSE_TYPE: Final = "text/event-stream"
NDJSON_TYPE: Final = "application/x-ndjson"

GAME: Final = "game"
"""The name of the first event of a stream, which carries the view."""
OPENING: Final = b"retry: 1000\n\n"
"""The start of a stream: how many milliseconds to wait before reconnecting."""
COMMENT: Final = b":\n\n"


def event_frame(event: dict[str, Any]) -> bytes:
    """Returns an event as one server-sent event."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (event["version"], event["type"].encode(), orjson.dumps(event))


def view_frame(view: dict[str, Any]) -> bytes:
    """Returns a view as one server-sent event."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (view["version"], GAME.encode(), orjson.dumps(view))


def notice_frame(notice: dict[str, Any]) -> bytes:
    """Returns a notice as one server-sent event; a notice on something already open has no cursor."""
    told = b"event: %b\ndata: %b\n\n" % (notice["type"].encode(), orjson.dumps(notice))
    return told if notice["cursor"] is None else b"id: %d\n%b" % (notice["cursor"], told)


def cursor_frame(cursor: int) -> bytes:
    """Returns a frame that sets the cursor to resume after, without an event."""
    return b"id: %d\n\n" % cursor


def lines(events: Iterable[dict[str, Any]]) -> bytes:
    """Returns events as JSON, one to a line."""
    return b"".join(orjson.dumps(event) + b"\n" for event in events)
