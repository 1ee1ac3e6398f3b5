"""Serves Prometheus the metrics of the whole installation and of the responding process."""

from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from service.metrics.survey import InstallationState, Survey
from service.store.redis.condition import FAULTS, OF_QUEUES, Condition

_PROCESS = CollectorRegistry()
ProcessCollector(registry=_PROCESS)


class Exposition:
    """Writes the metrics page of a process, once for each survey of the installation."""

    def __init__(self) -> None:
        self._written: tuple[InstallationState | None, bytes] = None, b""

    def scrape(self, survey: Survey) -> bytes:
        """Returns the metrics page in Prometheus' text format; without Redis, only the metrics that do not need it."""
        state, age = survey.latest()
        written, text = self._written
        if written is not state:
            text = generate_latest(_StateMetrics(state))
            self._written = state, text
        return text + generate_latest(_Age(age)) + generate_latest(_PROCESS)


class _Age(Collector):
    """How old the state of an installation is in what follows."""

    def __init__(self, age: float) -> None:
        self._age = age

    def collect(self) -> Iterator[Metric]:
        described = "Time since the survey began of which these metrics tell; a few seconds while Redis hangs."
        yield GaugeMetricFamily("billet_survey_age_seconds", described, value=self._age)


class _StateMetrics(Collector):
    """The state of an installation as metric families."""

    def __init__(self, state: InstallationState) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        state = self._state
        up = {"games": state.redis, "queues": state.queue_redis}
        yield _gauge_metric(
            "redis_up", "Whether Redis answers.", "keeps", {name: float(is_up) for name, is_up in up.items()}
        )
        yield _faults_metric(state)
        if state.queue_redis:
            jobs = {name: float(waiting.jobs) for name, waiting in state.queues.items()}
            ages = {name: waiting.oldest for name, waiting in state.queues.items()}
            yield _gauge_metric("queue_jobs", "Jobs that wait.", "queue", jobs)
            yield _gauge_metric("queue_oldest_seconds", "Age of the job that has waited longest.", "queue", ages)
        if state.redis:
            alive = {kind: float(count) for kind, count in state.processes.items()}
            active = {edition: float(count) for edition, count in state.games.active.items()}
            yield _gauge_metric("processes", "Processes that are alive.", "kind", alive)
            counted = "Games that are being played; sandbox games are not counted."
            yield _gauge_metric("games_active", counted, "edition", active)
            overdue = "Games that no sweeper has looked at when it was time."
            yield GaugeMetricFamily("billet_games_overdue", overdue, value=state.games.overdue)
            late = "Ended games whose results several attempts have failed to record; at most 1000 are counted."
            yield GaugeMetricFamily("billet_results_late", late, value=state.games.late_results)
            days = "Deals of the day that are over, and of which workers have not said what came for half an hour."
            yield GaugeMetricFamily("billet_deals_late", days, value=state.games.late_days)
            waiting = {edition: float(count) for edition, count in state.games.waiting.items()}
            yield _gauge_metric("queue_tickets_waiting", "Queue tickets that wait.", "edition", waiting)
            pending = "Pairings of players whose games are not open yet."
            yield GaugeMetricFamily("billet_pairings_pending", pending, value=state.games.pending_pairings)
            matches = "Matches that are not over."
            yield GaugeMetricFamily("billet_matches_active", matches, value=state.games.matches)
            in_vain = (
                "Matches that workers were asked several times to look at, and have not; at most 1000 are counted."
            )
            yield GaugeMetricFamily("billet_matches_late", in_vain, value=state.games.late_matches)
            failed = "Games that could not be archived when it was last tried."
            yield GaugeMetricFamily("billet_games_not_archived", failed, value=state.games.not_archived)
            damaged = "Games that could not be read when somebody came upon them in the last ten minutes."
            yield GaugeMetricFamily("billet_games_damaged", damaged, value=state.games.damaged)
            files = (
                "Files of the archive found missing or damaged when somebody asked for them in the last ten minutes."
            )
            yield GaugeMetricFamily("billet_archive_files_damaged", files, value=state.games.damaged_files)
            backed_up = "When the last backup began that was written whole, in seconds since 1970; 0 if there is none."
            yield GaugeMetricFamily("billet_backup_timestamp_seconds", backed_up, value=state.games.backed_up / 1000)
            used = "Memory that Redis uses; of a cluster, the node with the least room."
            yield GaugeMetricFamily("billet_redis_memory_bytes", used, value=state.fullest.used)
            most = "Memory that Redis may use, its maxmemory; 0 for no bound."
            yield GaugeMetricFamily("billet_redis_memory_limit_bytes", most, value=state.fullest.most)
            replicas = "Connected replicas; of a cluster, of the primary with the fewest."
            fewest = min(one.replicas for one in state.store)
            yield GaugeMetricFamily("billet_redis_replicas", replicas, value=fewest)
        yield from state.measured


def _faults_metric(state: InstallationState) -> Metric:
    family = GaugeMetricFamily("billet_redis_faults", "Redis servers with a fault.", labels=["keeps", "fault"])
    kinds: dict[str, tuple[Sequence[str], Sequence[Condition]]] = {"games": (FAULTS, state.store)}
    if state.queue_store is not None:
        kinds["queues"] = OF_QUEUES, [state.queue_store]
    for keeps, (codes, stores) in kinds.items():
        for code in codes:
            family.add_metric([keeps, code], sum(code in one.faults for one in stores))
    return family


def _gauge_metric(name: str, documentation: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(f"billet_{name}", documentation, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family
