"""The published OpenAPI document, and the documents derived from it."""

import json
from functools import cache
from typing import Any, Final

import orjson

from api.application import Application
from api.document.derived import DERIVED
from api.document.spec import arranged, new_api
from api.routes.administration import administration
from api.routes.aids import aids
from api.routes.bots import bots
from api.routes.editions import editions
from api.routes.following import following, frames
from api.routes.games import games
from api.routes.logs import logs
from api.routes.notices import notices
from api.routes.play import play
from api.routes.players import players
from api.routes.queue import queue
from api.routes.results.daily import daily
from api.routes.results.feed import results
from api.routes.results.matches import matches
from api.routes.results.ratings import ratings
from api.routes.system import system
from api.schemas.games import LobbyChange

DESCRIBED: Final = (
    *(
        players,
        editions,
        bots,
        games,
        queue,
        play,
        aids,
        following,
        frames,
        logs,
        notices,
        results,
        ratings,
        matches,
        daily,
    ),
    *(administration, system),
)
"""The blueprints that the document describes, in its order."""


@cache
def document() -> dict[str, Any]:
    """Returns the OpenAPI document, which does not depend on the settings."""
    api = new_api(Application())
    for blueprint in DESCRIBED:
        api.register_blueprint(blueprint)
    api.spec.components.schema("LobbyChange", schema=LobbyChange())  # the messages of a stream are in no response
    return arranged(api.spec)


@cache
def encoded_document(name: str | None = None) -> bytes:
    """Returns the OpenAPI document as JSON, or a derived one by its name."""
    return orjson.dumps(document() if name is None else DERIVED[name](document()))


def published_document() -> str:
    """Returns the OpenAPI document as the text that `openapi/` holds, the same whenever the code is the same."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"
