"""Issues tickets for clients that cannot send a token: each opens one stream, once, and expires soon."""

from typing import Any, Final, NamedTuple

from games.errors import Refused
from games.messages import Message
from games.times import text_of
from service.admission import Admission
from service.inputs.clock import now_ms
from service.players import Players, required_token
from service.store.feeds.stored_tickets import SECONDS, StoredTickets, place_of
from service.store.redis.client import RedisClient

OF_ONE: Final = ""
WITH_CODE: Final = "with-code "
"""Prefix of a stored proof: the ticket was issued for the join code, not for who the player is."""


class Redeemed(NamedTuple):
    """The player id of a ticket, the proof of the token, whether the join code was needed, and where it is kept."""

    player: str
    proof: str
    with_code: bool
    place: str


class Tickets:
    """Issues and redeems tickets."""

    def __init__(self, redis: RedisClient, admission: Admission, players: Players) -> None:
        self._stored = StoredTickets(redis)
        self._admission = admission
        self._players = players

    def issue(self, token: str | None, game: str, join_code: str | None = None) -> dict[str, Any]:
        """Returns a new ticket, with which a player's browser can open one stream of a game they may see.

        Raises:
            Refused: the token is missing or not valid, there is no such game, or the join code is missing.
        """
        required_token(token)
        snapshot, caller = self._admission.open(token, game, join_code)
        kind = OF_ONE if snapshot.may_see(caller) else WITH_CODE
        return self._issued(token, game, kind)

    def issue_own(self, token: str | None) -> dict[str, Any]:
        """Returns a new ticket, with which a player's browser can open one stream of their notices.

        Raises:
            Refused: the token is missing or not valid.
        """
        self._players.authenticate(token)
        return self._issued(token, None)

    def redeem(self, game: str | None, ticket: str) -> Redeemed:
        """Returns what the ticket for a stream stands for: of a game, or without one of a player's notices.

        Call `use_up` once nothing can refuse the stream.

        Raises:
            Refused: `unauthenticated`, there is no such ticket, it has expired, or its token has been replaced.
        """
        place = place_of(game, ticket)
        text = self._stored.read(place)
        proof = text.removeprefix(WITH_CODE)
        player = self._players.proven(proof) if proof else None
        if player is None:
            raise _not_valid()
        return Redeemed(player, proof, text != proof, place)

    def use_up(self, place: str | None) -> None:
        """Uses up the ticket that opened a stream; None if the stream was opened without one.

        Raises:
            Refused: `unauthenticated`, another stream has used it up.
        """
        if place is not None and not self._stored.use_up(place):
            raise _not_valid()

    def _issued(self, token: str | None, game: str | None, kind: str = OF_ONE) -> dict[str, Any]:
        expires = now_ms() + 1000 * SECONDS
        ticket = self._stored.add(game, kind + self._players.proof(token))
        return {"ticket": ticket, "expires_at": text_of(expires)}


def _not_valid() -> Refused:
    return Refused("unauthenticated", Message("detail.ticket_not_valid"))
