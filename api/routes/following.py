"""Serves what follows a game: frames as pages, streams of events and of frames, and tickets for browsers."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Response, request

from api.document.operations import Reply
from api.request.arguments import Body
from api.request.current import service, waiter, words
from api.request.threads import reading_without
from api.responses import SECRET, CompleteResponse, encoded, plain
from api.routes.blueprint import Blueprint
from api.routes.streaming import (
    OPENING,
    SSE_TYPE,
    begins_after,
    event_message,
    event_stream,
    frame_message,
    keeps_open,
    reaction_message,
    view_message,
)
from api.schemas.events import FramePage
from api.schemas.queries import FrameQuery, FrameStreamQuery, StreamQuery
from api.schemas.tickets import Ticket, TicketClaim
from games.texts.catalogue import Catalogue, catalogue
from service.live.feed import Item
from service.live.reactions import NAME as REACTION
from service.store.log.stored_answers import Answer

following = Blueprint("Following", __name__, description="Follow a game live.")


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
def stream_events(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Follow a game live

    Server-sent events. The first, `game`, has your view of the game as its data. Each event of the game follows as it
    happens: `id` is its version, `event` its type, `data` the event as in the list of events. With `Last-Event-ID`,
    which browsers send when they reconnect, or else with `after`, you get no view but every event after that version,
    without gap or repeat. Comments keep the connection open, or with `alive=true` events of that name.

    The stream ends with the game, whose last event is `secret_revealed`. If it ends or breaks before, reconnect where
    it was: it also ends when you take or leave a seat, or are no longer invited. For an unlisted game you then need the
    `join_code`, unless you have another right to see it: 403 `join_code_wrong`.

    With `reactions=true` you are told how the players react, as events `reaction` without an id, whose data are `seat`
    and `reaction`. The stream then stays open for ten minutes after the end of the game.

    The creator of a sandbox can follow everything with `as=all`, or what one seat sees with `as=0`.

    The `EventSource` of browsers cannot send a token: get a ticket and add it as `?ticket=`. Streams need HTTP/1.1. The
    service closes the stream of a reader that takes nothing for a while. If too many streams are open, the answer is
    429.
    """
    return game_stream(game_id, token, query, words(), frames=False)


@following.operation(
    "POST",
    "/v1/games/<id:game_id>/tickets",
    "createTicket",
    Reply(201, Ticket(), "The ticket, shown this once."),
    token="required",
    body=Body(TicketClaim(), {"at_the_table": {}, "with_a_code": {"join_code": "K7QX2M4P"}}, required=False),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished"),
    bucket="reading",
)
def ticket(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Get a ticket for a stream

    The ticket is good for 60 seconds and for one stream of this game, which shows what you may see then. Use it where
    you cannot send a token, so that no token is ever in a URL. If the answer gets lost, get another: an unused ticket
    expires. A refused stream does not use it up.
    """
    return plain(service().tickets.issue(token, game_id, body.get("join_code")), 201, SECRET)


def game_stream(game_id: str, token: str | None, query: dict[str, Any], texts: Catalogue, *, frames: bool) -> Response:
    """Returns the beginning of a stream of a game's events or frames."""
    named, after = begins_after(query)
    start = service().game_streams.begin(
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
        reactions=query.get("reactions", False),
    )
    if start.complete and start.view is None:
        service().tickets.use_up(start.ticket)
        return Response(b"", 204, [("Cache-Control", SECRET)])
    opens, goes_on = (frame_message, frame_message) if frames else (view_message, event_message)
    first = OPENING + (opens(start.view) if start.view is not None else b"")
    told = partial(_beside, goes_on) if start.reactions else goes_on
    continues = keeps_open(start, lambda feeds, stream: feeds.games.join(start, stream), told, query)
    service().tickets.use_up(start.ticket)  # the last thing that may refuse: a refusal leaves the ticket as it was
    if not continues and request.method == "GET":
        # The stream sends what is there and ends. The client then reconnects.
        first += b"".join(map(goes_on, service().game_streams.rest(start)))
    response = event_stream(first)
    response.headers["Content-Language"] = texts.language
    return response


def _beside(message: Callable[[Item], bytes], item: Item) -> bytes:
    """Returns an item of a stream that tells reactions, too; `message` encodes the others."""
    return reaction_message(item) if item.get("type") == REACTION else message(item)


frames = Blueprint("Frames", __name__, description="Draw a game step by step, live and afterwards.")


@frames.operation(
    "GET",
    "/v1/games/<id:game_id>/frames",
    "listFrames",
    Reply(200, FramePage(), "The frames.", ("ContentLanguage",)),
    token="optional",
    query=FrameQuery(),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
    runs=reading_without("wait"),
)
def list_frames(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Follow the game by frames

    A frame has the events of one step and the game after it, as the answer to an action has. These are the frames of
    the steps after a version. Each is the same to the byte as in the stream of frames and, with the same `text` and
    language, as the answer to the player who acted. With `wait` you get the answer as soon as there is a step, at the
    latest after so many seconds. The wait may be cut short: ask again with `after` set to the answer's `version`. With
    `until=turn` the wait lasts until you must act, or must reveal a nonce, or the game has ended; who has no seat waits
    for the end. Each frame has the `tag` of its view: send it as `If-Match`, and your action is refused if the game has
    moved on.

    Once a game has ended this is its replay: as any seat saw it (`as=0`) or whole (`as=all`). All frames show what you
    may see of the game now. `next_game` is null, as it was then.
    """
    answer: Answer = service().frames.page(
        token,
        game_id,
        after=query.get("after", 0),
        as_=query.get("as_", query.get("seat")),
        limit=query.get("limit"),
        wait=query.get("wait", 0),
        until_turn="until" in query,
        waiter=waiter("games"),
        join_code=query.get("join_code"),
        words=_words(query),
        texts=query.get("text", False),
    )
    return encoded(answer)


@frames.operation(
    "GET",
    "/v1/games/<id:game_id>/frames/stream",
    "streamFrames",
    Reply(200, {"type": "string"}, "Server-sent events until the game ends.", ("ContentLanguage",), SSE_TYPE),
    Reply(204, None, "The game has ended and nothing follows that version: `EventSource` does not come back."),
    token="optional",
    query=FrameStreamQuery(),
    headers=("LastEventID",),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
)
def stream_frames(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Follow a game live by frames

    Server-sent events without a name, so `onmessage` gets them: `id` is the version after the step, `data` a frame, as
    in the list of frames. The first frame is the game as it is, without events. Each step follows as it happens. With
    `Last-Event-ID`, which browsers send when they reconnect, or else with `after`, you get instead a frame for each
    step in between, once and in order.

    Otherwise it is like the stream of events, with the same tickets, limits, comments and end. It ends before the step
    with which you take or leave a seat, or lose an invitation. Reconnect where it was, and you get that step as you may
    see it then.
    """
    return game_stream(game_id, token, query, _words(query), frames=True)


def _words(query: dict[str, Any]) -> Catalogue:
    """Returns the texts in the language that the call asks for."""
    return catalogue(query["lang"]) if "lang" in query else words()
