"""Follows a game without polling: server-sent events, and tickets for browsers."""

import re
from collections.abc import Callable
from typing import Any, Final

from flask import Response, request

from api.document.operations import Reply
from api.link import LINK, Join, StreamPlan, StreamStart
from api.messages import (
    ALIVE,
    COMMENT,
    OPENING,
    SSE_TYPE,
    event_message,
    frame_message,
    view_message,
)
from api.request.arguments import Body
from api.request.current import service
from api.request.languages import words
from api.request.polyfills import last_event_id
from api.responses import SECRET, CompleteResponse, PlainResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.following import Ticket, TicketClaim
from api.schemas.queries import StreamQuery
from games.errors import Fault, Refused
from games.messages import Message
from games.texts.catalogue import Catalogue
from service.live.feed import Item

following = Blueprint("Following", __name__, description="Follow a game live.")

_VERSION: Final = re.compile("[0-9]{1,16}", re.ASCII)


@following.operation(
    "GET",
    "/v1/games/<id:game_id>/events/stream",
    "streamEvents",
    Reply(200, {"type": "string"}, "Server-sent events until the game ends.", ("ContentLanguage",), SSE_TYPE),
    Reply(204, None, "The game has ended and nothing follows that version: `EventSource` does not come back."),
    token="optional",
    query=StreamQuery(),
    headers=("LastEventID",),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
)
def stream(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Follow a game live

    Server-sent events. The first, `game`, has your view of the game as its data. Each event of the game follows as it
    happens: `id` is its version, `event` its type, `data` the event as in the list of events. With `Last-Event-ID`,
    which browsers send when they reconnect, or else with `after`, you get no view but every event after that version,
    without gap or repeat. Comments keep the connection open, or with `alive=true` events of that name.

    The stream ends with the game, whose last event is `secret_revealed`. If it ends or breaks before, reconnect where
    it was: it also ends when you take or leave a seat, or are no longer invited. For an unlisted game you then need the
    `join_code`, unless you have another right to see it: 403 `join_code_wrong`.

    The creator of a sandbox can follow everything with `as=all`, or what one seat sees with `as=0`.

    The `EventSource` of browsers cannot send a token: get a ticket and add it as `?ticket=`. Streams need HTTP/1.1. The
    service closes the stream of a reader that takes nothing for a while. If too many streams are open, the answer is
    429.
    """
    return followed(game_id, token, query, words(), frames=False)


@following.operation(
    "POST",
    "/v1/games/<id:game_id>/tickets",
    "createTicket",
    Reply(201, Ticket(), "The ticket, shown this once."),
    token="required",
    body=Body(TicketClaim(), {"at_the_table": {}, "with_a_code": {"join_code": "K7QX2M4P"}}, required=False),
    refusals=("join_code_wrong", "removed", "not_found"),
    bucket="reading",
)
def ticket(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Get a ticket for a stream

    The ticket is good for 60 seconds and for one stream of this game, which shows what you may see then. Use it where
    you cannot send a token, so that no token is ever in a URL. If the answer gets lost, get another: an unused ticket
    expires. A refused stream does not use it up.
    """
    return plain(service().tickets.issue(token, game_id, body.get("join_code")), 201, SECRET)


def followed(game_id: str, token: str | None, query: dict[str, Any], texts: Catalogue, *, frames: bool) -> Response:
    """Returns the beginning of a stream of a game's events or frames."""
    named, after = begins_after(query)
    begun = service().follow.begin(
        token,
        game_id,
        after=after,
        named=named,
        as_=query.get("as_", query.get("seat")),
        join_code=query.get("join_code"),
        ticket=query.get("ticket"),
        words=texts,
        texts=query.get("text", False),
        frames=frames,
    )
    if begun.complete and begun.view is None:
        service().tickets.use_up(begun.ticket)
        return Response(b"", 204, [("Cache-Control", SECRET)])
    opens, goes_on = (frame_message, frame_message) if frames else (view_message, event_message)
    first = OPENING + (opens(begun.view) if begun.view is not None else b"")
    continues = keeps_open(begun, lambda feeds, stream: feeds.games.join(begun, stream), goes_on, query)
    service().tickets.use_up(begun.ticket)  # the last thing that may refuse: a refusal leaves the ticket as it was
    if not continues and request.method == "GET":
        # Send what there is now; the caller reconnects for more.
        first += b"".join(map(goes_on, service().follow.rest(begun)))
    response = event_stream(first)
    response.headers["Content-Language"] = texts.language
    return response


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
