"""What a process measures of games: what it appended, how long bots took, how late clocks fired.

Labels are editions and names of bots and never say which game, who or what card. How the measurements of all processes
come together is for `totals`.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

from service.causes import Act, TimeOut
from service.ids import own_bot
from service.log import Step
from service.snapshot import Snapshot
from service.times import ms_of

BUCKETS: Final = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.225, 0.25, 0.275, 0.3, 0.4, 0.5, 0.75),
    *(1.0, 2.5, 5.0, 10.0, 60.0, 600.0),
)
"""In seconds, close to one another about what bots are given to think and what is promised of them and of clocks."""


class Measures:
    """The instruments of one process."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        self._appends = Counter(
            "billet_appends", "Actions and other changes appended to games.", ("edition",), registry=self.registry
        )
        self._conflicts = Counter(
            "billet_conflicts",
            "Appends refused because somebody else was faster; what a player asked for is then tried again.",
            ("edition",),
            registry=self.registry,
        )
        self._ended = Counter(
            "billet_games_ended",
            "Games that have ended, finished or aborted; sandbox games are not counted.",
            ("edition", "how"),
            registry=self.registry,
        )
        self._turns = Histogram(
            "billet_turn_seconds",
            "Time from the action before a bot's turn to what the bot does.",
            ("edition", "bot"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._thinking = Histogram(
            "billet_bot_think_seconds",
            "Time that a bot took to choose.",
            ("edition", "bot"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._lateness = Histogram(
            "billet_timeout_lateness_seconds",
            "Time from the deadline of a seat to what was done because it had run out.",
            ("edition",),
            buckets=BUCKETS,
            registry=self.registry,
        )

        self._archived = Counter(
            "billet_games_archived",
            "Games that went into the archive and out of Redis.",
            ("edition",),
            registry=self.registry,
        )
        self._not_archived = Counter(
            "billet_archive_failures",
            "Attempts to archive a game that failed; the game stayed in Redis.",
            registry=self.registry,
        )

    def appended(self, new: Step) -> None:
        """Notes a step that has been appended."""
        edition = new.after.table.edition
        self._appends.labels(edition).inc()
        if new.before is None:
            return
        if new.after.ended and not new.after.table.sandbox:
            self._ended.labels(edition, new.after.state.status).inc()
        at = ms_of(new.entries[0].at)
        match new.cause:
            case TimeOut() if new.before.deadline is not None:
                self._lateness.labels(edition).observe((at - new.before.deadline) / 1000)
            case Act(seat) if new.before.asked is not None:
                bot = own_bot(new.before.players[seat])
                if bot is not None:
                    self._turns.labels(edition, bot).observe((at - new.before.asked) / 1000)

    def refused(self, new: Step) -> None:
        """Notes a step that could not be appended because somebody else was faster."""
        self._conflicts.labels(new.after.table.edition).inc()

    def archived(self, ended: Snapshot) -> None:
        """Notes a game that is in the archive now and not in Redis any more."""
        self._archived.labels(ended.table.edition).inc()

    def not_archived(self) -> None:
        """Notes a game that could not be archived."""
        self._not_archived.inc()

    def chosen(self, snapshot: Snapshot, seconds: float) -> None:
        """Notes how long the bot whose turn it is has taken to choose."""
        seat = snapshot.state.to_act
        bot = own_bot(snapshot.players[seat]) if seat is not None else None
        if bot is not None:
            self._thinking.labels(snapshot.table.edition, bot).observe(seconds)
