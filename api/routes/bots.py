"""Lists the bots of the service."""

from flask import current_app

from api.document.operations import Reply
from api.request.current import words
from api.responses import CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.routes.editions import UNCHANGING
from api.schemas.bots import BotList
from games.bots import offered as own

bots = Blueprint("Bots", __name__, description="The service's own bots, which you can play against.")


@bots.operation(
    "GET",
    "/v1/bots",
    "listBots",
    Reply(200, BotList(), "The bots.", ("ContentLanguage",)),
    token="none",
)
def listing() -> CompleteResponse:
    """List the bots

    What each does, how long it thinks, and how well it plays: by edition and number of seats, its share of won games on
    one seat against bots of one other kind, with a 95 % interval. Programs of other people are not listed: they are
    players with the kind `bot`.
    """
    return plain(
        {"items": own.listing(words(), current_app.config["BOT_THINK_MS"]), "next_cursor": None},
        200,
        UNCHANGING,
        words().language,
    )
