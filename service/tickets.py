"""Tickets that stand for a token where none can be sent: each opens one stream, once and soon."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Final

from service import keys
from service.admission import Admission
from service.connection import Exchange
from service.errors import Refused
from service.players import Players
from service.said import Said
from service.times import now_ms, text_of

SECONDS: Final = 60
"""How long a ticket is good for."""


class Tickets:
    """Gives tickets out and takes them in."""

    def __init__(self, exchange: Exchange, admission: Admission, players: Players) -> None:
        self._exchange = exchange
        self._admission = admission
        self._players = players

    def issue(self, token: str | None, game: str, join_code: str | None = None) -> dict[str, Any]:
        """Returns a new ticket for a player and a game that they may see.

        Raises:
            Refused: the token is missing or not valid, there is no such game, or the join code is missing.
        """
        self._players.authenticate(token)
        self._admission.open(token, game, join_code)
        return self._issued(token, lambda digest: keys.ticket(game, digest))

    def issue_own(self, token: str | None) -> dict[str, Any]:
        """Returns a new ticket for what a player is told.

        Raises:
            Refused: the token is missing or not valid.
        """
        self._players.authenticate(token)
        return self._issued(token, keys.own_ticket)

    def redeem(self, game: str, ticket: str) -> tuple[str, str]:
        """Returns the id of the player whose ticket it is, which is used up with this, and the proof of the token.

        Raises:
            Refused: `unauthenticated`, there is no such ticket, or not any more, or its token has been replaced.
        """
        return self._redeemed(keys.ticket(game, _hashed(ticket)))

    def redeem_own(self, ticket: str) -> tuple[str, str]:
        """Does the same with a ticket for what a player is told.

        Raises:
            Refused: `unauthenticated`, as there.
        """
        return self._redeemed(keys.own_ticket(_hashed(ticket)))

    def _issued(self, token: str | None, name: Callable[[str], str]) -> dict[str, Any]:
        ticket = secrets.token_urlsafe(24)
        expires = now_ms() + 1000 * SECONDS
        self._exchange.send(("SET", name(_hashed(ticket)), self._players.proof(token), "EX", SECONDS))
        return {"ticket": ticket, "expires_at": text_of(expires)}

    def _redeemed(self, name: str) -> tuple[str, str]:
        kept: bytes | None = self._exchange.send(("GETDEL", name))[0]
        proof = (kept or b"").decode()
        player = self._players.proven(proof) if proof else None
        if player is None:
            raise Refused("unauthenticated", Said("detail.ticket_not_valid"))
        return player, proof


def _hashed(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()[:32]
