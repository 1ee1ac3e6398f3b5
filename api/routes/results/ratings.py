"""Serves pages of players, their ratings, and leaderboards."""

from typing import Any

from api.document.operations import Reply
from api.request.current import service, words
from api.request.threads import READING
from api.responses import CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.games import GamePage
from api.schemas.queries import LeaderboardQuery, PlayerGamesQuery, PoolQuery, ProgramQuery
from api.schemas.results.programs import ProgramPage
from api.schemas.results.ratings import LeaderboardList, LeaderboardPage, PlayerPage, PlayerRatings

ratings = Blueprint("Ratings", __name__, description="Pages of players, their ratings, and leaderboards.")


@ratings.operation(
    "GET",
    "/v1/players/<id:player_id>",
    "getPlayer",
    Reply(200, PlayerPage(), "The player's page."),
    token="optional",
    refusals=("not_found",),
    runs=READING,
)
def page(player_id: str, token: str | None) -> CompleteResponse:
    """Look at a player

    Record, ratings and the latest public games that have ended. What the player hides is null, but you see all of your
    own page.
    """
    return plain(service().pages.page(token, player_id, words()))


@ratings.operation(
    "GET",
    "/v1/players/<id:player_id>/ratings",
    "getRatings",
    Reply(200, PlayerRatings(), "The ratings."),
    token="optional",
    query=PoolQuery(),
    refusals=("not_found",),
    runs=READING,
)
def of_player(player_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Read a player's ratings

    By pool, with the rating after each of the latest 500 games, for a plot.
    """
    return plain(service().pages.ratings(token, player_id, query.get("pool")))


@ratings.operation(
    "GET",
    "/v1/players/<id:player_id>/games",
    "listPlayerGames",
    Reply(200, GamePage(), "A page of games."),
    token="optional",
    query=PlayerGamesQuery(),
    refusals=("not_found",),
    runs=READING,
)
def games(player_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """List a player's games

    Public games that have ended, the newest first, with winners and tokens. Follow `next_cursor` until it is null: a
    page may be short or empty.
    """
    return plain(service().pages.games(token, player_id, words(), **query))


@ratings.operation(
    "GET",
    "/v1/programs",
    "listPrograms",
    Reply(200, ProgramPage(), "A page of programs."),
    token="optional",
    query=ProgramQuery(),
    runs=READING,
)
def programs(token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Find programs

    Programs that describe themselves with `renamePlayer`, by the games that they accept. Invite one to a table, or let
    several play a match. Follow `next_cursor` until it is null: a page may be short or empty.
    """
    return plain(service().programs.page(token, **query))


@ratings.operation(
    "GET",
    "/v1/leaderboards",
    "listLeaderboards",
    Reply(200, LeaderboardList(), "The leaderboards."),
    token="none",
)
def boards() -> CompleteResponse:
    """List the leaderboards

    One for each pool. Only like is compared with like: games of one edition, of similar numbers of seats, at one pace,
    between people or between programs. The service's own bots play in all pools with ratings that never change.
    """
    return plain(service().leaderboards.all())


@ratings.operation(
    "GET",
    "/v1/leaderboards/<pool:pool>",
    "getLeaderboard",
    Reply(200, LeaderboardPage(), "A part of the leaderboard."),
    token="optional",
    query=LeaderboardQuery(),
    refusals=("not_found",),
)
def board(pool: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Read a leaderboard

    The strongest first, or those `around` a player or yourself. It has everybody whose rating was certain enough after
    their last game. Ranks move while you turn pages.
    """
    return plain(service().leaderboards.page(token, pool, **query))
