"""Measures requests and followers of games in an API process."""

import re
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 1.0, 5.0)
MOST_SERIES: Final = 150
"""How many request histograms a process keeps, of ten lines each, so that a scrape stays below 200 kB."""
UNKNOWN: Final = "unknown"
"""The route for unknown paths, so that a scan of paths does not create a series for each."""

OTHER: Final = "other"
"""The route for everything beyond `MOST_SERIES`."""


METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Metrics:
    """The measurements of one application."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._seconds = Histogram(
            "billet_http_request_seconds",
            "Time to answer a request, by route and status.",
            ("method", "route", "status"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._series: dict[tuple[str, str, str], Histogram] = {}
        """What `labels` returned, which takes a lock and formats them."""
        self.streams = Gauge("billet_streams_open", "Event streams that are open.", registry=self.registry)
        self.waiting = Gauge("billet_calls_waiting", "Calls that wait for an event.", registry=self.registry)
        self.slow = Counter(
            "billet_streams_cut_off", "Streams closed because their readers took too little.", registry=self.registry
        )
        self.sent = Counter(
            "billet_events_sent", "Events sent to streams, each once for each stream.", registry=self.registry
        )

    def answered(self, method: str, route: str, status: str, seconds: float) -> None:
        """Measures one request: its route, status and time."""
        key = (method if method in METHODS else UNKNOWN, route, status)
        series = self._series.get(key)
        if series is None:
            if len(self._series) >= MOST_SERIES:
                key = (UNKNOWN, OTHER, status)
            series = self._series.setdefault(key, self._seconds.labels(*key))
        series.observe(seconds)


_VARIABLE: Final = re.compile(r"<(?:[^<>:]+:)?([^<>]+)>")


@cache
def published(rule: str) -> str:
    """Returns the path that the document has for a Flask rule."""
    return _VARIABLE.sub(r"{\1}", rule)
