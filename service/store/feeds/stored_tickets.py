"""Stores tickets, each for a stream of one game or, without a game, of a player's notifications."""

import hashlib
import secrets
from typing import Final

from service.store import keys
from service.store.exchange.connection import Exchange

SECONDS: Final = 60
"""How long a ticket is valid."""


class StoredTickets:
    """The tickets in Redis. Every call may raise `Unavailable`."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def add(self, game: str | None, opens: str) -> str:
        """Stores what a new ticket opens, and returns the ticket."""
        ticket = secrets.token_urlsafe(24)
        self._exchange.send(("SET", place_of(game, ticket), opens, "EX", SECONDS))
        return ticket

    def read(self, place: str) -> str:
        """Returns what the ticket at a place opens; "" if there is none."""
        kept: bytes | None = self._exchange.send(("GET", place))[0]
        return (kept or b"").decode()

    def use_up(self, place: str) -> bool:
        """Uses up the ticket at a place; returns False if another stream has done so."""
        return bool(self._exchange.send(("DEL", place))[0])


def place_of(game: str | None, ticket: str) -> str:
    """Returns where a ticket is stored."""
    digest = hashlib.sha256(ticket.encode()).hexdigest()[:32]
    return keys.own_ticket(digest) if game is None else keys.ticket(game, digest)
