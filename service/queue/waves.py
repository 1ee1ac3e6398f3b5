"""Pairs players who wait, and opens the games of pairings.

A pairing takes its tickets in one step, so a ticket is in one pairing only. Its game has an id that follows from the
tickets, so whoever opens it opens the same. A pairing stays on the list of pending ones until all is done: whatever was
interrupted, the next wave does the rest.
"""

import logging
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Final

from engine.state import ACTIVE
from games.errors import Unavailable, kind_of
from games.notices import matched
from games.queue.pairing import pairings
from games.queue.pending import PendingPairing
from games.queue.tickets import EXPIRED, EXPIRES_MS, HERE_MS, TAKEN, QueueTicket
from games.ratings.pools import LIVE, pace_of
from games.snapshot import Snapshot
from service.changing.changes import Changes
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from service.jobs.schedule import Task
from service.metrics.measures import Measures
from service.store.damaged import leaving_out
from service.store.feeds.stored_notices import StoredNotices
from service.store.lists.by_time import playing
from service.store.lists.presence import Presence
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.meta import read_meta
from service.store.queue.stored_queue import StoredQueue
from service.store.redis.client import RedisClient

TRIED_MS: Final = 60_000
"""How long a pairing whose game cannot be opened is tried, which is longer than any job runs."""
LATEST_GAMES: Final = 20
"""How many of their latest running games are looked at to see whether a player is busy."""

_log = logging.getLogger(__name__)


class Waves:
    """Pairs the players of an installation. Every call may raise `Unavailable`."""

    def __init__(
        self, redis: RedisClient, log: EventLog, changes: Changes, presence: Presence, measures: Measures
    ) -> None:
        self._redis = redis
        self._stored = StoredQueue(redis)
        self._notices = StoredNotices(redis)
        self._event_log = log
        self._changes = changes
        self._presence = presence
        self._measures = measures

    def tasks(self) -> list[Task]:
        """Takes the editions whose next wave is due and returns tasks for the workers."""
        return [Task("pair", edition, 0) for edition in self._stored.waves(now_ms())]

    def run(self, edition: str) -> None:
        """Opens the games of an edition's pending pairings, stops tickets that have expired, and makes pairings.

        Raises:
            Unavailable: Redis is away, or a node that has the games of some pairings; the others are open.
        """
        failed = self._open_each(self._stored.pending(edition))
        now = now_ms()
        for game, tickets in self._stored.damaged(edition).items():
            self._give_up(edition, game, tickets, now)
        for ticket in self._stored.unasked(edition, now):
            if self._stored.stop(ticket, edition, EXPIRED, now - EXPIRES_MS):
                self._measures.queue_ticket(edition, EXPIRED)
        here = self._here(edition, now)
        blocked = self._stored.blocked([ticket.player for ticket in here])
        here = [ticket for ticket in here if ticket.player in blocked]
        blocks = {frozenset((player, other)) for player, others in blocked.items() for other in others}
        found = (PendingPairing.of(one, now) for one in pairings(here, now, blocks, self._stored.met(now)))
        failed += self._open_each(pairing for pairing in found if self._stored.take(pairing))
        if failed:
            raise failed[0]

    def open(self, pairing: PendingPairing) -> None:
        """Opens the game of a pairing, once however often it is called, and tells its players."""
        new = pairing.opening(now_ms(), fresh())
        new.after.address_hash = pairing.address_hash  # nobody else has it yet
        try:
            self._changes.append(new)
            snapshot = new.after
        except VersionConflict:
            found = self._event_log.read(pairing.game).snapshot
            if found is None:  # it was removed since
                self._stored.opened(pairing.edition, pairing.game, pairing.tickets.values())
                return
            snapshot = found
        by_ticket = [(pairing.tickets[player], player, [matched(snapshot, player)]) for player in pairing.people]
        self._notices.add(by_ticket)
        if self._stored.opened(pairing.edition, pairing.game, pairing.tickets.values()):
            for since in pairing.since.values():
                self._measures.queue_ticket(pairing.edition, "matched", max(0, pairing.made - since) / 1000)

    def open_of(self, ticket: QueueTicket) -> None:
        """Opens the game for which a ticket was taken, if that has not been done and can be."""
        if ticket.state == TAKEN and (pairing := self._stored.pending_of(ticket)) is not None:
            self._open_or_leave(pairing)

    def _open_each(self, some: Iterable[PendingPairing]) -> list[Unavailable]:
        """Opens the games of pairings; returns the errors of those whose nodes are away, which the next wave tries."""
        failed = []
        for pairing in some:
            try:
                self._open_or_leave(pairing)
            except Unavailable as error:
                failed.append(error)
        return failed

    def _open_or_leave(self, pairing: PendingPairing) -> None:
        """Opens the game of a pairing; if that fails, the other pairings do not wait for it.

        A pairing for which it always fails is given up, and its tickets wait again.
        """
        try:
            self.open(pairing)
        except Unavailable:
            raise
        except Exception as error:
            given_up = abs(now_ms() - pairing.made) > TRIED_MS  # also after a clock was set back
            further = "given up" if given_up else "tried again"
            _log.error(
                "the game %s of a pairing cannot be opened, and is %s: %s", pairing.game, further, kind_of(error)
            )
            if given_up:
                self._give_up(pairing.edition, pairing.game, pairing.tickets.values(), pairing.made)

    def _give_up(self, edition: str, game: str, tickets: Iterable[str], made: int) -> None:
        """Ends the attempts to open the game of a pairing: its tickets wait again, unless the game is there."""
        is_there = read_meta(self._redis, game, "head")[0] is not None
        if is_there:
            self._stored.opened(edition, game, tickets)
        else:
            self._stored.give_up(edition, game, tickets, made)

    def _here(self, edition: str, now: int) -> list[QueueTicket]:
        """Returns the tickets that wait for an edition and whose players are here.

        Those are the players who have asked for their ticket lately, or were seen lately and are not busy elsewhere.
        """
        asked = self._stored.asked(edition)
        tickets = [one for one in self._stored.tickets([*asked]) if one is not None]
        since = now - HERE_MS
        here = [one for one in tickets if asked[one.id] > since]
        with suppress(Unavailable):
            seen = self._presence.seen([one.player for one in tickets if asked[one.id] <= since])
            here += [one for one in tickets if seen.get(one.player, 0) > since and not self._is_busy(one.player)]
        return here

    def _is_busy(self, player: str) -> bool:
        """Returns whether a player sits at a table where the others expect moves at once, or may do so."""
        try:
            for game, _ in islice(playing(self._redis, player).newest(), LATEST_GAMES):
                with leaving_out(game, "the queue"):
                    found = self._event_log.read(game).snapshot
                    if found is not None and player in found.humans and _is_live(found):
                        return True
        except Unavailable:  # that of a node of a cluster
            return True
        return False


def _is_live(snapshot: Snapshot) -> bool:
    """Returns whether a game is played at one sitting: it runs, and has no clock, or one of minutes."""
    clock = snapshot.table.clock
    return snapshot.state.status == ACTIVE and (clock is None or pace_of(clock) == LIVE)
