"""Sums the measurements of all processes: each adds its counts to sums in Redis once a second.

So measuring sends nothing, and readers of the sums see every API process and worker on every machine. A killed process
loses what it counted since its last report. Gauges, such as open streams, are kept per process while it is alive.
"""

import contextlib
import os
import secrets
import socket
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import orjson
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric
from prometheus_client.samples import Sample

from games.errors import TakesNoWrites
from service.inputs.clock import now_ms
from service.store.metrics.sums import StoredSums
from service.store.redis.client import RedisClient

ALIVE_MS: Final = 5_000
"""How long a process counts as alive after its last report."""
FORGOTTEN_MS: Final = 60_000

COUNTED: Final = ("counter", "histogram")
SUFFIXES: Final = ("", "_total", "_bucket", "_count", "_sum")
"""What the names of a metric's samples end with."""

Sums = Mapping[str, float]
"""Values by sample, that is by name and labels."""


class Process(NamedTuple):
    """A process that reports: when it last did, in milliseconds since 1970, its kind and its gauges."""

    name: str
    at: int
    kind: str
    present: Sums


class Totals:
    """The sums of an installation, to which this process adds its own counts.

    Whatever reaches Redis may raise `Unavailable`.
    """

    def __init__(self, redis: RedisClient, registry: CollectorRegistry) -> None:
        self._stored = StoredSums(redis)
        self._registry = registry
        self._reported: Sums = {}
        self._batch: tuple[str, Sums] | None = None
        """The id and the changes of counts that may not have been added yet."""
        self._reporting = threading.Lock()
        self._kind: str | None = None
        self._name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    # --- reporting ---

    def begin(self, kind: str) -> None:
        """Counts this process among the live ones in the metrics, from its next report on."""
        self._kind = kind

    def report(self) -> None:
        """Adds this process's metrics since its last report to the sums, and records that it is alive.

        Raises:
            Unavailable: Redis cannot be reached; nothing is lost or added twice.
        """
        with self._reporting:
            if self._batch is not None:
                # The batch may or may not have arrived. Its mark prevents a second time, so it must not change now.
                self._stored.add(*self._batch)
                self._batch = None
            metrics = list(self._registry.collect())
            counts = _samples(metrics, *COUNTED)
            changes = {key: value - self._reported.get(key, 0.0) for key, value in counts.items()}
            self._batch = secrets.token_hex(8), {key: change for key, change in changes.items() if change}
            self._reported = counts
            report = (self._name, orjson.dumps([now_ms(), self._kind, _samples(metrics, "gauge")]))
            self._stored.add(*self._batch, report if self._kind is not None else None)
            self._batch = None

    def end(self) -> None:
        """Removes this process from the live ones in the metrics."""
        self._kind = None
        self._stored.remove(self._name)

    # --- reading ---

    def processes(self) -> list[Process]:
        """Returns the live processes that report metrics, and drops those that have long been gone."""
        found = [Process(name.decode(), *orjson.loads(report)) for name, report in self._stored.reports()]
        now = now_ms()
        if forgotten := [one.name for one in found if one.at < now - FORGOTTEN_MS]:
            with contextlib.suppress(TakesNoWrites):
                self._stored.remove(*forgotten)
        return [one for one in found if one.at >= now - ALIVE_MS]

    def read(self, processes: Iterable[Process]) -> list[Metric]:
        """Returns the installation's metrics, limited to those this process knows."""
        families = list(self._registry.collect())
        # Metrics that nobody has counted yet appear as zero.
        values = dict.fromkeys(_samples(families, *COUNTED), 0.0) | _samples(families, "gauge")
        values |= {key.decode(): float(value) for key, value in self._stored.sums()}
        for process in processes:
            for key, value in process.present.items() if process.name != self._name else ():
                values[key] = values.get(key, 0.0) + value
        by_name: defaultdict[str, list[Sample]] = defaultdict(list)
        for key, value in values.items():
            name, labels = orjson.loads(key)
            by_name[name].append(Sample(name, labels, value))
        for family in families:
            samples = [sample for suffix in SUFFIXES for sample in by_name[family.name + suffix]]
            family.samples = sorted(samples, key=_order)
        return families


def _samples(metrics: Iterable[Metric], *types: str) -> dict[str, float]:
    """Returns the values of all metrics of some types, without their creation times."""
    return {
        orjson.dumps([sample.name, sample.labels], option=orjson.OPT_SORT_KEYS).decode(): sample.value
        for metric in metrics
        if metric.type in types
        for sample in metric.samples
        if not sample.name.endswith("_created")
    }


def _order(sample: Sample) -> tuple[list[tuple[str, str]], str, float]:
    """Returns the sort key of a metric's sample: buckets of one histogram in a row, smallest first."""
    labels = {name: value for name, value in sample.labels.items() if name != "le"}
    return sorted(labels.items()), sample.name, float(sample.labels.get("le", "inf"))
