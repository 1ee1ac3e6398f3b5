"""Counts and latencies of requests for Prometheus, per process; what is measured inside the service is not here."""

from collections.abc import Iterable
from time import perf_counter
from typing import Any, Final

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

from api.cors import Application, StartResponse

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
UNKNOWN: Final = "unknown"
"""The route of a path that has none, so that a scan of paths does not make a series of each."""


class Metrics:
    """The measurements of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.seconds = Histogram(
            "billet_http_request_seconds",
            "Time to answer a request, by route and status.",
            ("method", "route", "status"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        # labels() takes a lock and formats its arguments; a plain dict of what it returned does not.
        self.children: dict[tuple[str, str, str], Histogram] = {}

    def observe(self, method: str, route: str, status: str, seconds: float) -> None:
        """Notes one request."""
        key = (method, route, status)
        child = self.children.get(key)
        if child is None:
            child = self.children[key] = self.seconds.labels(*key)
        child.observe(seconds)

    def exposition(self) -> bytes:
        """Returns everything in the text format of Prometheus."""
        return generate_latest(self.registry)


METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


def measured(application: Application, metrics: Metrics) -> Application:
    """Returns the application with every request noted."""

    def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        begun = perf_counter()
        seen = "500"
        route = UNKNOWN

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal seen, route
            seen = status[:3]
            # Flask takes the request out of the environment again before the application returns.
            rule = environ["werkzeug.request"].url_rule
            if rule is not None:
                route = rule.rule
            return start_response(status, headers, exc_info)

        try:
            return application(environ, start)
        finally:
            method = environ["REQUEST_METHOD"]
            metrics.observe(method if method in METHODS else UNKNOWN, route, seen, perf_counter() - begun)

    return answer
