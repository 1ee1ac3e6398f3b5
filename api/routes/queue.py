"""Lets players wait for opponents: asks for a queue ticket, shows it, cancels it."""

from typing import Any

from flask import request

from api.document.operations import Reply
from api.request.arguments import Body, idempotency_key
from api.request.current import address, service, waiter
from api.responses import CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.games import QueueTicket
from api.schemas.queries import QueueQuery
from api.schemas.setup import QueueSetup

queue = Blueprint("Queue", __name__, description="Find opponents: wait with a queue ticket until you are matched.")

WISHES = {
    "two_or_four": {
        "edition": "standard",
        "seats": [2, 4],
        "clock": {"seconds": 60, "on_timeout": "bot_plays"},
        "bots": "fill",
    },
    "a_duel_by_correspondence": {"edition": "premium", "seats": [2], "clock": {"seconds": 259_200}},
}


@queue.operation(
    "POST",
    "/v1/queue",
    "joinQueue",
    Reply(201, QueueTicket(), "Your ticket.", ("Location", "IdempotentReplayed")),
    token="required",
    body=Body(QueueSetup(), WISHES),
    headers=("TicketIdempotencyKey",),
    bucket="creating",
)
def ask(token: str, body: dict[str, Any]) -> CompleteResponse:
    """Wait for opponents

    Say which game you want; you get a queue ticket. Players who want the same game are matched: same edition, clock,
    options and `rated`, and a number of seats that suits all. Their game opens by itself and starts at once. It is
    public. You are matched with players near you in rating first, with others the longer you wait, and with people you
    have met in the last hour later than with others. Nobody is matched with a player they have
    blocked.

    People are matched with programs only if they wish it, with `"programs": true`. A rated game counts for people if
    two of them play, and otherwise for programs, if two of them do.

    With `"bots": "fill"`, bots take the seats that are left after 20 seconds, if everybody at the table agrees to that.

    You have one ticket at a time. The same wishes again give you the same ticket; other wishes cancel it. Ask for it
    with `wait` until its `state` is no longer `waiting`: you are only matched while you do, or while your stream of
    notices is open, where you get a notice `matched`. The stream does not count while you play another game without a
    clock, or with one of minutes. A ticket that nobody asks for expires after ten minutes. The game begins whether or
    not you look: cancel the ticket if you no longer want to play.
    """
    asked = service().queue.ask(token, body, idempotency_key(request), address=address())
    more = [("Location", f"/v1/queue/{asked.ticket['id']}")]
    more += [("Idempotent-Replayed", "true")] if asked.replayed else []
    return plain(asked.ticket, 201, more=more)


@queue.operation(
    "GET",
    "/v1/queue/<id:ticket_id>",
    "getQueueTicket",
    Reply(200, QueueTicket(), "The ticket."),
    token="required",
    query=QueueQuery(),
    refusals=("not_found",),
)
def ticket(ticket_id: str, token: str, query: dict[str, Any]) -> CompleteResponse:
    """Look at your queue ticket

    Once you are matched, `game` names your game. Asking keeps the ticket waiting. Others cannot see it. A ticket is
    kept for an hour after it no longer waits.
    """
    return plain(service().queue.read(token, ticket_id, query.get("wait", 0), waiter("queue_tickets")))


@queue.operation(
    "DELETE",
    "/v1/queue/<id:ticket_id>",
    "leaveQueue",
    Reply(200, QueueTicket(), "The ticket as it is now."),
    token="required",
    refusals=("not_found",),
)
def cancel(ticket_id: str, token: str) -> CompleteResponse:
    """Wait no more

    Cancels the ticket. Look at the `state` in the answer: if it is `matched`, you were too late, and have a game. If
    it is still `waiting`, that game is just being opened: ask again.
    """
    return plain(service().queue.cancel(token, ticket_id))
