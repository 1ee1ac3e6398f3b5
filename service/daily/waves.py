"""Carries out the deals of the day: the bot's try, and after the day the end of all tries and what the crowd chose.

Each step looks at what is stored and may be repeated, so any number of workers may do it at once, and what was
interrupted the next look does. Nothing is revealed while anybody could still act on it: first no try can begin any
more, then all end, and only then the secret is no secret.
"""

import logging
import time
from contextlib import suppress
from typing import Final

from games.causes import Abort
from games.daily.crowd import Line, crowd_of, has_won, line_of
from games.daily.days import EXPERT, Day
from games.errors import Unavailable, kind_of
from games.ids import own_bot
from games.player import bot_player
from service.changing.changes import Changes
from service.changing.unsealing import unseal
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from service.jobs.schedule import Task
from service.players import Players
from service.store.daily.stored_days import StoredDays
from service.store.log.event_log import EventLog, VersionConflict
from service.store.redis.client import RedisClient

LEASE_MS: Final = 1_000
"""The pause between looks at a day that has ended, until all is done."""
CLAIMED_AT_ONCE: Final = 20
SLICE_SECONDS: Final = 4.0
"""How long one look lasts at most; the next one goes on."""
PATIENCE_MS: Final = 600_000
"""How long after the end of a day the bot is waited for, which nobody can ask and which may have begun late."""
_BOT: Final = bot_player(EXPERT)

_log = logging.getLogger(__name__)


class DayWaves:
    """Carries out the deals of the day of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, changes: Changes, players: Players) -> None:
        self._stored = StoredDays(redis)
        self._event_log = log
        self._changes = changes
        self._players = players

    def tasks(self) -> list[Task]:
        """Claims the days that are due and returns tasks for the workers."""
        now = now_ms()
        return [Task("day", one, 0) for one in self._stored.due.claim(now, now + LEASE_MS, CLAIMED_AT_ONCE)]

    def run(self, name: str) -> None:
        """Does what is to be done about a deal of the day, as far as it comes in a few seconds."""
        day = Day.named(name)
        if day is None:
            self._stored.due.remove(name)
        elif now_ms() < day.ends:
            self._let_the_bot_try(day)
            self._stored.due.set(day.id, day.ends)
        else:
            self._end(day, time.monotonic() + SLICE_SECONDS)

    def _let_the_bot_try(self, day: Day) -> None:
        if self._stored.begin(day.id, _BOT, counts=False, now=now_ms()):
            self._open(day, _BOT)

    def _open(self, day: Day, player: str) -> None:
        """Begins a try at the deal of a day, once however often it is called."""
        new = day.opening(self._players.installation_secret(), player, now_ms(), fresh())
        with suppress(VersionConflict):  # it has begun
            self._changes.append(new)

    def _end(self, day: Day, until: float) -> None:
        """Does what follows the end of a day: each step once the one before is done for all who have tried.

        A try that is found later, in a restored backup, changes nothing of what the crowd chose, but is unsealed, too.
        """
        self._stored.close(day.id)
        for player in self._stored.running(day.id):
            if time.monotonic() > until:
                return
            self._call_off(day, player)
        if self._stored.running(day.id):
            return
        for player, counts in self._stored.unread(day.id):
            if time.monotonic() > until:
                return
            self._read_line(day, player, counts=counts)
        lines = self._stored.lines(day.id)  # before the look whether all are there: rebuilding may take one out
        if not any(True for _ in self._stored.unread(day.id)):
            expert = lines.pop(_BOT, None)
            self._stored.keep(day.id, crowd_of(lines.values(), expert))
            self._stored.forget_tries(day.id)

    def _call_off(self, day: Day, player: str) -> None:
        """Ends a try that still runs when the day is over; only the bot has some more time."""
        game = day.game(self._players.installation_secret(), player)
        won = False
        try:
            if self._event_log.read(game).snapshot is None:
                self._open(day, player)  # whoever was to begin it was interrupted, and might go on later
            elif own_bot(player) is not None and now_ms() < day.ends + PATIENCE_MS:
                snapshot = self._event_log.read(game).snapshot
                if snapshot is not None and not snapshot.ended:
                    return
            won = has_won(self._changes.by_operator(game, lambda snapshot: None if snapshot.ended else Abort()))
        except Unavailable:
            raise
        except Exception as error:
            _log.error("game %s cannot be called off and is left as it is: %s", game, kind_of(error))
        self._stored.end(day.id, player, won=won)

    def _read_line(self, day: Day, player: str, *, counts: bool) -> None:
        """Reveals the secret of a try, and keeps its line if it counts."""
        game = day.game(self._players.installation_secret(), player)
        line: Line | None = None
        try:
            if not unseal(self._event_log, self._changes, game):
                return
            ended = self._event_log.read(game).snapshot
            if ended is not None and (counts or player == _BOT):
                line = line_of(ended, self._event_log.causes(ended))
        except Unavailable:
            raise
        except Exception as error:
            _log.error("game %s is left out of the deal of the day: %s", game, kind_of(error))
        self._stored.add_line(day.id, player, line)
