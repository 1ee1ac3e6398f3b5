"""Decides which seat of a table a player may take."""

from typing import Final

from engine.events import SeatTaken
from games.errors import Refused, invalid
from games.messages import Message
from games.player import Player
from games.snapshot import Snapshot

MOST_BEFORE_START: Final = 500
"""How many events a table may have before its game starts. Each player who joins adds one, and each who leaves
another.
"""
MOST_SITTINGS: Final = 20
"""How often one player may sit down at a table before its game starts: nobody alone uses up the events it may have."""
DECLINE_REASONS: Final = ("generic", "later", "too_fast", "too_slow", "edition", "table", "no_bots", "only_bots")
"""Why an invitation may be declined."""


def only_creator(snapshot: Snapshot, player: Player) -> None:
    """Checks that a player created the table.

    Raises:
        Refused: `not_creator`.
    """
    if player.id != snapshot.table.creator:
        raise Refused("not_creator", Message("detail.only_the_creator"))


def open_seat(snapshot: Snapshot, seat: int | None, newcomer: str, *, by_creator: bool = False) -> int:
    """Returns the seat of a table that a player takes: the one asked for, or the one kept for them, or the first open.

    The creator, who may seat and invite others, is told how a seat that is kept becomes open.

    Raises:
        Refused: the game has ended, there is no such seat, it is taken or kept for somebody else, as all may be, or
            there is no room for another change.
    """
    if snapshot.ended:
        raise Refused("game_over", Message("detail.too_late_to_sit_down"))
    check_room(snapshot, newcomer, by_creator=by_creator)
    offers = snapshot.state.offers
    free = [i for i, player in enumerate(snapshot.players) if player is None]
    open_seats = [i for i in free if offers.get(i) in (None, newcomer)]
    if not free:
        raise Refused("game_full", Message("detail.every_seat_taken"))
    if seat is None:
        if not open_seats:
            raise _seat_reserved(snapshot, free[0], by_creator)
        kept = snapshot.offer_to(newcomer)
        return kept if kept is not None else open_seats[0]
    if seat not in range(len(snapshot.players)):
        raise invalid("seat", "fault.no_such_seat", last=len(snapshot.players) - 1)
    if seat not in open_seats:
        if seat in free:
            raise _seat_reserved(snapshot, seat, by_creator)
        raise Refused("game_full", Message("reason.seat_taken"), reason="seat_taken")
    return seat


def check_room(snapshot: Snapshot, newcomer: str, *, by_creator: bool = False) -> None:
    """Checks that a table has not been joined and left too often, by everybody together or by the newcomer alone.

    Raises:
        Refused: `game_full`.
    """
    if snapshot.started is not None:
        return
    if snapshot.version >= MOST_BEFORE_START:
        raise Refused("game_full", Message("reason.too_many_changes"), reason="too_many_changes")
    taken = [entry.event.player for entry in snapshot.entries if isinstance(entry.event, SeatTaken)]
    if taken.count(newcomer) >= MOST_SITTINGS:
        text = "reason.joined_too_often.creator" if by_creator else "reason.joined_too_often"
        raise Refused("game_full", Message(text), reason="joined_too_often")


def _seat_reserved(snapshot: Snapshot, seat: int, by_creator: bool) -> Refused:
    if not by_creator:
        return Refused("game_full", Message("reason.seat_reserved"), reason="seat_reserved")
    return Refused("game_full", Message("reason.seat_reserved.creator"), reason="seat_reserved")
