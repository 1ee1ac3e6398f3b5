"""Serves the results of all public games in one feed."""

from typing import Any

from flask import Response

from api.document.operations import Reply
from api.request.current import service, waiter
from api.request.threads import READING, reading_without
from api.responses import CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.routes.streaming import (
    OPENING,
    SSE_TYPE,
    begins_after,
    cursor_message,
    event_stream,
    keeps_open,
    result_message,
)
from api.schemas.queries import ResultQuery, ResultStreamQuery
from api.schemas.results.feed import ResultPage
from service.live.results import EVERYBODY

results = Blueprint("Results", __name__, description="Results: every public game that has ended, in order.")


@results.operation(
    "GET",
    "/v1/results",
    "listResults",
    Reply(200, ResultPage(), "The results."),
    token="optional",
    query=ResultQuery(),
    runs=reading_without("wait"),
)
def page(token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Read the results

    Every public game that was played to its end, in the order in which the results were recorded: that is a moment
    after the end. Each has one result. Sandbox games and games that were called off have none.

    Begin without `after` for all results, and go on with `after` set to the answer's `cursor`, and with `wait`: you get
    whatever follows, without gap or repeat. A cursor stays valid for good. Only if an operator restores the service
    from a backup do you get results again: tell them by the id of the game.
    """
    return plain(
        service().results.page(
            token,
            after=query.get("after", 0),
            limit=query.get("limit"),
            wait=query.get("wait", 0),
            waiter=waiter("results"),
        )
    )


@results.operation(
    "GET",
    "/v1/results/stream",
    "streamResults",
    Reply(200, {"type": "string"}, "Server-sent events without an end.", media_type=SSE_TYPE),
    token="optional",
    query=ResultStreamQuery(),
    headers=("LastResultID",),
    runs=READING,
)
def stream(token: str | None, query: dict[str, Any]) -> Response:
    """Follow the results live

    Server-sent events without a name: `data` is a result as in the list, `id` its cursor. Resume with `Last-Event-ID`,
    which browsers send when they reconnect, or with `after`: you get each result after it once and in order, however
    many there are. Without either, the stream begins with an `id` alone: the cursor of the last result so far. Streams
    need HTTP/1.1.
    """
    _, after = begins_after(query, "detail.last_cursor")
    start = service().results.begin(token, after)
    first = OPENING + b"".join(map(result_message, start.results)) + cursor_message(start.version)
    keeps_open(start, lambda feeds, stream: feeds.results.join(EVERYBODY, stream), result_message, query)
    return event_stream(first)
