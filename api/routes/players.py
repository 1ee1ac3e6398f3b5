"""Registers players, rotates their tokens, lists their games, and blocks other players."""

from typing import Any

from flask import Response, request

from api.document.operations import Reply
from api.request.arguments import SECRET_KEY_LENGTH, Body, idempotency_key
from api.request.current import service, words
from api.request.threads import OPERATING, READING
from api.responses import SECRET, CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.games import GamePage
from api.schemas.own_data import PlayerRecord
from api.schemas.players import (
    Block,
    BlockPage,
    DeclinedInvitations,
    OwnPlayer,
    PlayerAccess,
    PlayerChange,
    PlayerSetup,
)
from api.schemas.queries import DeclineQuery, PageQuery, SearchQuery
from api.schemas.results.programs import FoundPlayerPage
from service.players import Access

CHANGES = {
    "another_name": {"name": "Ann the Second"},
    "hiding": {"hidden": ["online"]},
    "a_program": {
        "program": {
            "version": "1.2",
            "author": "Ann",
            "accepts": {"editions": ["standard"], "seats": [2, 4], "rated": True, "at_once": 4},
        }
    },
}

players = Blueprint(
    "Players", __name__, description="Players: register, rotate your token, list your games, block others."
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
def register(body: dict[str, Any]) -> CompleteResponse:
    """Register a player

    Anyone may, unless the operator has set a key: then send it in the header `Registration-Key`. The token in the
    answer is shown only this once: keep it, and send it as `Authorization: Bearer TOKEN`. Names need not be unique. A
    program says that it is one with `"kind": "bot"`. With an `Idempotency-Key` a repeat after a lost answer does not
    register a second player. If the token has been replaced by then, the answer is 409 `token_replaced`.
    """
    shown = request.environ.get("HTTP_REGISTRATION_KEY")
    key = idempotency_key(request, SECRET_KEY_LENGTH)
    return _given(service().players.register(body["name"], body.get("kind", "human"), shown, key), 201)


@players.operation(
    "GET",
    "/v1/players",
    "findPlayers",
    Reply(200, FoundPlayerPage(), "A page of players."),
    token="optional",
    query=SearchQuery(),
    runs=READING,
)
def find(token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Find players by name

    Those whose names begin so, in the order of their names. Follow `next_cursor` until it is null: a page may be short
    or empty. Names need not be unique.
    """
    return plain(service().search.page(token, **query))


@players.operation("GET", "/v1/players/me", "getMe", Reply(200, OwnPlayer(), "The player."), token="required")
def me(token: str) -> CompleteResponse:
    """Get yourself

    The player that your token belongs to.
    """
    return plain(service().players.me(token))


@players.operation(
    "PATCH",
    "/v1/players/me",
    "renamePlayer",
    Reply(200, OwnPlayer(), "The player as they are now."),
    token="required",
    body=Body(PlayerChange(), CHANGES),
)
def change(token: str, body: dict[str, Any]) -> CompleteResponse:
    """Change your name, what others see of your page, or how you describe yourself

    Others see the new name a few seconds later, in running and ended games too. Logs name players by id and do not
    change. A view that you have already read keeps its `ETag` until the game moves on.

    `hidden` replaces what you have hidden. If you hide `ratings`, you are on no leaderboard. Results, games and
    replays stay public: `history` hides only your lists of them.

    `program` is for players of the kind `bot`: it replaces how you have described yourself. Others find you by it, and
    cannot invite you to games that you do not accept. Each version is rated for itself: it began when you described
    it, and plays the games that start from then on.
    """
    changed = service().players.change(token, body.get("name"), body.get("hidden"), body.get("program"))
    if "hidden" in body:
        service().ratings.list_again(changed["id"])
    return plain(changed)


@players.operation(
    "DELETE",
    "/v1/players/me",
    "eraseMe",
    Reply(204, None, "The player is erased."),
    token="required",
    refusals=("not_replicated",),
    runs=OPERATING,
)
def erase(token: str) -> Response:
    """Erase yourself

    Removes your name, your token, your notices and your list of blocked players for good. You leave tables that have
    not started (those that you opened are aborted), resign in running games, and decline your invitations. Ended games
    stay and show you as a deleted player.
    """
    service().administration.erase_me(token)
    return Response(b"", 204)


@players.operation(
    "GET",
    "/v1/players/me/data",
    "getMyData",
    Reply(200, PlayerRecord(), "What is stored about the player."),
    token="required",
    runs=READING,
)
def data(token: str) -> CompleteResponse:
    """Download your data

    Everything that is stored about you in one document: your name, whom you have blocked, your games and your notices.
    Each game comes with the paths of its view and its log, which you can read as long as they exist. The document holds
    neither a token nor a card. To have it all erased, call `eraseMe`.
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
def rotate(token: str) -> CompleteResponse:
    """Rotate your token

    Returns a new token and revokes the old one at once: its tickets stop working, and streams opened with it end. Seats
    and games stay as they are. Send an `Idempotency-Key`: if the answer gets lost, repeat the call with the old token
    and the same key to get the new token again.
    """
    return _given(service().players.rotate(token, idempotency_key(request, SECRET_KEY_LENGTH)), 200)


@players.operation(
    "GET",
    "/v1/players/me/games",
    "listMyGames",
    Reply(200, GamePage(), "A page of games."),
    token="required",
    query=PageQuery(),
    runs=READING,
)
def games(token: str, query: dict[str, Any]) -> CompleteResponse:
    """List your games

    Those that wait for you first, then by deadline. Follow `next_cursor` until it is null.
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
def blocks(token: str, query: dict[str, Any]) -> CompleteResponse:
    """List the players you have blocked

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
def block(player_id: str, token: str) -> CompleteResponse:
    """Block a player

    Declines all open invitations from the player. From then on the player cannot invite you, not even to a rematch, and
    cannot sit down at a table of yours unless you invite them. Your notices no longer name them. They are not notified:
    their invitations are refused with `not_accepted`, as if you took no invitations. Games that you both play go on.

    Blocking the same player again changes nothing. You can block up to 500 players.
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
def decline(token: str, query: dict[str, Any]) -> CompleteResponse:
    """Decline all invitations

    All, or those `from` one player. The player who invited you to a game gets a notice with the `reason`. A match
    that you decline ends.
    """
    inviter = query.get("from_")
    games = service().tables.decline_all(token, inviter, query.get("reason"), words=words())["declined"]
    return plain({"declined": [*games, *service().matches.decline_all(token, inviter)]})


def _given(access: Access, status: int) -> CompleteResponse:
    replayed = [("Idempotent-Replayed", "true")] if access.replayed else []
    return plain({"player": access.player._asdict(), "token": access.token}, status, SECRET, more=replayed)
