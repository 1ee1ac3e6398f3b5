"""Shows the deals of the day, and begins a player's try."""

from api.document.operations import Reply
from api.request.current import address, service, words
from api.request.threads import READING
from api.responses import CompleteResponse, opened, plain
from api.routes.blueprint import Blueprint
from api.schemas.games import Game
from api.schemas.results.daily import PastDeal, TodaysDeal, TodaysDeals

daily = Blueprint("Daily", __name__, description="The deal of the day: the same for everybody, tried once.")


@daily.operation(
    "GET",
    "/v1/daily",
    "listDailyDeals",
    Reply(200, TodaysDeals(), "The deals of today."),
    token="optional",
    runs=READING,
)
def today(token: str | None) -> CompleteResponse:
    """List the deals of the day

    Each edition has one on each day in UTC. With a token you also see your own tries and streaks.
    """
    return plain(service().daily.today(token))


@daily.operation(
    "GET",
    "/v1/daily/<id:edition_id>",
    "getDailyDeal",
    Reply(200, TodaysDeal(), "The deal of today."),
    token="optional",
    refusals=("not_found",),
    runs=READING,
)
def one(edition_id: str, token: str | None) -> CompleteResponse:
    """Look at the deal of the day of an edition

    Until the day ends, all that anybody learns of it is how many have tried it and won, and what their own seat sees.
    """
    return plain(service().daily.one(token, edition_id))


@daily.operation(
    "POST",
    "/v1/daily/<id:edition_id>",
    "tryDailyDeal",
    Reply(201, Game(), "Your try as you see it now.", ("ETag", "Location", "ContentLanguage")),
    token="required",
    refusals=("not_found", "not_accepted", "game_over"),
    bucket="creating",
)
def begin(edition_id: str, token: str) -> CompleteResponse:
    """Try the deal of the day

    The game begins at once, against bots, and is played like any other. You have one try a day and edition: calling
    this again returns the same game. A seat whose time is up leaves the game, and a try that still runs when the day
    ends is called off.

    Nobody else can look at it until the day is over, and nobody can fork it. Programs cannot try.
    """
    return opened(service().daily.begin(token, edition_id, address=address(), words=words()))


@daily.operation(
    "GET",
    "/v1/daily/<id:edition_id>/<id:date>",
    "getPastDailyDeal",
    Reply(200, PastDeal(), "What came of it."),
    token="optional",
    refusals=("not_found", "game_not_finished", "archive_unavailable"),
    runs=READING,
)
def past(edition_id: str, date: str, token: str | None) -> CompleteResponse:
    """Look at the deal of a day that is over

    With its secret, what players chose at each decision, the try of the bot `expert`, and your own try. 409
    `game_not_finished` until the day is over and its tries have been looked at, some seconds later.
    """
    return plain(service().daily.past(token, edition_id, date, words()))
