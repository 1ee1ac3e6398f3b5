"""The Flask application, which adds to every response what all of them need.

That is the headers for pages of other origins, the remaining quota, and a measurement.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from time import perf_counter
from typing import Any, Final

from flask import Flask, Request, Response, request_finished
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter, MapAdapter, Rule

from api.link import LINK
from api.metrics.requests import UNKNOWN, Metrics, published
from api.request.current import current_request
from api.request.environ import is_plain
from api.responses import EVERY_ANSWER, PREFLIGHT, CompleteResponse, PlainResponse, StartResponse
from games import ids

WITH_RULE: Final = {"return_rule": True}
"""How Flask asks."""
MOST_PATHS: Final = 4096
LONGEST_PATH: Final = 200
"""In characters, of the paths that are kept: no path of `/v1` is longer."""
MOST_BODY_BYTES: Final = 64 * 1024
"""The longest body of a request, unless a view allows more."""


class Id(BaseConverter):
    """The form of every id; a path with anything else in its place does not exist."""

    regex = ids.PATTERN


class PoolId(BaseConverter):
    """The form of the id of a pool of ratings."""

    regex = "[a-z0-9+-]{1,64}"


class Path(MapAdapter):
    """Flask's matcher of one path and method, which looks for the rule once."""

    @cached_property
    def _found(self) -> tuple[Rule, Mapping[str, Any]]:
        return super().match(return_rule=True)

    def match(self, *args: Any, **options: Any) -> Any:
        """Returns the rule of the path, and what the path names."""
        return super().match(*args, **options) if args or options != WITH_RULE else self._found


class Application(Flask):
    """The application of the interface."""

    response_class = PlainResponse

    def __init__(self, metrics: Metrics | None = None) -> None:
        super().__init__("api", template_folder="pages", static_folder=None)
        self.metrics = metrics or Metrics()
        self.url_map.converters["id"] = Id
        self.url_map.converters["pool"] = PoolId
        self._known_path = lru_cache(MOST_PATHS)(self._path)

    def _path(self, path: str, method: str) -> MapAdapter:
        return Path(self.url_map, "", "/", "", "http", path, method)

    def wsgi_app(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answers a request to the Flask application, and a browser's question whether a page may send one."""
        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start_response("204 No Content", list(PREFLIGHT))
            return []
        begun = perf_counter()
        seen, route = "500", UNKNOWN

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal seen, route
            seen = status[:3]
            # Flask removes the request from the environment before the application returns.
            rule = environ["werkzeug.request"].url_rule
            if rule is not None:
                route = published(rule.rule)
            if (limits := self.extensions.get("billet.limits")) is not None:
                headers.extend(limits.quota_headers(environ))
            headers.extend(EVERY_ANSWER)
            return start_response(status, headers, exc_info)

        try:
            return super().wsgi_app(environ, start)
        finally:
            link = environ.get(LINK)
            took = perf_counter() - begun - (link.waited if link is not None else 0)
            self.metrics.answered(environ["REQUEST_METHOD"], route, seen, took)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Returns Flask's matcher for a request; a path that is not written plainly leads nowhere.

        Matchers are kept, whatever the host: to make one and look through the rules takes a twentieth of an action.
        """
        if request is None:
            return None
        if not is_plain(request.environ):
            raise NotFound
        short = len(request.path) <= LONGEST_PATH
        return (self._known_path if short else self._path)(request.path, request.method)

    def finalize_request(self, rv: Any, from_error_handler: bool = False) -> Response:
        """Returns a complete response as it is, unless a hook or signal needs one of Flask's.

        To make one of Flask's of it, and send that, takes a tenth of an action.
        """
        hooks = {None, current_request().blueprint} & self.after_request_funcs.keys()
        if isinstance(rv, CompleteResponse) and not hooks and not request_finished.receivers:
            return rv  # type: ignore[return-value]  # a WSGI application: Flask only calls what this returns
        return super().finalize_request(rv, from_error_handler)
