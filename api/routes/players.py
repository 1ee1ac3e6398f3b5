"""Registers players, rotates their tokens, lists their games, and blocks other players."""

from typing import Any

from flask import Response, request

from api.answers import SECRET, plain
from api.document.operations import Blueprint, Reply
from api.request.arguments import SECRET_KEY_LENGTH, Body, idempotency_key
from api.request.current import service
from api.request.languages import words
from api.schemas.games import GamePage
from api.schemas.own_data import PlayerRecord
from api.schemas.players import Block, BlockPage, DeclinedInvitations, Player, PlayerAccess, PlayerChange, PlayerSetup
from api.schemas.queries import DeclineQuery, PageQuery
from service.players import Access

players = Blueprint(
    "Players", __name__, description="Who plays: register, rotate the token, see one's own games, block others."
)


@players.operation(
    "POST",
    "/v1/players",
    "registerPlayer",
    Reply(201, PlayerAccess(), "The player and its token.", ("IdempotentReplayed",)),
    token="none",
    body=Body(PlayerSetup(), {"person": {"name": "Ann"}, "program": {"name": "Deep Guard", "kind": "bot"}}),
    headers=("RegistrationKey", "SecretIdempotencyKey"),
    refusals=("registration_closed", "token_replaced", "not_replicated"),
    bucket="registering",
)
def register(body: dict[str, Any]) -> Response:
    """Register a player

    Anyone may, unless the operator has set a key: then the header `Registration-Key` must name it. The token in the
    answer is shown this once: keep it, and send it as `Authorization: Bearer TOKEN`. Names need not be unique. A
    program says that it is one with `"kind": "bot"`. With an `Idempotency-Key` a call repeated after a lost answer
    makes no second player. If the token has been replaced by then, the answer is 409 `token_replaced`.
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
    "PATCH",
    "/v1/players/me",
    "renamePlayer",
    Reply(200, Player(), "The player as others see them now."),
    token="required",
    body=Body(PlayerChange(), {"another_name": {"name": "Ann the Second"}}),
)
def rename(token: str, body: dict[str, Any]) -> Response:
    """Change my name

    Others see the new name a few seconds later, in running and ended games too. Logs name players by id and stay as
    they are. A view that you have already read keeps its `ETag` until the game moves on.
    """
    return plain(service().players.rename(token, body["name"]))


@players.operation(
    "DELETE",
    "/v1/players/me",
    "eraseMe",
    Reply(204, None, "The player is erased."),
    token="required",
    refusals=("not_replicated",),
)
def erase(token: str) -> Response:
    """Erase me

    Removes my name, my token, my notices and whom I have blocked, for good. I leave tables that have not started,
    resign in running games, and decline my invitations. Ended games stay: there I am a deleted player, in the reader's
    language.
    """
    service().administration.erase_me(token)
    return Response(b"", 204)


@players.operation(
    "GET",
    "/v1/players/me/data",
    "getMyData",
    Reply(200, PlayerRecord(), "What is kept about the player."),
    token="required",
)
def data(token: str) -> Response:
    """Take my data away

    Everything that is kept about me in one document: my name, whom I have blocked, my games and my notices. A game is
    named with its paths: read its view and its log there, as long as it is kept. The document holds neither a token nor
    a card. To be forgotten, call `eraseMe`.
    """
    kept = service().own_data.of(token)
    for name in ("playing", "played", "opened", "invited"):
        for game in kept[name]:
            game["view"] = f"/v1/games/{game['game']}"
            game["log"] = f"{game['view']}/log" if name == "played" else None
    return plain(kept, cache=SECRET)


@players.operation(
    "POST",
    "/v1/players/me/token",
    "rotateToken",
    Reply(200, PlayerAccess(), "The player and its new token.", ("IdempotentReplayed",)),
    token="required",
    headers=("SecretIdempotencyKey",),
    refusals=("token_replaced",),
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
    return plain(service().lobby.mine(token, **query, words=words()))


@players.operation(
    "GET",
    "/v1/players/me/blocks",
    "listBlocks",
    Reply(200, BlockPage(), "A page of blocked players."),
    token="required",
    query=PageQuery(),
)
def blocks(token: str, query: dict[str, Any]) -> Response:
    """List whom I have blocked

    The newest first. Follow `next_cursor` until it is null.
    """
    return plain(service().blocks.listed(token, **query))


@players.operation(
    "PUT",
    "/v1/players/me/blocks/<id:player_id>",
    "blockPlayer",
    Reply(200, Block(), "The blocked player."),
    token="required",
    refusals=("not_found", "invalid_request", "not_replicated"),
)
def block(player_id: str, token: str) -> Response:
    """Block a player

    Declines all their open invitations. From then on the player cannot invite me, not to a rematch either, and cannot
    sit down at a table that I have opened unless I invite them. My notices never name them again. They are not told:
    their invitations are refused with `not_accepted`, as if I took no invitations. Games that we both play go on.

    Blocking the same player again changes nothing. A player can block 500 others.
    """
    return plain(service().blocks.block(token, player_id, words=words()))


@players.operation(
    "DELETE",
    "/v1/players/me/blocks/<id:player_id>",
    "unblockPlayer",
    Reply(204, None, "The player is not blocked."),
    token="required",
    refusals=("not_found",),
)
def unblock(player_id: str, token: str) -> Response:
    """Unblock a player

    Changes nothing if the player is not blocked.
    """
    service().blocks.unblock(token, player_id)
    return Response(b"", 204)


@players.operation(
    "DELETE",
    "/v1/players/me/invitations",
    "declineInvitations",
    Reply(200, DeclinedInvitations(), "What was declined."),
    refusals=("not_replicated",),
    token="required",
    query=DeclineQuery(),
)
def decline(token: str, query: dict[str, Any]) -> Response:
    """Decline all invitations

    Those `from` one player, or all of them. Each inviter is told, with the `reason`.
    """
    return plain(service().tables.decline_all(token, query.get("from_"), query.get("reason"), words=words()))


def _given(access: Access, status: int) -> Response:
    response = plain({"player": access.player._asdict(), "token": access.token}, status, SECRET)
    if access.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response
