"""Measures games in this process: appends, bot thinking times, lateness of clocks.

Labels are editions and bot names. They never identify a game, player or card. `totals` sums all processes.
"""

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from engine.bots import BOTS
from games.causes import Act, TimeOut
from games.ids import own_bot
from games.snapshot import Snapshot
from games.steps import Step
from games.times import ms_of
from games.version import VERSION
from service.jobs.form import KINDS

BUCKETS: Final = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.225, 0.25, 0.275, 0.3, 0.4, 0.5, 0.75),
    *(1.0, 2.5, 5.0, 10.0, 60.0, 600.0),
)
"""In seconds; dense around the thinking time of bots and around the promised times of bots and clocks."""


class Measures:
    """The instruments of one process."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        seconds = partial(Histogram, buckets=BUCKETS, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        self._appends = counter("billet_appends", "Actions and other changes appended to games.", ("edition",))
        # labels() takes a lock and formats its arguments; a plain dict of what it returned does not.
        self._appends_of: dict[str, Counter] = {}
        self._conflicts = counter(
            "billet_conflicts",
            "Appends refused because somebody else was faster; what a player asked for is then tried again.",
            ("edition",),
        )
        self._ended = counter(
            "billet_games_ended",
            "Games that have ended, finished or aborted; sandbox games are not counted.",
            ("edition", "how"),
        )
        self._turns = seconds(
            "billet_turn_seconds", "Time from the action before a bot's turn to what the bot does.", ("edition", "bot")
        )
        self._stand_ins = counter(
            "billet_bot_stand_ins", "Turns of a bot that another bot played, because it was late or failed.", ("bot",)
        )
        for bot in BOTS:
            self._stand_ins.labels(bot)  # so that the first one is seen as an increase
        self._jobs_failed = counter("billet_jobs_failed", "Jobs that failed.", ("job",))
        for kind in KINDS:
            self._jobs_failed.labels(kind)
        self._thinking = seconds("billet_bot_think_seconds", "Time that a bot took to choose.", ("edition", "bot"))
        self._lateness = seconds(
            "billet_timeout_lateness_seconds",
            "Time from the deadline of a seat to what was done because it had run out.",
            ("edition",),
        )
        self._queue_tickets = counter(
            "billet_queue_tickets", "Queue tickets that no longer wait, by what became of them.", ("edition", "how")
        )
        self._queue_waits = seconds(
            "billet_queue_ticket_seconds", "Time from the call for a queue ticket to its pairing.", ("edition",)
        )
        self._archived = counter(
            "billet_games_archived", "Games that went into the archive and out of Redis.", ("edition",)
        )
        self._removed = counter("billet_games_removed", "Games that expired and left Redis.", ("edition",))
        self._not_archived = counter(
            "billet_archive_failures", "Attempts to archive a game that failed; the game stayed in Redis."
        )
        self._archive_away = gauge(
            "billet_archive_away", "Processes that cannot read the archive, although games are in it."
        )
        built = gauge("billet_build_info", "Live processes, by the version that they run.", ("version",))
        built.labels(VERSION).set(1)

    def archive_away(self, away: bool) -> None:
        """Records in the metrics whether this process cannot read the archive."""
        self._archive_away.set(away)

    def appended(self, new: Step) -> None:
        """Counts an appended step in the metrics."""
        edition = new.after.table.edition
        appends = self._appends_of.get(edition)
        if appends is None:
            appends = self._appends_of[edition] = self._appends.labels(edition)
        appends.inc()
        if new.before is None:
            return
        if new.after.ended and not new.after.table.sandbox:
            self._ended.labels(edition, new.after.state.status).inc()
        match new.cause:
            case Act(seat, thought=thought):
                bot = own_bot(new.before.players[seat])
                if bot in BOTS and thought is not None and thought.bot != bot:
                    self._stand_ins.labels(bot).inc()
                if bot is not None and new.before.asked is not None:
                    took = ms_of(new.entries[0].at) - new.before.asked
                    self._turns.labels(edition, bot).observe(took / 1000)
            case TimeOut() if new.before.deadline is not None:
                late = ms_of(new.entries[0].at) - new.before.deadline
                self._lateness.labels(edition).observe(late / 1000)

    def refused(self, new: Step) -> None:
        """Counts in the metrics a step that lost to another change."""
        self._conflicts.labels(new.after.table.edition).inc()

    def queue_ticket(self, edition: str, how: str, seconds: float | None = None) -> None:
        """Counts in the metrics a queue ticket that no longer waits; matched ones with how long they waited."""
        self._queue_tickets.labels(edition, how).inc()
        if seconds is not None:
            self._queue_waits.labels(edition).observe(seconds)

    def archived(self, ended: Snapshot) -> None:
        """Counts in the metrics a game moved from Redis to the archive."""
        self._archived.labels(ended.table.edition).inc()

    def removed(self, ended: Snapshot) -> None:
        """Counts in the metrics an expired game removed from Redis."""
        self._removed.labels(ended.table.edition).inc()

    def not_archived(self) -> None:
        """Counts in the metrics a game that could not be archived."""
        self._not_archived.inc()

    def job_failed(self, function: str | None) -> None:
        """Counts in the metrics a job that failed, by the path of its function."""
        [kind] = [name for name, kind in KINDS.items() if kind.function == function]
        self._jobs_failed.labels(kind).inc()

    def chosen(self, snapshot: Snapshot, seconds: float) -> None:
        """Records in the metrics how long the bot to act took to choose."""
        seat = snapshot.state.to_act
        bot = own_bot(snapshot.players[seat]) if seat is not None else None
        if bot is not None:
            self._thinking.labels(snapshot.table.edition, bot).observe(seconds)
