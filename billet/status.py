"""Reports the health of an installation as lines for a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from prometheus_client.metrics_core import Metric

from billet.columns import table
from games.times import text_of
from service.jobs.form import UNATTENDED
from service.metrics.reporting import API, QUICK_WORKER, WORKER
from service.metrics.survey import InstallationState

LONG_SECONDS: Final = 10.0
"""How long a job may wait before it counts as a fault; jobs of games without people may wait indefinitely."""


MEGABYTE: Final = 2**20


class Times(NamedTuple):
    """Measured times: their number, their median and their 99th percentile."""

    number: int
    median: float
    p99: float


class Measured:
    """The metrics of an installation, by their names without `billet_`."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._samples = {metric.name.removeprefix("billet_"): metric.samples for metric in metrics}

    def count(self, name: str, **labels: str) -> int:
        """Returns the sum of a counter, for `billet status`, over all series with these labels."""
        samples = self._samples.get(name, ())
        return int(sum(one.value for one in samples if labels.items() <= one.labels.items()))

    def times(self, name: str, **labels: str) -> Times:
        """Returns the times of a histogram, for `billet status`, over all series with these labels."""
        buckets: dict[float, float] = {0.0: 0.0}
        for one in self._samples.get(name, ()):
            if "le" in one.labels and labels.items() <= one.labels.items():
                bound = float(one.labels["le"])
                buckets[bound] = buckets.get(bound, 0.0) + one.value
        return Times(int(max(buckets.values())), quantile(buckets, 0.5), quantile(buckets, 0.99))

    def bots(self, edition: str) -> list[str]:
        """Returns the bots that have played an edition, for `billet status`."""
        return sorted(
            {one.labels["bot"] for one in self._samples.get("turn_seconds", ()) if one.labels["edition"] == edition}
        )


def quantile(buckets: Mapping[float, float], share: float) -> float:
    """Returns a quantile of times for `billet status`, interpolated linearly within its bucket.

    `buckets` holds the cumulative count by upper bound. Returns 0 without times, and at most the highest bound.
    """
    bounds = sorted(buckets.items())
    rank = share * bounds[-1][1]
    for (low, below), (high, upto) in pairwise(bounds):
        if upto >= rank and upto > below:
            return low if high == float("inf") else low + (high - low) * (rank - below) / (upto - below)
    return 0.0


def faults(state: InstallationState) -> list[str]:
    """Returns the faults that `billet status` reports, a sentence each; empty if all is well."""
    found, games = [*_redis_faults(state)], state.games
    takes_writes = not any({"full", "read_only"} & one.faults.keys() for one in state.store)
    if state.redis and takes_writes:  # otherwise no process can report to be alive
        found += _missing_processes(state.processes)
    if games.overdue:
        found.append(f"overdue games: {games.overdue}")
    if games.late_results:
        found.append(f"games whose results cannot be recorded: {games.late_results}; the workers' log says why")
    if games.late_days:
        found.append(f"deals of the day that cannot be revealed: {games.late_days}; the workers' log says why")
    if games.late_matches:
        found.append(f"matches that do not go on: {games.late_matches}; the workers' log says why")
    if unread := Measured(state.measured).count("archive_away"):
        found.append(f"processes that cannot read the archive: {unread}; their logs say why")
    if games.not_archived:
        found.append(f"games that cannot be archived: {games.not_archived}, one of them for {games.why_not_archived}")
    if games.damaged:
        found.append(f"damaged games: {games.damaged}, the last one met is {games.damaged_one}")
    if games.damaged_files:
        last = f"the last one met is that of game {games.damaged_file_of}"
        found.append(f"damaged or missing files in the archive: {games.damaged_files}, {last}")
    for name, waiting in state.queues.items():
        if waiting.oldest > LONG_SECONDS and not name.startswith(UNATTENDED):
            found.append(f"a job waits in the queue {name} for {waiting.oldest:.0f} s")
    return found


def _missing_processes(alive: Mapping[str, int]) -> Iterator[str]:
    if not alive[API]:
        yield "no API process is alive"
    if not alive[WORKER]:
        only = ", only quick ones: the bot `cautious` plays for those that think" if alive[QUICK_WORKER] else ""
        yield f"no worker is alive{only}"


def _redis_faults(state: InstallationState) -> Iterator[str]:
    for one in state.store:
        whose = f"the node {one.node}" if one.node else "the Redis of the games"
        yield from (f"{whose} {says}" for says in one.faults.values())
    queues = state.queue_store if state.queue_store is not None else state.store[0]
    if queues is state.queue_store or "away" in queues.faults:
        yield from (f"the Redis of the queues {says}" for says in queues.faults.values())
    if not state.redis and not any(one.faults for one in state.store):
        yield "the Redis of the games does not answer"
    if not state.queue_redis and not queues.faults:
        yield "the Redis of the queues does not answer"


