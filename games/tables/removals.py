"""Decides what happens when the creator of a table clears a seat, and who may not come back."""

from typing import Final, NamedTuple

from engine.events import SeatCleared, SeatOffered
from engine.state import OPEN
from games.causes import Leave, Remove, Withdraw
from games.errors import Refused
from games.ids import own_bot
from games.messages import Message
from games.player import Player
from games.snapshot import Snapshot
from games.tables.revealing import check_may_get_up


class Occupant(NamedTuple):
    """Whom a creator expects on a seat that they clear; None stands for anybody."""

    player: str | None = None
    """Who sits there."""
    invited: str | None = None
    """For whom it is kept."""


ANYBODY: Final = Occupant()


def clearing(
    snapshot: Snapshot, creator: Player, seat: int, now: int, expected: Occupant = ANYBODY
) -> Remove | Leave | Withdraw | None:
    """Returns what a table's creator causes by clearing a seat, before the start; None if nobody is to go.

    They remove whoever sits there, get up from a seat of their own, or withdraw an invitation.

    Raises:
        Refused: there is no such seat, it is not held as expected, the game has started or ended, or nonces are being
            revealed.
    """
    if seat not in range(len(snapshot.players)):
        raise Refused("not_found", Message("detail.no_such_seat"))
    if snapshot.ended:
        raise Refused("game_over", Message("detail.nobody_to_remove"))
    if snapshot.state.status != OPEN:
        raise Refused("illegal_action", Message("reason.game_begun.remove"), reason="game_begun")
    player, invited = snapshot.players[seat], snapshot.state.offers.get(seat)
    if expected.player not in (None, player) or expected.invited not in (None, invited):
        raise Refused("illegal_action", Message("reason.seat_changed"), reason="seat_changed")
    if player is None:
        return Withdraw(seat, invited) if invited is not None else None
    check_may_get_up(snapshot, now)
    return Leave(seat) if player == creator.id else Remove(seat, player)


def was_removed(snapshot: Snapshot, player: str | None) -> bool:
    """Returns whether a player was removed from a table that waits, and has not been invited since."""
    waits = snapshot.started is None and not snapshot.ended
    for entry in reversed(snapshot.entries if waits else ()):
        match entry.event:
            case SeatCleared(player=removed) if removed == player:
                return own_bot(player) is None
            case SeatOffered(player=invited) if invited == player:
                return False
    return False


def check_not_removed(snapshot: Snapshot, player: str | None) -> None:
    """Checks that a player who sits down, or looks without a join code, was not removed from the table.

    Raises:
        Refused: `removed`.
    """
    if was_removed(snapshot, player):
        raise Refused("removed", Message("detail.removed"))
