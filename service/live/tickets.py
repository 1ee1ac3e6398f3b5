"""Issues tickets for clients that cannot send a token: each opens one stream, once, and expires soon."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from games.errors import Refused
from games.messages import Message
from games.times import text_of
from service.admission import Admission, may_see
from service.inputs.clock import now_ms
from service.players import Players
from service.store import keys
from service.store.exchange.connection import Exchange

SECONDS: Final = 60
"""How long a ticket is valid."""
OF_ONE: Final = ""
WITH_CODE: Final = "with-code "
"""Prefix of a stored proof: the ticket was issued for the join code, not for who the player is."""


class Redeemed(NamedTuple):
    """The player id of a ticket, the proof of the token, whether the join code was needed, and where it is kept."""

    player: str
    proof: str
    with_code: bool
    name: str


class Tickets:
    """Issues and redeems tickets."""

    def __init__(self, exchange: Exchange, admission: Admission, players: Players) -> None:
        self._exchange = exchange
        self._admission = admission
        self._players = players

    def issue(self, token: str | None, game: str, join_code: str | None = None) -> dict[str, Any]:
        """Returns a new ticket for a player and a game they may see.

        Raises:
            Refused: the token is missing or not valid, there is no such game, or the join code is missing.
        """
        self._players.authenticate(token)
        snapshot, caller = self._admission.open(token, game, join_code)
        kind = OF_ONE if may_see(snapshot, caller) else WITH_CODE
        return self._issued(token, lambda digest: keys.ticket(game, digest), kind)

    def issue_own(self, token: str | None) -> dict[str, Any]:
        """Returns a new ticket for a player's notifications.

        Raises:
            Refused: the token is missing or not valid.
        """
        self._players.authenticate(token)
        return self._issued(token, keys.own_ticket)

    def redeem(self, game: str, ticket: str) -> Redeemed:
        """Returns what a ticket stands for; `use_up` it once nothing refuses the stream any more.

        Raises:
            Refused: `unauthenticated`, there is no such ticket, it has expired, or its token has been replaced.
        """
        return self._redeemed(keys.ticket(game, _hashed(ticket)))

    def redeem_own(self, ticket: str) -> Redeemed:
        """Redeems a ticket for a player's notifications.

        Raises:
            Refused: `unauthenticated`, as for `redeem`.
        """
        return self._redeemed(keys.own_ticket(_hashed(ticket)))

    def use_up(self, name: str | None) -> None:
        """Uses up the ticket that is kept under a name; None if the stream was opened without one.

        Raises:
            Refused: `unauthenticated`, another stream has used it up.
        """
        if name is not None and not self._exchange.send(("DEL", name))[0]:
            raise _not_valid()

    def _issued(self, token: str | None, name: Callable[[str], str], kind: str = OF_ONE) -> dict[str, Any]:
        ticket = secrets.token_urlsafe(24)
        expires = now_ms() + 1000 * SECONDS
        self._exchange.send(("SET", name(_hashed(ticket)), kind + self._players.proof(token), "EX", SECONDS))
        return {"ticket": ticket, "expires_at": text_of(expires)}

    def _redeemed(self, name: str) -> Redeemed:
        kept: bytes | None = self._exchange.send(("GET", name))[0]
        text = (kept or b"").decode()
        proof = text.removeprefix(WITH_CODE)
        player = self._players.proven(proof) if proof else None
        if player is None:
            raise _not_valid()
        return Redeemed(player, proof, text != proof, name)


def _not_valid() -> Refused:
    return Refused("unauthenticated", Message("detail.ticket_not_valid"))


def _hashed(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()[:32]