def as_data(state: InstallationState) -> dict[str, Any]:
    """Returns what `billet status` knows of an installation, as `--json` prints it: times are in seconds."""
    measured = Measured(state.measured)
    return {
        "faults": faults(state),
        "processes": dict(state.processes),
        "queues": {name: {"jobs": one.jobs, "oldest_seconds": one.oldest} for name, one in state.queues.items()},
        "games": {
            edition: {
                "active": active,
                "waiting": state.games.waiting.get(edition, 0),
                **{name: measured.count(name, edition=edition) for name in ("games_ended", "appends", "conflicts")},
                "lateness": measured.times("timeout_lateness_seconds", edition=edition)._asdict(),
                "bots": {bot: _bot_as_data(measured, edition, bot) for bot in measured.bots(edition)},
            }
            for edition, active in state.games.active.items()
        },
        "overdue": state.games.overdue,
        "late_results": state.games.late_results,
        "late_days": state.games.late_days,
        "matches": state.games.matches,
        "late_matches": state.games.late_matches,
        "damaged": state.games.damaged,
        "damaged_files": state.games.damaged_files,
        "stand_ins": measured.count("bot_stand_ins"),
        "failed_jobs": measured.count("jobs_failed"),
        "backed_up": text_of(state.games.backed_up) if state.games.backed_up else None,
        "archived": measured.count("games_archived"),
        "removed": measured.count("games_removed"),
        "memory": {"used_bytes": state.fullest.used, "limit_bytes": state.fullest.most},
    }


def _bot_as_data(measured: Measured, edition: str, bot: str) -> dict[str, Any]:
    names = {"turns": "turn_seconds", "thinking": "bot_think_seconds"}
    return {says: measured.times(name, edition=edition, bot=bot)._asdict() for says, name in names.items()}


def lines(data: Mapping[str, Any]) -> Iterator[str]:
    """Yields the lines that `billet status` prints for a person, from its data."""
    yield "all is well" if not data["faults"] else f"NOT WELL: {'; '.join(data['faults'])}"
    if data["processes"]:
        yield ""
        yield from table(("processes", "alive"), [(kind, str(n)) for kind, n in data["processes"].items()])
    if data["queues"]:
        yield ""
        queues = [(name, str(one["jobs"]), _time_text(one["oldest_seconds"])) for name, one in data["queues"].items()]
        yield from table(("queue", "jobs", "oldest"), queues)
    if data["processes"]:  # otherwise Redis says nothing of games either
        yield ""
        yield f"overdue games: {data['overdue']}"
        yield f"matches that are not over: {data['matches']}"
        yield f"archived games: {data['archived']}"
        yield f"expired games removed: {data['removed']}"
        yield f"turns of a bot that another one played: {data['stand_ins']}"
        yield f"failed jobs: {data['failed_jobs']}"
        yield f"last backup: {data['backed_up'] or 'never'}"
        yield f"memory of Redis: {_memory_text(**data['memory'])}"
        yield ""
        yield from table(GAMES, [_games_row(edition, games) for edition, games in data["games"].items()])
        yield ""
        bots = [_turns_row(edition, *one) for edition, games in data["games"].items() for one in games["bots"].items()]
        yield from table(TURNS, bots, words=2)


GAMES: Final = ("games", "active", "waiting", "ended", "appends", "conflicts", "timeouts", "late median", "late p99")
TURNS: Final = ("bot turns", "bot", "turns", "median", "p99", "think median", "think p99")


def _games_row(edition: str, games: Mapping[str, Any]) -> Sequence[str]:
    counts = [str(games[name]) for name in ("active", "waiting", "games_ended", "appends", "conflicts")]
    return edition, *counts, str(games["lateness"]["number"]), *_median_and_p99(games["lateness"])


def _turns_row(edition: str, bot: str, times: Mapping[str, Any]) -> Sequence[str]:
    turns = times["turns"]
    return edition, bot, str(turns["number"]), *_median_and_p99(turns), *_median_and_p99(times["thinking"])


def _median_and_p99(times: Mapping[str, Any]) -> Sequence[str]:
    return ("-", "-") if not times["number"] else (_time_text(times["median"]), _time_text(times["p99"]))


def _memory_text(used_bytes: int, limit_bytes: int) -> str:
    bound = f" of {limit_bytes / MEGABYTE:.0f} MB" if limit_bytes else ", without a bound"
    return f"{used_bytes / MEGABYTE:.0f} MB{bound}"


def _time_text(seconds: float) -> str:
    ms = 1000 * seconds
    return f"{seconds:.1f} s" if seconds >= 1 else f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
