"""What routes that answer with a stream of server-sent events share: its messages, where it begins, how it goes on."""

import re
from collections.abc import Callable
from typing import Any, Final

import orjson
from flask import Response, request

from api.link import LINK, Join, StreamPlan, StreamStart
from api.request.arguments import last_event_id
from api.responses import SECRET, PlainResponse
from games.errors import Fault, Refused
from games.messages import Message
from service.live.feed import Item

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


def reaction_message(reaction: dict[str, Any]) -> bytes:
    """Returns a reaction as a message without an id: the last one stays, from which a stream is resumed."""
    return _message(reaction, None, reaction["type"])


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


_VERSION: Final = re.compile("[0-9]{1,16}", re.ASCII)


def keeps_open(start: StreamStart, join: Join, message: Callable[[Item], bytes], query: dict[str, Any]) -> bool:
    """Asks for everything that follows to be sent after the response; returns whether it will be.

    `join` has the feed send, and `message` encodes one item.

    Raises:
        Refused: `rate_limited`, too many streams are open.
    """
    link = request.environ.get(LINK)
    if link is None or request.method != "GET":
        return False
    link.keep_open(StreamPlan(start, join, message, ALIVE if query.get("alive", False) else COMMENT))
    return True


class StreamResponse(PlainResponse):
    """The beginning of a stream, whose length nobody knows: werkzeug would send that of the beginning."""

    automatically_set_content_length = False


def event_stream(first: bytes) -> Response:
    """Returns the beginning of a stream; `first` is sent at once."""
    response = StreamResponse(first, 200, content_type=SSE_TYPE)
    response.headers["Cache-Control"] = SECRET
    response.headers["X-Accel-Buffering"] = "no"  # or a proxy would keep events until it has many
    return response


def begins_after(query: dict[str, Any], wanted: str = "detail.last_event_id") -> tuple[str, int | None]:
    """Returns where a stream is to go on, and the name under which the caller says it.

    That is `Last-Event-ID`, or what a polyfill sends in its place, or else `after`; None to begin anew. `wanted` is the
    text that says what it must be.

    Raises:
        Refused: `invalid_request`, no stream can be sent by HTTP/1.0, or the last id is no number.
    """
    if request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0":
        raise Refused("invalid_request", Message("detail.stream_needs_http_1_1"), faults=[])
    named, text = last_event_id(request)
    if not text:
        return "after", query.get("after")
    if _VERSION.fullmatch(text) is None:
        raise Refused("invalid_request", Message(wanted), faults=[Fault(named, Message("fault.no_decimal_digits"))])
    return named, int(text)
