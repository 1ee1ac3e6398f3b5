"""Invites players to seats, and decides who may be invited and how answers and withdrawals change the table."""

from collections.abc import Sequence
from typing import Final

from engine.events import SeatOffered
from games.causes import Decline, Invite
from games.errors import Refused, full, invalid
from games.messages import Message
from games.player import Player
from games.programs import Terms
from games.snapshot import Snapshot
from games.tables.seats import DECLINE_REASONS, open_seat
from service.lobby import Lobby
from service.players import Players
from service.store.players.stored_players import ERASED

MOST_OPEN: Final = 100
"""How many unanswered invitations from strangers a player may have.

Players they have shared a game with get as many again, which no stranger can use up. Rematches count towards neither.
"""
MOST_FROM_ONE: Final = 20
"""How many of those may come from one player, who could otherwise use up all the room."""
MOST_TIMES: Final = 3
"""How often a player may be invited to one table after declining or having the invitation withdrawn."""


class Invitations:
    """Invites players and takes their answers."""

    def __init__(self, players: Players, lobby: Lobby) -> None:
        self._players = players
        self._lobby = lobby

    def check_all(self, inviting: Sequence[Invite], creator: Player, terms: Terms, *, rematch: bool = False) -> None:
        """Checks that a new table may invite its players; those of a rematch need no room for invitations.

        Raises:
            Refused: somebody is invited twice, or cannot be invited.
        """
        for i, one in enumerate(inviting):
            field = f"seats.{one.seat}.player"
            if any(one.player == other.player for other in inviting[:i]):
                raise invalid(field, "fault.invited_twice")
            self._check(one.player, creator, field, terms, rematch=rematch)

    def check_rematch(self, inviting: Sequence[Invite], creator: Player, terms: Terms) -> list[Invite]:
        """Checks whom a rematch may invite and returns them; the seats of players who are erased by now stay open.

        Raises:
            Refused: one of them has blocked the creator, or is a program that does not accept the game.
        """
        tokens = self._players.stored.tokens([one.player for one in inviting])
        there = [one for one in inviting if tokens.get(one.player, "") not in (None, ERASED)]
        self.check_all(there, creator, terms, rematch=True)
        return there

    def invite(self, snapshot: Snapshot, creator: Player, player: str, seat: int | None) -> Invite | None:
        """Returns the invitation of a player to a seat; None if they are already invited to it.

        Raises:
            Refused: they are at the table, cannot be invited, were invited too often, or the seat is not open.
        """
        kept = snapshot.offer_to(player)
        if kept is not None and seat in (None, kept):
            return None
        if kept is not None or player in snapshot.players:
            raise Refused("player_at_table", Message("detail.player_at_table"))
        chosen = open_seat(snapshot, seat, player, by_creator=True)
        offers = [e for e in snapshot.entries if isinstance(e.event, SeatOffered) and e.event.player == player]
        if len(offers) >= MOST_TIMES:
            raise full("invitations_to_a_table", "detail.invited_too_often", most=MOST_TIMES)
        table = snapshot.table
        self._check(player, creator, "player", Terms(table.edition, table.seats, table.clock, table.rated))
        return Invite(chosen, player)

    def decline(self, snapshot: Snapshot, player: Player, reason: str | None) -> Decline:
        """Returns a player's decline of the invitation to a seat.

        Raises:
            Refused: `not_seated`, they are not invited, or no longer are.
        """
        seat = snapshot.offer_to(player.id)
        if seat is None or snapshot.ended:
            raise Refused("not_seated", Message("detail.no_seat"))
        return Decline(seat, player.id, reason or DECLINE_REASONS[0])

    def of(self, player: str, inviter: str | None = None) -> list[str]:
        """Returns the games a player is invited to, by anybody or by one other player."""
        return [one.id for one in self._lobby.invitations(player) if inviter in (None, one.table.creator)]

    def _check(self, player: str, creator: Player, field: str, terms: Terms, *, rematch: bool = False) -> None:
        """Checks that a table's creator may invite a player.

        Raises:
            Refused: `invalid_request`, there is no such player, or it is the creator; `not_accepted`, they have blocked
                the creator, or are a program that does not accept the game; `rate_limited`, there is no room for one
                more invitation.
        """
        if player == creator.id:
            raise invalid(field, "fault.invite_oneself")
        openness = self._players.stored.openness(player, creator.id)
        if openness is None:
            raise invalid(field, "fault.no_such_player")
        if openness.blocked:
            detail = "detail.rematch_not_accepted" if rematch else "detail.invitation_not_accepted"
            raise Refused("not_accepted", Message(detail))
        if openness.program is not None:
            openness.program.check(terms, self._players.stored.playing(player))
        # The list may hold games that no longer await an answer, so clean it up before refusing anybody.
        if not rematch and openness.listed >= min(MOST_OPEN, MOST_FROM_ONE):
            self._check_room(player, creator)

    def _check_room(self, player: str, creator: Player) -> None:
        """Checks that a player has room for one more invitation.

        Raises:
            Refused: `rate_limited`, they have as many open ones as allowed from strangers, in total, or from this
                player.
        """
        open_ones = self._lobby.invitations(player)
        inviting = [snapshot.table.creator for snapshot in open_ones if snapshot.table.previous_game is None]
        crowded = len(inviting) >= MOST_OPEN
        if crowded and (len(inviting) >= 2 * MOST_OPEN or not self._lobby.have_played(player, creator.id)):
            raise full("open_invitations", "detail.too_many_invitations")
        if inviting.count(creator.id) >= MOST_FROM_ONE:
            raise full("open_invitations_from_one", "detail.too_many_invitations_from_one", most=MOST_FROM_ONE)
