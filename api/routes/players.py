"""Players and their tokens; the games they play are elsewhere, but for the list of one's own."""

from typing import Any

from flask import Response, request

from api.answers import SECRET, plain
from api.arguments import Body
from api.current import service
from api.operations import Blueprint, Reply
from api.schemas.games import GamePage
from api.schemas.players import Player, PlayerAccess, PlayerSetup
from api.schemas.queries import PageQuery

players = Blueprint("Players", __name__, description="Who plays: register, rotate the token, see one's own games.")


@players.operation(
    "POST",
    "/v1/players",
    "registerPlayer",
    Reply(201, PlayerAccess(), "The player and its token."),
    token="none",
    body=Body(PlayerSetup(), {"person": {"name": "Ann"}, "program": {"name": "Deep Guard", "kind": "bot"}}),
    headers=("RegistrationKey",),
    refusals=("registration_closed",),
    bucket="registering",
)
def register(body: dict[str, Any]) -> Response:
    """Register a player

    Anyone may, unless the operator has set a key: then the header `Registration-Key` must name it. The token in the
    answer is shown this once: keep it, and send it as `Authorization: Bearer TOKEN`. Names need not be unique. A
    program says that it is one with `"kind": "bot"`.
    """
    key = request.environ.get("HTTP_REGISTRATION_KEY")
    return plain(service().players.register(body["name"], body.get("kind", "human"), key), 201, SECRET)


@players.operation("GET", "/v1/players/me", "getMe", Reply(200, Player(), "The player."), token="required")
def me(token: str) -> Response:
    """Say who I am

    The player that the token belongs to.
    """
    return plain(service().players.me(token))


@players.operation(
    "POST",
    "/v1/players/me/token",
    "rotateToken",
    Reply(200, PlayerAccess(), "The player and its new token."),
    token="required",
    bucket="registering",
)
def rotate(token: str) -> Response:
    """Rotate my token

    Gives a new token and stops the old one at once. Seats and games stay as they are.
    """
    return plain(service().players.rotate(token), 200, SECRET)


@players.operation(
    "GET",
    "/v1/players/me/games",
    "listMyGames",
    Reply(200, GamePage(), "A page of games."),
    token="required",
    query=PageQuery(),
)
def games(token: str, query: dict[str, Any]) -> Response:
    """List my games

    Those waiting for my action first, then by deadline. Follow `next_cursor` until it is null.
    """
    return plain(service().lobby.mine(token, **query))
