"""The Flask application, without what Flask does at each call for things that the interface does not use.

There are no cookies, no views that are coroutines, and no hosts with paths of their own. Hooks and signals around a
request are looked for only if there are any: a tracer has some. What every response needs is added in one place: the
headers for pages of other origins, the remaining quota, and a measurement.
"""

from collections.abc import Iterable
from time import perf_counter
from typing import Any, Final, TypeAlias

from flask import (
    Flask,
    Request,
    Response,
    appcontext_tearing_down,
    request_finished,
    request_started,
    request_tearing_down,
)
from flask.ctx import RequestContext
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import MapAdapter, Rule

from api.answers import CompleteResponse, PlainResponse
from api.cors import EVERY_ANSWER, PREFLIGHT, StartResponse
from api.link import LINK
from api.metrics.requests import UNKNOWN, Metrics, published
from api.request.current import this
from api.request.headers import trim_headers
from api.request.limits import Limits
from api.request.paths import is_plain

MOST_HOSTS: Final = 256
"""How many different `Host`s are remembered to be well-formed."""
MOST_PATHS: Final = 4096
"""How many paths are remembered with their views: those of a game are asked for again and again."""
LONGEST_PATH: Final = 200
"""In characters: no path of `/v1` is longer."""


MOST_BODY_BYTES: Final = 64 * 1024
"""The longest body of a request, unless a view allows more."""
Match: TypeAlias = tuple[Rule, dict[str, Any]]
"""The rule of a path, and what the path names."""


class Asked(Request):
    """A request, with its rule if the application remembers it."""

    found: Match | None = None
    max_content_length = MOST_BODY_BYTES  # Flask would look it up for each request

    def close(self) -> None:
        """Closes the files that came with a request; Flask goes through them even where nobody has asked for any."""
        if "files" in self.__dict__:
            super().close()


class Context(RequestContext):
    """The context of a request."""

    app: "Application"
    request: Asked

    def match_request(self) -> None:
        """Finds the Flask view of a request; Flask looks through all rules, which takes as long as counting it."""
        asked = self.request
        if asked.found is not None:
            asked.url_rule, asked.view_args = asked.found
            return
        super().match_request()
        if asked.url_rule is not None and asked.view_args is not None:
            self.app.remember(asked, (asked.url_rule, asked.view_args))


class NoSessions(SessionInterface):
    """Opens the same empty session for every request, without looking for a cookie."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Returns the same empty session for every request to the Flask application."""
        return self._none


class Application(Flask):
    """The application of the interface."""

    request_class = Asked
    response_class = PlainResponse
    session_interface = NoSessions()
    metrics: Metrics | None = None
    limits: Limits | None = None

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        self._known: dict[tuple[str, str], Match] = {}
        """By method and path."""
        self._hosts: dict[str, MapAdapter] = {}

    def wsgi_app(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answers a request to the Flask application, and a browser's question whether a page may send one."""
        trim_headers(environ)
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
            if self.limits is not None:
                headers.extend(self.limits.quota_headers(environ))
            headers.extend(EVERY_ANSWER)
            return start_response(status, headers, exc_info)

        try:
            return super().wsgi_app(environ, start)
        finally:
            if self.metrics is not None:
                link = environ.get(LINK)
                took = perf_counter() - begun - (link.waited if link is not None else 0)
                self.metrics.seconds.observe(environ["REQUEST_METHOD"], route, seen, took)

    def request_context(self, environ: dict[str, Any]) -> RequestContext:
        """Returns the context of a request to the Flask application."""
        return Context(self, environ)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Returns Flask's matcher for a request; a path means the same under each host, whose form is checked once."""
        if request is None:
            return None
        assert isinstance(request, Asked), "of `request_class`"
        if not is_plain(request.environ):
            raise NotFound
        # Looked for once: other threads forget and remember meanwhile.
        request.found = self.known(request)
        host = request.environ.get("HTTP_HOST", "")
        adapter = self._hosts.get(host)
        if adapter is not None and request.found is None:
            request.found = self.matched(request, adapter)
        if adapter is not None and request.found is not None:
            return adapter  # it was made for another path, but only its host is still used
        adapter = super().create_url_adapter(request)
        if adapter is not None and len(self._hosts) < MOST_HOSTS:
            self._hosts[host] = adapter
        return adapter

    def known(self, request: Request) -> Match | None:
        """Returns the rule of the Flask application that a request matches, if it was found before."""
        return self._known.get((request.method, request.path)) if "HTTP_UPGRADE" not in request.environ else None

    def matched(self, request: Request, adapter: MapAdapter) -> Match | None:
        """Returns the rule that a request to the Flask application matches, by the matcher of an earlier one.

        Returns None for all others: Flask makes a matcher for those, which takes several times as long.
        """
        if request.method == "OPTIONS" or "HTTP_UPGRADE" in request.environ:
            return None
        try:
            rule, values = adapter.match(request.path, request.method, return_rule=True, websocket=False)
        except HTTPException:
            return None
        found = rule, dict(values)
        self.remember(request, found)
        return found

    def remember(self, request: Request, found: Match) -> None:
        """Remembers a request's rule for Flask; none for `OPTIONS`, for which it asks for all rules of the path."""
        if len(request.path) <= LONGEST_PATH and request.method != "OPTIONS":
            if len(self._known) >= MOST_PATHS:
                self._known.clear()
            self._known[request.method, request.path] = found

    def full_dispatch_request(self) -> Response:
        """Calls the Flask view of a request and returns its response, or that to the view's error."""
        if self.before_request_funcs or request_started.receivers or request_finished.receivers:
            return super().full_dispatch_request()
        asked = this()
        rule, values = asked.url_rule, asked.view_args
        answer: Any
        try:
            if rule is None or values is None or asked.method == "OPTIONS":
                answer = self.dispatch_request()
            else:
                answer = self.view_functions[rule.endpoint](**values)  # no view is a coroutine
        except Exception as error:
            answer = self.handle_user_exception(error)
        hooks = self.after_request_funcs
        if asked.blueprint in hooks or None in hooks:
            return self.process_response(self.make_response(answer))
        if isinstance(answer, CompleteResponse):
            return answer  # type: ignore[return-value]  # a WSGI application: Flask only calls what this returns
        return self.make_response(answer)

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Calls the Flask application's hooks after a request."""
        if self.teardown_request_funcs or request_tearing_down.receivers:
            super().do_teardown_request(exc)

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        """Calls the Flask application's hooks after all of a request."""
        if self.teardown_appcontext_funcs or appcontext_tearing_down.receivers:
            super().do_teardown_appcontext(exc)

    def make_response(self, rv: Any) -> Response:
        """Returns the Flask response of what a view returns, which nearly always is one."""
        return rv if isinstance(rv, Response) else super().make_response(rv)
