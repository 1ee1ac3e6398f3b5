"""Finds and bans players, and aborts and removes games, for operators."""

import logging
from typing import Any, Final

from flask import Response, request

from api.document.operations import Reply
from api.request.current import service, words
from api.request.threads import OPERATING
from api.responses import SECRET, CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.games import Game
from api.schemas.players import AdministeredPlayer, AdministeredPlayerPage
from api.schemas.queries import PlayersQuery
from engine.views import WATCHER
from games.views.view import game_view

audit: Final = logging.getLogger("billet.audit")
audit.setLevel(logging.INFO)  # whatever `LOG_LEVEL` says

administration = Blueprint(
    "Administration",
    __name__,
    description="For operators, with `ADMIN_TOKEN`; without that setting, all of these answer 404.",
)


def audited(response: Response) -> Response:
    """Logs an operator's call of an administration route: what, about whom, the outcome. Never a token or name."""
    what = (request.endpoint or "").rpartition(".")[2]
    on = next(iter((request.view_args or {}).values()), "-")
    outcome = "done" if response.status_code < 400 else (response.get_json(silent=True) or {}).get("code", "failed")
    audit.info("admin %s %s: %d %s", what, on, response.status_code, outcome)
    return response


administration.after_request(audited)


@administration.operation(
    "GET",
    "/v1/admin/players",
    "adminListPlayers",
    Reply(200, AdministeredPlayerPage(), "A page of players."),
    token="operator",
    query=PlayersQuery(),
    runs=OPERATING,
)
def players(query: dict[str, Any]) -> CompleteResponse:
    """Find players

    By the beginning of their name. A page may be short or empty although more follow: follow `next_cursor` until it is
    null.
    """
    return plain(service().administration.players(**query), 200, SECRET)


@administration.operation(
    "POST",
    "/v1/admin/players/<id:player_id>/ban",
    "adminBanPlayer",
    Reply(200, AdministeredPlayer(), "The banned player."),
    token="operator",
    refusals=("not_replicated",),
    runs=OPERATING,
)
def ban(player_id: str) -> CompleteResponse:
    """Ban a player

    Every call with the player's token is refused with 403 `banned` from now on, and their streams end. They leave
    tables that have not started (those that they opened are aborted), resign in running games, and decline their
    invitations.
    """
    return plain(service().administration.ban(player_id), 200, SECRET)


@administration.operation(
    "POST",
    "/v1/admin/players/<id:player_id>/unban",
    "adminUnbanPlayer",
    Reply(200, AdministeredPlayer(), "The player, who is not banned any more."),
    token="operator",
    runs=OPERATING,
)
def unban(player_id: str) -> CompleteResponse:
    """Lift a ban

    The player's token works again. They do not get back into games they have left.
    """
    return plain(service().administration.unban(player_id), 200, SECRET)


@administration.operation(
    "DELETE",
    "/v1/admin/players/<id:player_id>",
    "adminErasePlayer",
    Reply(204, None, "The player is erased."),
    token="operator",
    refusals=("not_replicated",),
    runs=OPERATING,
)
def erase(player_id: str) -> Response:
    """Erase a player

    As `eraseMe` does, and for banned players too.
    """
    service().administration.erase(player_id)
    return Response(b"", 204)


@administration.operation(
    "POST",
    "/v1/admin/games/<id:game_id>/abort",
    "adminAbortGame",
    Reply(200, Game(), "The aborted game, as a watcher sees it.", ("ContentLanguage",)),
    token="operator",
    refusals=("game_over", "not_replicated"),
    runs=OPERATING,
)
def abort(game_id: str) -> CompleteResponse:
    """Abort any game

    At any time before its end. The game ends without a result, and its players are notified.
    """
    built, texts = service(), words()
    view = game_view(built.administration.abort(game_id), WATCHER, built.players, None, texts)
    return plain(view, 200, SECRET, texts.language)


@administration.operation(
    "DELETE",
    "/v1/admin/games/<id:game_id>",
    "adminDeleteGame",
    Reply(204, None, "The game is gone."),
    token="operator",
    refusals=("not_replicated", "archive_unavailable"),
    runs=OPERATING,
    whole=False,
)
def delete(game_id: str) -> Response:
    """Remove a game

    Removes the log too, also from the archive. A running game is aborted first, and its players are notified. A damaged
    game is removed as it is, and nobody is notified. You cannot undo this.
    """
    service().administration.delete(game_id)
    return Response(b"", 204)
