"""Pairs players who wait, and opens the games of pairings.

A pairing takes its tickets in one step, so a ticket is in one pairing only. Its game has an id that follows from the
tickets, so whoever opens it opens the same. A pairing stays on the list of pending ones until all is done: whatever was
interrupted, the next wave does the rest.
"""

import logging

from games.errors import Unavailable, kind_of
from games.notices import matched
from games.queue.pairing import pairings
from games.queue.pending import PendingPairing
from games.queue.tickets import EXPIRED, EXPIRES_MS, HERE_MS, TAKEN, QueueTicket
from service.changing.changes import Changes
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from service.jobs.schedule import Hint
from service.metrics.measures import Measures
from service.store.feeds.stored_notices import StoredNotices
from service.store.lists.presence import Presence
from service.store.log.event_log import EventLog, VersionConflict
from service.store.queue.stored_queue import StoredQueue
from service.store.redis.client import RedisClient

_log = logging.getLogger(__name__)


class Waves:
    """Pairs the players of an installation. Every call may raise `Unavailable`."""

    def __init__(
        self, redis: RedisClient, log: EventLog, changes: Changes, presence: Presence, measures: Measures
    ) -> None:
        self._stored = StoredQueue(redis)
        self._notices = StoredNotices(redis)
        self._event_log = log
        self._changes = changes
        self._presence = presence
        self._measures = measures

    def hints(self) -> list[Hint]:
        """Takes the editions whose next wave is due and returns hints for the workers."""
        return [Hint("pair", edition, 0) for edition in self._stored.waves(now_ms())]

    def run(self, edition: str) -> None:
        """Opens the games of an edition's pending pairings, stops tickets that have expired, and makes pairings."""
        for pairing in self._stored.pending(edition):
            self._open_or_leave(pairing)
        now = now_ms()
        for ticket in self._stored.unasked(edition, now):
            if self._stored.stop(ticket, edition, EXPIRED, now - EXPIRES_MS):
                self._measures.queue_ticket(edition, EXPIRED)
        here = self._here(edition, now)
        if not here:
            return
        blocks = self._stored.blocks([ticket.player for ticket in here])
        for found in pairings(here, now, blocks, self._stored.met(now)):
            pairing = PendingPairing.of(found, now)
            if self._stored.take(pairing):
                self._open_or_leave(pairing)

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
                self._stored.opened(pairing)
                return
            snapshot = found
        by_ticket = [(pairing.tickets[player], player, [matched(snapshot, player)]) for player in pairing.people]
        self._notices.add(by_ticket)
        if self._stored.opened(pairing):
            for since in pairing.since.values():
                self._measures.queue_ticket(pairing.edition, "matched", max(0, pairing.made - since) / 1000)

    def open_of(self, ticket: QueueTicket) -> None:
        """Opens the game for which a ticket was taken, if that has not been done."""
        if ticket.state == TAKEN and (pairing := self._stored.pending_of(ticket)) is not None:
            self.open(pairing)

    def _open_or_leave(self, pairing: PendingPairing) -> None:
        """Opens the game of a pairing; if that fails, the other pairings do not wait for it."""
        try:
            self.open(pairing)
        except Unavailable:
            raise
        except Exception as error:
            _log.error(
                "the game %s of a pairing cannot be opened, and is tried again: %s", pairing.game, kind_of(error)
            )

    def _here(self, edition: str, now: int) -> list[QueueTicket]:
        """Returns the tickets that wait for an edition and whose players are here."""
        asked = self._stored.asked(edition)
        tickets = [one for one in self._stored.tickets([*asked]) if one is not None]
        seen = self._presence.seen([one.player for one in tickets if asked[one.id] <= now - HERE_MS])
        return [one for one in tickets if max(asked[one.id], seen.get(one.player, 0)) > now - HERE_MS]
