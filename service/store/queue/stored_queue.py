"""Stores queue tickets, and pairings until their games are open. All keys share one slot."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from games.errors import TakesNoWrites
from games.queue.pairing import MET_MS, Pair
from games.queue.pending import PendingPairing
from games.queue.tickets import EXPIRES_MS, HERE_MS, TAKEN, QueueTicket
from service.store import channels, keys
from service.store.damaged import sound
from service.store.redis.client import RedisClient, hash_of
from service.store.scripts import ASK, GIVE_UP, OPENED, STOP, TAKE, WAVES

KEPT_SECONDS: Final = 3600
"""How long a ticket is kept after somebody last asked for it, or after its game was opened; longer than it may wait."""
GATHERING_MS: Final = 300
"""How long after a new ticket the next wave begins, so that those who come together are matched together."""
LEASE_MS: Final = 1_000
"""The pause between waves."""
AT_ONCE: Final = 2_000
"""How many tickets a wave looks at."""


class StoredQueue:
    """The queue in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    # --- tickets ---

    def ask(self, ticket: QueueTicket, now: int, *, keyed: bool) -> str:
        """Stores a ticket that begins to wait; returns its id, or that of the ticket with which its player waits.

        If there was a ticket with this id before, nothing changes, whatever it says. `keyed`: this may be asked again.
        """
        edition = ticket.wishes.edition
        names = [keys.queue_ticket(ticket.id), keys.QUEUE_TICKETS, keys.waiting_for(edition), keys.WAVES]
        arguments = [ticket.id, ticket.player, edition, ticket.wishes.stored(), now, now + GATHERING_MS, KEPT_SECONDS]
        arguments += [keys.queue_ticket(""), keys.waiting_for(""), self._channel(""), int(keyed)]
        fields = [part for field in ticket.stored().items() for part in field]
        found: bytes = self._redis.run(ASK, names, [*arguments, *fields])
        return found.decode()

    def ticket(self, ticket: str) -> QueueTicket | None:
        """Reads a queue ticket; None if there is none, or it is damaged."""
        return _ticket(ticket, self._redis.send(("HGETALL", keys.queue_ticket(ticket)))[0])

    def tickets(self, ids: Sequence[str]) -> list[QueueTicket | None]:
        """Reads queue tickets; None for those that are not there, or are damaged."""
        replies = self._redis.send_each(*[("HGETALL", keys.queue_ticket(one)) for one in ids])
        return [_ticket(one, reply or []) for one, reply in zip(ids, replies, strict=True)]

    def ticket_of(self, player: str) -> str | None:
        """Reads the id of the queue ticket with which a player waits or was just matched; None if there is none."""
        found: bytes | None = self._redis.send(("HGET", keys.QUEUE_TICKETS, player))[0]
        return found.decode() if found is not None else None

    def note_asked(self, ticket: QueueTicket, now: int) -> None:
        """Stores that somebody has asked for a queue ticket; does nothing while Redis takes no writes."""
        try:
            self._redis.send(
                ("ZADD", keys.waiting_for(ticket.wishes.edition), "XX", now, ticket.id),
                ("EXPIRE", keys.queue_ticket(ticket.id), KEPT_SECONDS),
            )
        except TakesNoWrites:
            return

    def waiting(self, edition: str, now: int) -> int:
        """Counts the stored queue tickets that wait for an edition and were asked for lately."""
        return int(self._redis.send(("ZCOUNT", keys.waiting_for(edition), now - HERE_MS, "+inf"))[0])

    def stop(self, ticket: str, edition: str, state: str, asked_by: int | None = None) -> bool:
        """Stops the wait of a stored queue ticket; returns False if it does not wait, or was asked for since a time."""
        names = [keys.queue_ticket(ticket), keys.QUEUE_TICKETS, keys.waiting_for(edition)]
        arguments = [ticket, state, "" if asked_by is None else asked_by, self._channel(ticket)]
        return bool(self._redis.run(STOP, names, arguments))

    # --- waves ---

    def waves(self, now: int) -> list[str]:
        """Takes the editions in Redis whose next wave is due."""
        arguments = [now, now + LEASE_MS, keys.waiting_for(""), keys.pairings("")]
        return [one.decode() for one in self._redis.run(WAVES, [keys.WAVES], arguments)]

    def asked(self, edition: str) -> dict[str, int]:
        """Reads when the queue tickets that wait for an edition were last asked for, in milliseconds since 1970."""
        found = self._redis.send(("ZREVRANGE", keys.waiting_for(edition), 0, AT_ONCE - 1, "WITHSCORES"))[0]
        return {name.decode(): int(float(score)) for name, score in zip(found[::2], found[1::2], strict=True)}

    def unasked(self, edition: str, now: int) -> list[str]:
        """Reads the queue tickets for which nobody has asked for so long that they expire."""
        bound = now - EXPIRES_MS
        return [
            one.decode()
            for one in self._redis.send(
                ("ZRANGEBYSCORE", keys.waiting_for(edition), "-inf", bound, "LIMIT", 0, AT_ONCE)
            )[0]
        ]

    def blocked(self, players: Sequence[str]) -> dict[str, list[str]]:
        """Reads whom players in the queue have blocked, by player; those whose lists cannot be read are left out."""
        replies = self._redis.send_each(*[("ZRANGE", keys.blocked(player), 0, -1) for player in players])
        found = zip(players, replies, strict=True)
        return {player: [other.decode() for other in reply] for player, reply in found if reply is not None}

    def met(self, now: int) -> dict[Pair, int]:
        """Reads which players have lately been matched with each other, and when."""
        found = self._redis.send(("ZRANGEBYSCORE", keys.MET, now - MET_MS, "+inf", "WITHSCORES"))[0]
        pairs = zip(found[::2], found[1::2], strict=True)
        return {frozenset(name.decode().split()): int(float(score)) for name, score in pairs}

    # --- pairings ---

    def take(self, pairing: PendingPairing) -> bool:
        """Takes the stored queue tickets of a pairing, if all still wait; returns whether they do."""
        tickets = [*pairing.tickets.values()]
        names = [keys.waiting_for(pairing.edition), keys.pairings(pairing.edition), keys.MET]
        pairs = [" ".join(pair) for pair in combinations(sorted(pairing.tickets), 2)]
        arguments = [pairing.game, pairing.stored(), pairing.made, pairing.made - MET_MS, len(pairs), *pairs, *tickets]
        return bool(self._redis.run(TAKE, [*names, *map(keys.queue_ticket, tickets)], arguments))

    def pending(self, edition: str) -> list[PendingPairing]:
        """Reads the stored pairings of an edition whose games may not be open yet, without those that are damaged."""
        return [pairing for pairing in self._pairings(edition).values() if pairing is not None]

    def damaged(self, edition: str) -> dict[str, list[str]]:
        """Reads the games of an edition whose stored pairings are damaged, with the tickets that were taken for them.

        A ticket that was taken is its player's as long as its game may not be open.
        """
        games = [game for game, pairing in self._pairings(edition).items() if pairing is None]
        if not games:
            return {}
        ids = [one.decode() for one in self._redis.send(("HVALS", keys.QUEUE_TICKETS))[0]]
        tickets = [one for one in self.tickets(ids) if one is not None and one.state == TAKEN]
        return {game: [one.id for one in tickets if one.game == game] for game in games}

    def _pairings(self, edition: str) -> dict[str, PendingPairing | None]:
        """Reads the stored pairings of an edition by game; None for those that are damaged."""
        found = self._redis.send(("HGETALL", keys.pairings(edition)))[0]
        return {
            game.decode(): sound(f"the pairing of game {game.decode()}", partial(PendingPairing.read, one))
            for game, one in zip(found[::2], found[1::2], strict=True)
        }

    def pending_of(self, ticket: QueueTicket) -> PendingPairing | None:
        """Reads the stored pairing for which a queue ticket was taken; None if its game is open, or it is damaged."""
        found = self._redis.send(("HGET", keys.pairings(ticket.wishes.edition), ticket.game or ""))[0]
        return sound(f"the pairing of ticket {ticket.id}", partial(PendingPairing.read, found)) if found else None

    def opened(self, edition: str, game: str, tickets: Iterable[str]) -> bool:
        """Stores that the game of a pairing is open; returns whether nobody has before."""
        ids = [*tickets]
        names = [keys.pairings(edition), keys.QUEUE_TICKETS, *map(keys.queue_ticket, ids)]
        channels_of = [part for ticket in ids for part in (ticket, self._channel(ticket))]
        return bool(self._redis.run(OPENED, names, [game, KEPT_SECONDS, *channels_of]))

    def give_up(self, edition: str, game: str, tickets: Iterable[str], made: int) -> None:
        """Removes a stored pairing whose game cannot be opened; its tickets wait again, asked for when made."""
        ids = [*tickets]
        names = [keys.pairings(edition), keys.waiting_for(edition), *map(keys.queue_ticket, ids)]
        self._redis.run(GIVE_UP, names, [game, made, *ids])

    def _channel(self, ticket: str) -> str:
        return self._redis.channel(channels.end_of_wait(ticket))


def _ticket(ticket: str, reply: Sequence[bytes]) -> QueueTicket | None:
    return sound(f"queue ticket {ticket}", lambda: QueueTicket.read(ticket, hash_of(reply))) if reply else None
