"""What Prometheus reads: the measurements of the whole installation, and the process that gives them."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from service.standing import Standing, Survey

_PROCESS = CollectorRegistry()
ProcessCollector(registry=_PROCESS)


def exposition(survey: Survey) -> bytes:
    """Returns everything in the text format of Prometheus; without Redis, what can be said without it."""
    return generate_latest(_Families(survey.standing())) + generate_latest(_PROCESS)


class _Families(Collector):
    """How an installation stands, as families of metrics."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    def collect(self) -> Iterator[Metric]:
        standing = self._standing
        up = {"games": standing.redis, "queues": standing.queue_redis}
        yield _gauge("redis_up", "Whether Redis answers.", "keeps", {name: float(is_up) for name, is_up in up.items()})
        if standing.queue_redis:
            jobs = {name: float(waiting.jobs) for name, waiting in standing.queues.items()}
            ages = {name: waiting.oldest for name, waiting in standing.queues.items()}
            yield _gauge("queue_jobs", "Jobs that wait.", "queue", jobs)
            yield _gauge("queue_oldest_seconds", "Age of the job that has waited longest.", "queue", ages)
        if standing.redis:
            alive = {kind: float(count) for kind, count in standing.processes.items()}
            active = {edition: float(count) for edition, count in standing.active.items()}
            yield _gauge("processes", "Processes that are alive.", "kind", alive)
            counted = "Games that are being played; sandbox games are not counted."
            yield _gauge("games_active", counted, "edition", active)
            overdue = "Games that no sweeper has looked at when it was time."
            yield GaugeMetricFamily("billet_games_overdue", overdue, value=standing.overdue)
            failed = "Games that could not be archived when it was last tried."
            yield GaugeMetricFamily("billet_games_not_archived", failed, value=standing.not_archived)
        yield from standing.measured


def _gauge(name: str, documentation: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(f"billet_{name}", documentation, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family
