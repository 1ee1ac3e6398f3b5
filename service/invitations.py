"""Invitations to seats: who may be invited, and what an answer or a withdrawal changes; telling is elsewhere."""

from collections.abc import Sequence
from typing import Final

from engine.events import SeatOffered
from service.causes import Decline, Invite, Withdraw
from service.errors import Refused, invalid
from service.lobby import Lobby
from service.players import Player, Players
from service.said import Said
from service.seats import open_seat
from service.snapshot import Snapshot

MOST_OPEN: Final = 100
"""How many invitations that have not been answered a player may have."""
MOST_FROM_ONE: Final = 20
"""How many of those may be from one and the same player, who could take all the room otherwise."""
MOST_TIMES: Final = 3
"""How often a player may be invited to one table, who has declined or was not wanted after all."""
ROOM_SECONDS: Final = 60
"""When to ask again who has too many; nobody can know when they answer one."""
REASONS: Final = ("generic", "later", "too_fast", "too_slow", "edition", "table", "no_bots", "only_bots")
"""Why an invitation may be declined."""


class Invitations:
    """Invites players and takes their answers."""

    def __init__(self, players: Players, lobby: Lobby) -> None:
        self._players = players
        self._lobby = lobby

    def check_all(self, inviting: Sequence[Invite], creator: Player) -> None:
        """Checks the invitations with which a table is opened.

        Raises:
            Refused: somebody is invited twice, or cannot be invited.
        """
        for i, one in enumerate(inviting):
            field = f"seats.{one.seat}.player"
            if any(one.player == other.player for other in inviting[:i]):
                raise invalid(field, "fault.invited_twice")
            self._check(one.player, creator, field)

    def invite(self, snapshot: Snapshot, creator: Player, player: str, seat: int | None) -> Invite | None:
        """Returns the invitation of a player to a seat; None if they are invited to it already.

        Raises:
            Refused: they are at the table, cannot be invited, were too often, or the seat is not open.
        """
        kept = snapshot.offer_to(player)
        if kept is not None and seat in (None, kept):
            return None
        if kept is not None or player in snapshot.players:
            raise Refused("player_at_table", Said("detail.player_at_table"))
        chosen = open_seat(snapshot, seat, player, by_creator=True)
        offers = [e for e in snapshot.entries if isinstance(e.event, SeatOffered) and e.event.player == player]
        if len(offers) >= MOST_TIMES:
            detail = Said("detail.invited_too_often", {"most": MOST_TIMES})
            raise Refused("rate_limited", detail, limit="invitations_to_a_table", retry_after=ROOM_SECONDS)
        self._check(player, creator, "player")
        return Invite(chosen, player)

    def decline(self, snapshot: Snapshot, player: Player, reason: str | None) -> Decline:
        """Returns that a player declines.

        Raises:
            Refused: `not_seated`, they are not invited, or not any more.
        """
        seat = snapshot.offer_to(player.id)
        if seat is None or snapshot.ended:
            raise Refused("not_seated", Said("detail.no_seat"))
        return Decline(seat, player.id, reason or REASONS[0])

    def withdraw(self, snapshot: Snapshot, seat: int) -> Withdraw | None:
        """Returns that an invitation is withdrawn; None if there is none, or not any more.

        Raises:
            Refused: there is no such seat, somebody sits there, or the game has ended.
        """
        if seat not in range(len(snapshot.players)):
            raise Refused("not_found", Said("detail.no_such_seat"))
        if snapshot.ended:
            raise Refused("game_over", Said("detail.nothing_to_withdraw"))
        if snapshot.players[seat] is not None:
            raise Refused("game_full", Said("reason.seat_taken.withdraw"), reason="seat_taken")
        player = snapshot.state.offers.get(seat)
        return Withdraw(seat, player) if player is not None else None

    def _check(self, player: str, creator: Player, field: str) -> None:
        """Checks that a player may be invited.

        Raises:
            Refused: `invalid_request`, there is no such player, or it is the creator; `rate_limited`, they have as many
                open invitations as anybody may have, or as one may have from the same player.
        """
        if player == creator.id:
            raise invalid(field, "fault.invite_oneself")
        listed = self._players.invitations(player)
        if listed is None:
            raise invalid(field, "fault.no_such_player")
        # The list may hold games that wait for no answer: so it is looked through before anybody is refused for it.
        if listed < min(MOST_OPEN, MOST_FROM_ONE):
            return
        inviting = [snapshot.table.creator for snapshot in self._lobby.invitations(player)]
        if len(inviting) >= MOST_OPEN:
            detail = Said("detail.too_many_invitations", {"most": MOST_OPEN})
            raise Refused("rate_limited", detail, limit="open_invitations", retry_after=ROOM_SECONDS)
        if inviting.count(creator.id) >= MOST_FROM_ONE:
            detail = Said("detail.too_many_invitations_from_one", {"most": MOST_FROM_ONE})
            raise Refused("rate_limited", detail, limit="open_invitations_from_one", retry_after=ROOM_SECONDS)
