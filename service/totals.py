"""The measurements of all processes together: each adds what it has counted to sums in Redis, once a second.

So nothing is sent when something is measured, and whoever reads the sums sees every API process and every worker, on
whatever machine. A process that is killed takes with it what it has counted since its last report. What is no count but
the state of a process, as its open streams, stands beside the sums as long as the process says that it lives.
"""

import os
import secrets
import socket
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import orjson
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric
from prometheus_client.samples import Sample

from service import keys
from service.connection import Command, Exchange
from service.scripts import ADD
from service.times import now_ms

ALIVE_MS: Final = 5_000
"""How long a process counts as alive after it last said so."""
FORGOTTEN_MS: Final = 60_000
MARK_SECONDS: Final = 3600
"""How long it is known that a batch has been added: longer than anybody tries to send it once more."""

Sums = Mapping[str, float]
"""Values by sample, that is by name and labels."""


class Process(NamedTuple):
    """A process that is alive: what it is, and what it has at present."""

    name: str
    kind: str
    present: Sums


class _Batch(NamedTuple):
    """What is to be added to the sums."""

    id: str
    changes: Sums


class Totals:
    """The sums of an installation, to which this process adds what its registry counts."""

    def __init__(self, exchange: Exchange, registry: CollectorRegistry) -> None:
        self._exchange = exchange
        self._registry = registry
        self._reported: Sums = {}
        self._batch: _Batch | None = None
        self._reporting = threading.Lock()
        self._kind: str | None = None
        self._name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    # --- reporting ---

    def begin(self, kind: str) -> None:
        """Lets this process count among those that are alive, from its next report on."""
        self._kind = kind

    def report(self) -> None:
        """Adds what this process has counted since its last report, and says that it lives.

        Raises:
            Unavailable: Redis is away; nothing is lost by it, and nothing is added twice.
        """
        with self._reporting:
            if self._batch is not None:
                # It may have arrived or not. Its mark says so, hence it must not change any more.
                self._send(self._batch)
            metrics = list(self._registry.collect())
            counts = _samples(metrics, {"counter", "histogram"})
            changes = {key: value - self._reported.get(key, 0.0) for key, value in counts.items()}
            self._batch = _Batch(secrets.token_hex(8), {key: change for key, change in changes.items() if change})
            self._reported = counts
            self._send(self._batch, *self._sign_of_life(metrics))

    def _send(self, batch: _Batch, *before: Command) -> None:
        pairs = [word for pair in batch.changes.items() for word in pair]
        if pairs:
            self._exchange.run(ADD, [keys.MEASURED, keys.reported(batch.id)], [MARK_SECONDS, *pairs], before)
        elif before:
            self._exchange.send(*before)
        self._batch = None

    def _sign_of_life(self, metrics: Iterable[Metric]) -> list[Command]:
        if self._kind is None:
            return []
        said = {"at": now_ms(), "kind": self._kind, "present": _samples(metrics, {"gauge"})}
        return [("HSET", keys.PROCESSES, self._name, orjson.dumps(said))]

    def end(self) -> None:
        """Says that this process ends.

        Raises:
            Unavailable: Redis is away.
        """
        self._kind = None
        self._exchange.send(("HDEL", keys.PROCESSES, self._name))

    # --- reading ---

    def processes(self) -> list[Process]:
        """Returns the processes that are alive, and forgets those that have long not been.

        Raises:
            Unavailable: Redis is away.
        """
        reply = self._exchange.send(("HGETALL", keys.PROCESSES))
        said = {name.decode(): _report_of(value) for name, value in _pairs(reply)}
        now = now_ms()
        forgotten = [name for name, (at, _, _) in said.items() if at < now - FORGOTTEN_MS]
        if forgotten:
            self._exchange.send(("HDEL", keys.PROCESSES, *forgotten))
        return [Process(name, kind, present) for name, (at, kind, present) in said.items() if at >= now - ALIVE_MS]

    def read(self, processes: Iterable[Process]) -> list[Metric]:
        """Returns what the installation has measured, of all that this process too knows how to measure.

        Raises:
            Unavailable: Redis is away.
        """
        sums: defaultdict[str, float] = defaultdict(float)
        for key, value in _pairs(self._exchange.send(("HGETALL", keys.MEASURED))):
            if key.startswith(b'["'):  # what another version of this program keeps otherwise is left to it
                sums[key.decode()] += float(value)
        others = (process.present for process in processes if process.name != self._name)
        for present in (_samples(self._registry.collect(), {"gauge"}), *others):
            for sample, number in present.items():
                sums[sample] += number
        return _families(self._registry, sums)


def _report_of(value: bytes) -> tuple[int, str, Sums]:
    """Returns when a process last said that it lives, what it is, and what it has at present.

    One that says so in another form, as another version of this program might, counts as long forgotten.
    """
    try:
        said = orjson.loads(value)
        return int(said["at"]), str(said["kind"]), {str(name): float(one) for name, one in said["present"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return 0, "", {}


def _pairs(replies: list[list[bytes]]) -> Iterator[tuple[bytes, bytes]]:
    return zip(replies[0][::2], replies[0][1::2], strict=True)


def _samples(metrics: Iterable[Metric], types: set[str]) -> dict[str, float]:
    """Returns the values of all metrics of some types; when each began to count is nobody's concern."""
    return {
        _key(sample): sample.value
        for metric in metrics
        if metric.type in types
        for sample in metric.samples
        if not sample.name.endswith("_created")
    }


def _key(sample: Sample) -> str:
    return orjson.dumps([sample.name, sample.labels], option=orjson.OPT_SORT_KEYS).decode()


def _families(registry: CollectorRegistry, sums: Sums) -> list[Metric]:
    """Returns the metrics of a registry with the sums in place of its own values."""
    families = list(registry.collect())
    # What nobody has counted yet is there as well, as zero.
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
        metric.samples = sorted(samples, key=_order)
        summed.append(metric)
    return summed


def _order(sample: Sample) -> tuple[list[tuple[str, str]], str, float]:
    """Returns where a sample stands: the buckets of one histogram in a row, the smallest first."""
    labels = {name: value for name, value in sample.labels.items() if name != "le"}
    return sorted(labels.items()), sample.name, float(sample.labels.get("le", "inf"))
