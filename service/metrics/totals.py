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
from service.store.exchange.connection import Exchange
from service.store.metrics.sums import StoredSums

ALIVE_MS: Final = 5_000
"""How long a process counts as alive after its last report."""
FORGOTTEN_MS: Final = 60_000

Sums = Mapping[str, float]
"""Values by sample, that is by name and labels."""


class Process(NamedTuple):
    """A live process: its kind and its gauges."""

    name: str
    kind: str
    present: Sums


class _Batch(NamedTuple):
    """Counts to be added to the sums."""

    id: str
    changes: Sums


class Totals:
    """The sums of an installation, to which this process adds its own counts.

    Whatever reaches Redis may raise `Unavailable`.
    """

    def __init__(self, exchange: Exchange, registry: CollectorRegistry) -> None:
        self._stored = StoredSums(exchange)
        self._registry = registry
        self._reported: Sums = {}
        self._batch: _Batch | None = None
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
                self._send_counts(self._batch)
            metrics = list(self._registry.collect())
            counts = _samples(metrics, {"counter", "histogram"})
            changes = {key: value - self._reported.get(key, 0.0) for key, value in counts.items()}
            self._batch = _Batch(secrets.token_hex(8), {key: change for key, change in changes.items() if change})
            self._reported = counts
            self._send_counts(self._batch, self._report(metrics))

    def _send_counts(self, batch: _Batch, report: bytes | None = None) -> None:
        self._stored.add(batch.id, batch.changes, self._name, report)
        self._batch = None

    def _report(self, metrics: Iterable[Metric]) -> bytes | None:
        """Returns this process's report of its metrics; None if it is not to be counted."""
        if self._kind is None:
            return None
        return orjson.dumps({"at": now_ms(), "kind": self._kind, "present": _samples(metrics, {"gauge"})})

    def end(self) -> None:
        """Removes this process from the live ones in the metrics."""
        self._kind = None
        self._stored.remove(self._name)

    # --- reading ---

    def processes(self) -> list[Process]:
        """Returns the live processes that report metrics, and drops those that have long been gone."""
        reports = {name.decode(): _read_report(value) for name, value in self._stored.reports()}
        now = now_ms()
        forgotten = [name for name, (at, _, _) in reports.items() if at < now - FORGOTTEN_MS]
        if forgotten:
            with contextlib.suppress(TakesNoWrites):
                self._stored.remove(*forgotten)
        return [Process(name, kind, present) for name, (at, kind, present) in reports.items() if at >= now - ALIVE_MS]

    def read(self, processes: Iterable[Process]) -> list[Metric]:
        """Returns the installation's metrics, limited to those this process knows."""
        sums: defaultdict[str, float] = defaultdict(float)
        for key, value in self._stored.sums():
            if key.startswith(b'["'):  # skip what another version of the program stores in another form
                sums[key.decode()] += float(value)
        others = (process.present for process in processes if process.name != self._name)
        for present in (_samples(self._registry.collect(), {"gauge"}), *others):
            for sample, number in present.items():
                sums[sample] += number
        return _summed_metrics(self._registry, sums)


def _read_report(value: bytes) -> tuple[int, str, Sums]:
    """Returns when a process last reported its metrics, its kind, and its gauges.

    Reports in an unknown form, as another version might write them, count as long gone.
    """
    try:
        report = orjson.loads(value)
        return (
            int(report["at"]),
            str(report["kind"]),
            {str(name): float(one) for name, one in report["present"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return 0, "", {}


def _samples(metrics: Iterable[Metric], types: set[str]) -> dict[str, float]:
    """Returns the values of all metrics of some types, without their creation times."""
    return {
        _sample_key(sample): sample.value
        for metric in metrics
        if metric.type in types
        for sample in metric.samples
        if not sample.name.endswith("_created")
    }


def _sample_key(sample: Sample) -> str:
    return orjson.dumps([sample.name, sample.labels], option=orjson.OPT_SORT_KEYS).decode()


def _summed_metrics(registry: CollectorRegistry, sums: Sums) -> list[Metric]:
    """Returns a registry's metrics with the sums of all processes in place of its own values."""
    families = list(registry.collect())
    # Metrics that nobody has counted yet appear as zero.
    wanted = dict.fromkeys(_samples(families, {"counter", "histogram", "gauge"}), 0.0) | dict(sums)
    by_name: defaultdict[str, list[Sample]] = defaultdict(list)
    for key, value in wanted.items():
        name, labels = orjson.loads(key)
        by_name[name].append(Sample(name, labels, value))
    summed = []
    for family in families:
        metric = Metric(family.name, family.documentation, family.type)
        samples = [
            sample for suffix in ("", "_total", "_bucket", "_count", "_sum") for sample in by_name[family.name + suffix]
        ]
        metric.samples = sorted(samples, key=_sample_order)
        summed.append(metric)
    return summed


def _sample_order(sample: Sample) -> tuple[list[tuple[str, str]], str, float]:
    """Returns the sort key of a metric's sample: buckets of one histogram in a row, smallest first."""
    labels = {name: value for name, value in sample.labels.items() if name != "le"}
    return sorted(labels.items()), sample.name, float(sample.labels.get("le", "inf"))
