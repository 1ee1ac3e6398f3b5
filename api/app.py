"""The application factory: the only place where the parts of the interface are put together."""

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

import service
from api.answers import use_orjson
from api.asgi import Front
from api.cors import cross_origin
from api.docs import docs
from api.limits import Limits
from api.metrics import Metrics, measured
from api.problem_pages import problem_pages
from api.problems import handle_errors
from api.routes.bots import bots
from api.routes.editions import editions
from api.routes.following import following
from api.routes.games import games
from api.routes.logs import logs
from api.routes.notices import notices
from api.routes.play import play
from api.routes.players import players
from api.routes.system import system
from api.spec import arranged, new_api
from service.settings import Settings


class Id(BaseConverter):
    """The form every id has; a path with anything else in its place leads nowhere."""

    regex = "[A-Za-z0-9_-]{1,64}"


def create_app(settings: Settings | None = None) -> Flask:
    """Returns the WSGI application; settings left out come from the environment.

    Raises:
        SettingsError: the environment holds something that cannot be used.
    """
    chosen = settings or Settings.from_env()
    built = service.build(chosen)
    app = assemble(chosen, Metrics(built.measures.registry))
    app.extensions["billet.service"] = built
    app.extensions["billet.limits"] = limits = Limits(app, chosen, built.exchange)
    app.after_request(limits.tell)
    return app


def create_front(settings: Settings | None = None) -> Front:
    """Returns the ASGI application: the WSGI one and what is served beside it; settings come as for `create_app`.

    Raises:
        SettingsError: the environment holds something that cannot be used.
    """
    chosen = settings or Settings.from_env()
    app = create_app(chosen)
    return Front(app, chosen, app.extensions["billet.service"], app.extensions["billet.metrics"])


def assemble(settings: Settings, metrics: Metrics | None = None) -> Flask:
    """Returns the application without the service behind it: its routes, its errors, its document."""
    app = Flask("api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.config["MAX_LOG_BYTES"] = settings.max_log_bytes
    app.config["MAX_JSON_DEPTH"] = settings.max_json_depth
    app.config["BOT_THINK_MS"] = settings.bot_think_ms
    app.url_map.converters["id"] = Id
    app.url_map.merge_slashes = False  # an answer, not a redirect
    use_orjson(app)
    handle_errors(app)
    api = new_api(app)
    for blueprint in (players, editions, bots, games, play, following, logs, notices, system):
        api.register_blueprint(blueprint)
    app.register_blueprint(docs)
    app.register_blueprint(problem_pages)
    app.extensions["billet.document"] = arranged(api.spec)
    app.extensions["billet.metrics"] = metrics = metrics or Metrics()
    # Wrapping this method is how Flask takes middleware; the type checker sees a method replaced.
    # Flask says to wrap its `wsgi_app` so, though it is a method to the type checker; so below.
    app.wsgi_app = cross_origin(measured(app.wsgi_app, metrics))  # type: ignore[method-assign,assignment]
    if settings.trusted_proxies:
        # Only the address: a proxy in front says nothing else that the service would use.
        app.wsgi_app = ProxyFix(app.wsgi_app, settings.trusted_proxies, 0)  # type: ignore[method-assign]  # as Flask says
    return app
