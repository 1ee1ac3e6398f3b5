"""Lets players wait for opponents with a queue ticket, look at it, and cancel it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from games.errors import NotReplicated, Refused
from games.ids import derived_id
from games.messages import Message
from games.player import Player
from games.queue.tickets import CANCELLED, TAKEN, WAITING, QueueTicket, Wishes, ticket_view
from games.ratings.standing import NEW
from games.views.page_limits import LONGEST_WAIT_SECONDS
from service.inputs.chance import random_id
from service.inputs.clock import now_ms
from service.metrics.measures import Measures
from service.players import Players
from service.queue.waves import Waves
from service.reading import Waiter
from service.store.log.stored_answers import Key
from service.store.queue.stored_queue import StoredQueue
from service.store.ratings.stored_pools import latest_in
from service.store.redis.client import RedisClient
from service.tables import Tables


class Asked(NamedTuple):
    """A queue ticket as plain data, and whether the call that gave it is a repeat."""

    ticket: dict[str, Any]
    replayed: bool = False


class Queue:
    """The queue of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, players: Players, tables: Tables, waves: Waves, measures: Measures) -> None:
        self._redis = redis
        self._stored = StoredQueue(redis)
        self._players = players
        self._tables = tables
        self._waves = waves
        self._measures = measures

    def ask(
        self, token: str | None, body: Mapping[str, Any], idempotency_key: str | None = None, *, address: str = ""
    ) -> Asked:
        """Lets the caller wait for opponents; returns their ticket, the one they have if they wish the same.

        Raises:
            Refused: the token is not valid, no such table can be opened, too many games of the player or from the
                address have not ended, or the key was used for other wishes.
        """
        opener = self._tables.check_may_open(token, address)
        player = opener.player
        wishes = Wishes.of(body)
        key = Key.of(player.id, idempotency_key) if idempotency_key is not None else None
        # The same key leads to the same id, so a repeat finds its ticket, also after a pairing.
        new = "q" + (random_id() if key is None else derived_id("queue", player.id, key.digest))
        now = now_ms()
        rating = rating_of(self._redis, player, wishes, now)
        ticket = QueueTicket(new, player.id, player.kind, wishes, now, rating, opener.address_hash)
        before = self._stored.ticket(new) if key is not None else None
        if before is not None and before.wishes != wishes:
            raise Refused("idempotency_key_reused", Message("detail.key_of_another_request"))
        found = self._stored.ticket(self._stored.ask(ticket, now, keyed=key is not None)) or ticket
        return Asked(self._view(found, now), before is not None)

    def read(self, token: str | None, ticket: str, wait: float = 0, waiter: Waiter | None = None) -> dict[str, Any]:
        """Returns a ticket of the caller; waits up to `wait` seconds until it no longer waits.

        That somebody asks for it keeps it waiting.

        Raises:
            Refused: the token is not valid; `not_found`, the caller has no such ticket.
        """
        found = self._own(token, ticket)
        self._stored.note_asked(found, now_ms())
        if wait and waiter is not None and found.state in (WAITING, TAKEN):
            waiter(ticket, 0, min(wait, LONGEST_WAIT_SECONDS))
            found = self._own(token, ticket)
        return self._view(found, now_ms())

    def cancel(self, token: str | None, ticket: str) -> dict[str, Any]:
        """Cancels a ticket of the caller and returns it; one that no longer waits stays as it is.

        Raises:
            Refused: the token is not valid; `not_found`, the caller has no such ticket.
        """
        found = self._own(token, ticket)
        self._end(found)
        return self._view(self._stored.ticket(ticket) or found, now_ms())

    def leave(self, player: str) -> None:
        """Lets a player who is banned or erased wait no more; one who was just matched is at that table after this."""
        waiting = self._stored.ticket_of(player)
        ticket = self._stored.ticket(waiting) if waiting is not None else None
        if ticket is not None:
            self._end(ticket)

    def after(self, ticket: str, cursor: int, limit: int) -> list[dict[str, Any]]:
        """Returns to those who follow a ticket that it no longer waits, as its one piece of news."""
        return [{"cursor": 1}] if cursor < 1 and self.counts([ticket]) != [0] else []

    def counts(self, tickets: Sequence[str]) -> list[int | None]:
        """Returns of tickets that are followed 0 while they wait, and 1 afterwards."""
        found = self._stored.tickets(tickets)
        return [0 if one is not None and one.state in (WAITING, TAKEN) else 1 for one in found]

    def _own(self, token: str | None, ticket: str) -> QueueTicket:
        player = self._players.authenticate(token)
        found = self._stored.ticket(ticket)
        if found is None or found.player != player.id:
            raise Refused("not_found", Message("detail.no_such_queue_ticket"))
        return found

    def _end(self, ticket: QueueTicket) -> None:
        """Stops a ticket's wait; if it was just matched, its game is open after this."""
        edition = ticket.wishes.edition
        if self._stored.stop(ticket.id, edition, CANCELLED):
            self._measures.queue_ticket(edition, CANCELLED)
        elif (newest := self._stored.ticket(ticket.id)) is not None:
            with suppress(NotReplicated):  # the game is open, and the next wave notes it
                self._waves.open_of(newest)

    def _view(self, ticket: QueueTicket, now: int) -> dict[str, Any]:
        return ticket_view(ticket, self._stored.waiting(ticket.wishes.edition, now))


def rating_of(redis: RedisClient, player: Player, wishes: Wishes, now: int) -> float:
    """Returns how good a player is at the games that they wish for, by the pool that knows them best."""
    known = latest_in(redis, wishes.pools(player.kind), player.id).values()
    return min((standing.at(now) for standing in known), key=lambda rating: rating.deviation, default=NEW).mean
