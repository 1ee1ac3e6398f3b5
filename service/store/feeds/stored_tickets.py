"""Stores tickets, each for a stream of one game or, without a game, of a player's notices."""

import hashlib
import secrets
from typing import Final

from service.store import keys
from service.store.redis.client import RedisClient

SECONDS: Final = 60
"""How long a ticket is valid."""


class StoredTickets:
    """The tickets in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def add(self, game: str | None, opens: str) -> str:
        """Stores in Redis what a new stream's ticket opens, and returns the ticket."""
        ticket = secrets.token_urlsafe(24)
        self._redis.send(("SET", place_of(game, ticket), opens, "EX", SECONDS))
        return ticket

    def read(self, place: str) -> str:
        """Reads from Redis what the stream's ticket at a place opens; "" if there is none."""
        kept: bytes | None = self._redis.send(("GET", place))[0]
        return (kept or b"").decode()

    def use_up(self, place: str) -> bool:
        """Removes a stream's ticket from Redis; returns False if another stream has used it up."""
        return bool(self._redis.send(("DEL", place))[0])


def place_of(game: str | None, ticket: str) -> str:
    """Returns the place in Redis of the ticket for a stream: of a game, or of a player's notices."""
    digest = hashlib.sha256(ticket.encode()).hexdigest()[:32]
    return keys.own_ticket(digest) if game is None else keys.ticket(game, digest)
