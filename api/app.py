"""The application factory: assembles the parts of the interface."""

import json
from functools import cache
from typing import Any, Final

import orjson
from werkzeug.routing import BaseConverter

import service
from api.application import MOST_BODY_BYTES, Application
from api.document.derived import DERIVED
from api.document.pages import docs
from api.document.spec import arranged, new_api
from api.metrics.exposition import Exposition
from api.metrics.requests import Metrics
from api.problems.handlers import handle_errors
from api.request.limits import Limits, amounts_by
from api.routes.administration import administration
from api.routes.bots import bots
from api.routes.editions import editions
from api.routes.following import following
from api.routes.frames import frames
from api.routes.games import games
from api.routes.logs import logs
from api.routes.notices import notices
from api.routes.play import play
from api.routes.players import players
from api.routes.system import system
from api.schemas.games import LobbyChange
from api.web import web
from games import ids
from service.settings import Settings

DESCRIBED: Final = (players, editions, bots, games, play, following, frames, logs, notices, administration, system)
"""What the document describes."""


class Id(BaseConverter):
    """The form of every id; a path with anything else in its place does not exist."""

    regex = ids.PATTERN


def create_app(settings: Settings, amounts: dict[str, str] | None = None) -> Application:
    """Returns the API's WSGI application; `amounts` replaces some that limits have by the settings."""
    built = service.build(settings)
    app = assemble(settings, Metrics(built.measures.registry))
    app.extensions["billet.service"] = built
    app.extensions["billet.limits"] = Limits(amounts_by(settings) | (amounts or {}), built.exchange)
    return app


def assemble(settings: Settings, metrics: Metrics | None = None) -> Application:
    """Returns the API's application without a service: its routes, its errors, its document."""
    app = bare()
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY_BYTES
    app.config["ADMIN_TOKEN"] = settings.admin_token
    app.config["BOT_THINK_MS"] = settings.bot_think_ms
    app.url_map.merge_slashes = False  # an answer, not a redirect
    handle_errors(app)
    for blueprint in (*DESCRIBED, docs):
        app.register_blueprint(blueprint)
    if settings.web:
        app.register_blueprint(web)
    app.extensions["billet.document"] = document
    app.extensions["billet.encoded_document"] = encoded_document
    app.extensions["billet.exposition"] = Exposition()
    app.metrics = metrics or Metrics()
    return app


@cache
def document() -> dict[str, Any]:
    """Returns the OpenAPI document of the assembled application, which does not depend on the settings.

    It is built when it is first asked for, in a thread, because that takes a tenth of a second.
    """
    api = new_api(bare())
    for blueprint in DESCRIBED:
        api.register_blueprint(blueprint)
    api.spec.components.schema("LobbyChange", schema=LobbyChange())  # the messages of a stream are in no response
    return arranged(api.spec)


@cache
def encoded_document(name: str | None = None) -> bytes:
    """Returns the OpenAPI document of the assembled application as JSON, or a derived one by its name."""
    return orjson.dumps(document() if name is None else DERIVED[name](document()))


def published_document() -> str:
    """Returns the published OpenAPI document as text, the same whenever the code is the same. Needs no Redis."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def bare() -> Application:
    """Returns an empty Flask application for the API, which knows only the form of an id."""
    app = Application("api", template_folder="pages", static_folder=None)
    app.url_map.converters["id"] = Id
    return app
