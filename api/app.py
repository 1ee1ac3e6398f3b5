"""The application factory: assembles the parts of the interface."""

import service
from api.application import MOST_BODY_BYTES, Application
from api.docs.blueprint import docs
from api.metrics.exposition import Exposition
from api.metrics.requests import Metrics
from api.problems.handlers import handle_errors
from api.published import DESCRIBED
from api.request.limits import Limits, amounts_by
from api.web import web
from service.settings import Settings


def create_app(settings: Settings, amounts: dict[str, str] | None = None) -> Application:
    """Returns the API's WSGI application; `amounts` replaces some that limits have by the settings."""
    built = service.build(settings)
    app = assemble(settings, Metrics(built.measures.registry))
    app.extensions["billet.service"] = built
    app.extensions["billet.limits"] = Limits(amounts_by(settings) | (amounts or {}), built.redis)
    return app


def assemble(settings: Settings, metrics: Metrics | None = None) -> Application:
    """Returns the API's application without a service: its routes, its errors, its document."""
    app = Application(metrics)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY_BYTES
    app.config["ADMIN_TOKEN"] = settings.admin_token
    app.config["BOT_THINK_MS"] = settings.bot_think_ms
    app.url_map.merge_slashes = False  # an answer, not a redirect
    handle_errors(app)
    for blueprint in (*DESCRIBED, docs):
        app.register_blueprint(blueprint)
    if settings.web:
        app.register_blueprint(web)
    app.extensions["billet.exposition"] = Exposition()
    return app
