"""Serves a player's notices on all their games in one feed."""

from typing import Any

from flask import Response

from api.document.operations import Reply
from api.request.current import service, waiter
from api.request.threads import reading_without
from api.responses import SECRET, CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.routes.streaming import (
    OPENING,
    SSE_TYPE,
    begins_after,
    cursor_message,
    event_stream,
    keeps_open,
    notice_message,
)
from api.schemas.notices import NoticePage
from api.schemas.queries import NoticeQuery, NoticeStreamQuery
from api.schemas.tickets import Ticket

notices = Blueprint(
    "Notices", __name__, description="One feed of all your games: your turns, invitations, starts and ends."
)


@notices.operation(
    "GET",
    "/v1/players/me/events",
    "listNotices",
    Reply(200, NoticePage(), "The notices."),
    token="required",
    query=NoticeQuery(),
    refusals=("cursor_gone",),
    runs=reading_without("after"),
)
def events(token: str, query: dict[str, Any]) -> CompleteResponse:
    """Read your notices

    One feed for all your games: your turn, a game that starts or is over, an invitation and its outcome. A notice says
    where to look and holds no card.

    Begin without `after`: the answer has everything that is open now, your turns first by deadline, and a cursor. What
    a `limit` leaves out is not repeated later, so ask again with a higher one. Then ask with `after` set to the
    answer's `cursor`, and with `wait`: you get whatever follows, without gap or repeat. Any number of readers may do so
    at the same time. The last 1000 notices are kept for four weeks, as long as you have read them within four weeks. If
    the notices after your cursor are no longer kept, the answer is 410 `cursor_gone`: begin anew, and find games that
    are over in `/v1/players/me/games`.

    Anybody can cause invitations, their outcomes, and news of who sits down. These are therefore counted apart: the
    last 200 are kept beside the others, and older ones are left out silently. Cursors grow, but may skip numbers.
    """
    page = service().notices.page(
        token,
        after=query.get("after"),
        limit=query.get("limit"),
        wait=query.get("wait", 0),
        waiter=waiter("notices"),
    )
    return plain(page)


@notices.operation(
    "GET",
    "/v1/players/me/events/stream",
    "streamNotices",
    Reply(200, {"type": "string"}, "Server-sent events without an end.", media_type=SSE_TYPE),
    token="optional",
    query=NoticeStreamQuery(),
    headers=("LastNoticeID",),
    refusals=("cursor_gone",),
    runs=reading_without("after"),
)
def stream(token: str | None, query: dict[str, Any]) -> Response:
    """Get your notices live

    Server-sent events: `id` is the cursor, `event` the type, `data` the notice as in the list. Without `after` and
    without `Last-Event-ID`, which browsers send when they reconnect, the stream begins with everything that is open
    now. Comments keep the connection open, or with `alive=true` events of that name. If the stream ends or breaks,
    reconnect where it was. After 410 `cursor_gone` begin anew, without either.

    The `EventSource` of browsers cannot send a token: get a ticket and add it as `?ticket=`. Streams need HTTP/1.1.
    """
    _, after = begins_after(query, "detail.last_cursor")
    start = service().notices.begin(token, after=after, ticket=query.get("ticket"))
    first = OPENING + b"".join(map(notice_message, start.notices)) + cursor_message(start.version)
    keeps_open(start, lambda feeds, stream: feeds.notices.join(start.caller, stream), notice_message, query)
    service().tickets.use_up(start.ticket)
    return event_stream(first)


@notices.operation(
    "POST",
    "/v1/players/me/tickets",
    "createNoticeTicket",
    Reply(201, Ticket(), "The ticket, shown this once."),
    token="required",
    bucket="reading",
)
def ticket(token: str) -> CompleteResponse:
    """Get a ticket for your notices

    The ticket is good for 60 seconds and for one stream of your notices. Use it where you cannot send a token.
    """
    return plain(service().tickets.issue_own(token), 201, SECRET)
