"""Measures requests and followers of games in an API process."""

import re
import threading
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.metrics_core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 1.0, 5.0)
BOUNDS: Final = (*map(str, BUCKETS), "+Inf")
MOST_SERIES: Final = 150
"""How many request histograms a process keeps, of ten lines each, so that a scrape stays below 200 kB."""
UNKNOWN: Final = "unknown"
"""The route for unknown paths, so that a scan of paths does not create a series for each."""

OTHER: Final = "other"
"""The route for everything beyond `MOST_SERIES`."""


METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class _Series:
    """The requests of one route and status."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        """By bucket, not cumulated; the last one is for longer requests."""
        self.sum = 0.0


class RequestSeconds(Collector):
    """The histogram of requests by route and status; `Histogram` would lock and call for each number in it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._series: dict[tuple[str, str, str], _Series] = {}

    def observe(self, method: str, route: str, status: str, seconds: float) -> None:
        """Measures one request for the metrics page: its route, status and time."""
        key = (method if method in METHODS else UNKNOWN, route, status)
        with self._lock:
            series = self._series.get(key)
            if series is None:
                if len(self._series) >= MOST_SERIES:
                    key = (UNKNOWN, OTHER, status)
                series = self._series.setdefault(key, _Series())
            series.counts[bisect_left(BUCKETS, seconds)] += 1
            series.sum += seconds

    def collect(self) -> Iterator[Metric]:
        """Returns the histogram of requests as a metric family."""
        family = HistogramMetricFamily(
            "billet_http_request_seconds",
            "Time to answer a request, by route and status.",
            labels=("method", "route", "status"),
        )
        with self._lock:
            found = [(labels, [*series.counts], series.sum) for labels, series in self._series.items()]
        for labels, counts, total in found:
            family.add_metric(labels, [*zip(BOUNDS, accumulate(counts), strict=True)], total)
        yield family


class Metrics:
    """The measurements of one application."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self.seconds = RequestSeconds()
        self.registry.register(self.seconds)
        self.streams = Gauge("billet_streams_open", "Event streams that are open.", registry=self.registry)
        self.waiting = Gauge("billet_calls_waiting", "Calls that wait for an event.", registry=self.registry)
        self.slow = Counter(
            "billet_streams_cut_off", "Streams closed because their readers took too little.", registry=self.registry
        )
        self.sent = Counter(
            "billet_events_sent", "Events sent to streams, each once for each stream.", registry=self.registry
        )


_VARIABLE: Final = re.compile(r"<(?:[^<>:]+:)?([^<>]+)>")


@cache
def published(rule: str) -> str:
    """Returns the path by which the metrics of requests name a Flask rule: the one in the document."""
    return _VARIABLE.sub(r"{\1}", rule)
