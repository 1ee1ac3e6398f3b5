"""Serves a player's notices on all their games in one feed."""

from typing import Any

from flask import Response, request

from api.answers import SECRET, plain
from api.document.operations import Blueprint, Reply
from api.front.link import LINK
from api.front.messages import OPENING, SSE_TYPE, cursor_message, notice_message
from api.request.current import service
from api.routes.following import continued, event_stream, last_event_id, refuse_http_1_0
from api.schemas.following import Ticket
from api.schemas.notices import NoticePage
from api.schemas.queries import NoticeQuery, NoticeStreamQuery

notices = Blueprint("Notices", __name__, description="One feed of what a player has to see to, of all their games.")


@notices.operation(
    "GET",
    "/v1/players/me/events",
    "listNotices",
    Reply(200, NoticePage(), "The notices."),
    token="required",
    query=NoticeQuery(),
    refusals=("cursor_gone",),
)
def events(token: str, query: dict[str, Any]) -> Response:
    """Read what I am told

    One feed for all of my games: my turn, a game that starts or is over, an invitation and what becomes of one. A
    notice says where to look and holds no card.

    Begin without `after`: the answer is everything that is open now, and the cursor to go on from. It begins with the
    turns, by their deadlines; what a `limit` leaves out is not told later, so ask again with a higher one. Then ask
    with `after` set to the answer's `cursor`, and with `wait`, to be told of whatever comes, without gap or repeat; any
    number may read at the same time. The last 1000 notices are kept, for four weeks and for whoever has asked within
    four weeks. If what came after a cursor is not kept any more, the answer is 410 `cursor_gone`: begin anew. What is
    over by then is in `/v1/players/me/games`.

    Invitations, what becomes of them and who sits down count apart, for anybody can cause them: the last 200 are kept
    beside the others, and older ones are passed over without a word. Cursors grow, but may leave numbers out.
    """
    link = request.environ.get(LINK)
    page = service().board.page(
        token,
        after=query.get("after"),
        limit=query.get("limit"),
        wait=query.get("wait", 0),
        waiter=link.wait_for_notice if link is not None else None,
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
)
def stream(token: str | None, query: dict[str, Any]) -> Response:
    """Be told live

    Server-sent events: `id` is the cursor, `event` the type, `data` the notice as in the list. Without `after` and
    `Last-Event-ID`, which browsers send by themselves when they come back, it begins with everything that is open now.
    A comment is sent now and then to keep the connection. A stream that ends or breaks is taken up again where it was;
    410 `cursor_gone` says to begin anew, without either.

    Browsers' `EventSource` cannot send a token: ask for a ticket and add it as `?ticket=`. Streams need HTTP/1.1.
    """
    refuse_http_1_0(request)
    last = last_event_id(request, "detail.last_cursor")
    start = service().board.begin(token, after=query.get("after") if last is None else last, ticket=query.get("ticket"))
    first = OPENING + b"".join(map(notice_message, start.notices)) + cursor_message(start.version)
    continued(start)
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
def ticket(token: str) -> Response:
    """Get a ticket for what I am told

    It is good for 60 seconds and for one stream of my notices, in the place of the token where none can be sent.
    """
    return plain(service().tickets.issue_own(token), 201, SECRET)
