"""Players and their tokens; the games they play are elsewhere, but for the list of one's own."""

from typing import Any

from flask import Response, request

from api.answers import SECRET, plain
from api.arguments import SECRET_KEY_LENGTH, Body, idempotency_key
from api.current import service
from api.operations import Blueprint, Reply
from api.schemas.games import GamePage
from api.schemas.players import Player, PlayerAccess, PlayerSetup
from api.schemas.queries import PageQuery
from service.players import Access

players = Blueprint("Players", __name__, description="Who plays: register, rotate the token, see one's own games.")


@players.operation(
    "POST",
    "/v1/players",
    "registerPlayer",
    Reply(201, PlayerAccess(), "The player and its token.", ("IdempotentReplayed",)),
    token="none",
    body=Body(PlayerSetup(), {"person": {"name": "Ann"}, "program": {"name": "Deep Guard", "kind": "bot"}}),
    headers=("RegistrationKey", "SecretIdempotencyKey"),
    refusals=("registration_closed",),
    bucket="registering",
)
def register(body: dict[str, Any]) -> Response:
    """Register a player

    Anyone may, unless the operator has set a key: then the header `Registration-Key` must name it. The token in the
    answer is shown this once: keep it, and send it as `Authorization: Bearer TOKEN`. Names need not be unique. A
    program says that it is one with `"kind": "bot"`. With an `Idempotency-Key` a call repeated after a lost answer
    makes no second player.
    """
    shown = request.environ.get("HTTP_REGISTRATION_KEY")
    key = idempotency_key(request, SECRET_KEY_LENGTH)
    return _given(service().players.register(body["name"], body.get("kind", "human"), shown, key), 201)


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
    Reply(200, PlayerAccess(), "The player and its new token.", ("IdempotentReplayed",)),
    token="required",
    headers=("SecretIdempotencyKey",),
    bucket="registering",
)
def rotate(token: str) -> Response:
    """Rotate my token

    Gives a new token and stops the old one at once: its tickets are good for nothing any more, and the streams that it
    has opened end. Seats and games stay as they are. Send an `Idempotency-Key`: if the answer gets lost, the same call
    again, with the old token and the same key, gives the new token once more.
    """
    return _given(service().players.rotate(token, idempotency_key(request, SECRET_KEY_LENGTH)), 200)


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


def _given(access: Access, status: int) -> Response:
    response = plain({"player": access.player._asdict(), "token": access.token}, status, SECRET)
    if access.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response
