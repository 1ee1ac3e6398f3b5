"""Makes, shows and steers matches of programs and bots."""

from typing import Any

from flask import Response, request

from api.document.operations import Reply
from api.request.arguments import Body, idempotency_key
from api.request.current import service
from api.request.threads import READING
from api.responses import REVALIDATE, CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.queries import MatchQuery, PageQuery
from api.schemas.results.matches import Match, MatchChange, MatchPage, MatchResultPage, MatchSetup

CSV = "text/csv"
EXAMPLES = {
    "two_bots": {
        "name": "Is expert better?",
        "edition": "standard",
        "entrants": [{"bot": "cautious"}, {"bot": "random"}],
        "seats": 2,
        "games": 100,
        "deals": "rotated",
    },
    "two_programs": {
        "name": "Deep Guard 1.2 and its rival",
        "edition": "standard",
        "entrants": [{"player": "p0123456789abcdef0123"}, {"player": "p3210fedcba9876543210"}],
        "seats": 2,
        "games": 200,
        "deals": "fresh",
        "clock": {"seconds": 10},
        "rated": True,
    },
}

matches = Blueprint(
    "Matches", __name__, description="Matches: let programs and bots play many games, and compare them."
)


@matches.operation(
    "POST",
    "/v1/matches",
    "createMatch",
    Reply(201, Match(), "The match.", ("Location", "IdempotentReplayed")),
    token="required",
    body=Body(MatchSetup(), EXAMPLES),
    headers=("TicketIdempotencyKey",),
    refusals=("not_accepted",),
    bucket="creating",
)
def create(token: str, body: dict[str, Any]) -> CompleteResponse:
    """Make a match

    Programs and the service's own bots play a number of games; standings say at any moment who is stronger, and how
    sure that is. Programs are invited: they get a notice `match_invited`, and the match begins once all have accepted.
    Games are opened a few at a time, as programs have room, and only while they are here. A program that goes away
    loses the game that it plays by the clock, not the match.

    You can have five matches that have not ended.
    """
    made = service().matches.create(token, body, idempotency_key(request))
    more = [("Location", f"/v1/matches/{made.match['id']}")]
    more += [("Idempotent-Replayed", "true")] if made.replayed else []
    return plain(made.match, 201, more=more)


@matches.operation(
    "GET",
    "/v1/matches",
    "listMatches",
    Reply(200, MatchPage(), "A page of matches."),
    token="optional",
    query=MatchQuery(),
    runs=READING,
)
def page(token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """List matches

    The newest first. Follow `next_cursor` until it is null: a page may be short or empty. A program finds the matches
    to which it is invited with `player` and `state`.
    """
    return plain(service().matches.page(token, **query))


@matches.operation(
    "GET",
    "/v1/matches/<id:match_id>",
    "getMatch",
    Reply(200, Match(), "The match."),
    token="optional",
    refusals=("not_found",),
    runs=READING,
)
def view(match_id: str, token: str | None) -> CompleteResponse:
    """Look at a match

    With its standings. A seat that left its game, or for which a bot stood in at the end, has not won it.
    """
    return plain(service().matches.view(token, match_id))


@matches.operation(
    "GET",
    "/v1/matches/<id:match_id>/games",
    "listMatchGames",
    Reply(200, MatchResultPage(), "A page of its games."),
    token="optional",
    query=PageQuery(),
    refusals=("not_found",),
    runs=READING,
)
def games(match_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """List the games of a match

    Those that were opened, the latest first, with what came of them. A game whose deal is shared can be watched by
    nobody, and its replay is there once the last game of the deal has ended.
    """
    return plain(service().matches.games(token, match_id, **query))


@matches.operation(
    "GET",
    "/v1/matches/<id:match_id>/table",
    "getMatchTable",
    Reply(200, {"type": "string"}, "A line for each seat of each game, under a line of names.", media_type=CSV),
    token="optional",
    refusals=("not_found",),
    runs=READING,
)
def table(match_id: str, token: str | None) -> Response:
    """Get the games of a match as CSV

    All that were opened, with a line for each seat: its player, place, tokens, and share of the win.
    """
    headers = {"Cache-Control": REVALIDATE, "Vary": "Authorization"}
    return Response(service().matches.table(token, match_id), 200, headers, content_type=f"{CSV}; charset=utf-8")


@matches.operation(
    "PATCH",
    "/v1/matches/<id:match_id>",
    "changeMatch",
    Reply(200, Match(), "The match as it is now."),
    token="required",
    body=Body(MatchChange(), {"pause": {"state": "paused"}}),
    refusals=("not_found", "not_creator", "game_not_started", "game_over"),
)
def change(match_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Pause your match, or resume it

    While it is paused no game is opened. Those that run are played to the end.
    """
    return plain(service().matches.change(token, match_id, body["state"]))


@matches.operation(
    "DELETE",
    "/v1/matches/<id:match_id>",
    "endMatch",
    Reply(200, Match(), "The match as it is now."),
    token="required",
    refusals=("not_found", "not_creator"),
)
def end(match_id: str, token: str) -> CompleteResponse:
    """End your match

    No further game is opened. Those that run are played to the end, and count. What was played stays.
    """
    return plain(service().matches.end(token, match_id))


@matches.operation(
    "POST",
    "/v1/matches/<id:match_id>/acceptance",
    "acceptMatch",
    Reply(200, Match(), "The match as it is now."),
    token="required",
    refusals=("not_found", "not_seated", "game_over"),
)
def accept(match_id: str, token: str) -> CompleteResponse:
    """Accept a match

    As a program that is invited. Look at it before: with `deals` other than `fresh`, several of its games are dealt the
    same cards. Accepting again changes nothing.
    """
    return plain(service().matches.accept(token, match_id))


@matches.operation(
    "DELETE",
    "/v1/matches/<id:match_id>/acceptance",
    "declineMatch",
    Reply(200, Match(), "The match as it is now."),
    token="required",
    refusals=("not_found", "not_seated"),
)
def decline(match_id: str, token: str) -> CompleteResponse:
    """Decline or leave a match

    As a program that is invited or plays. The match ends.
    """
    return plain(service().matches.withdraw(token, match_id))
