"""Which seat of a table somebody may take, and who may say so; how a seat is taken is for `steps`."""

from service.errors import Refused, invalid
from service.players import Player
from service.said import Said
from service.snapshot import Snapshot


def only_creator(snapshot: Snapshot, player: Player) -> None:
    """Checks that a player has opened the table.

    Raises:
        Refused: `not_creator`.
    """
    if player.id != snapshot.table.creator:
        raise Refused("not_creator", Said("detail.only_the_creator"))


def open_seat(snapshot: Snapshot, seat: int | None, newcomer: str, *, by_creator: bool = False) -> int:
    """Returns the seat for somebody to take: the one that is asked for, or the one kept for them, or the first open.

    The creator, who may seat and invite others, is told how a seat that is kept becomes open.

    Raises:
        Refused: the game has ended, there is no such seat, or it is taken or kept for somebody else, as all may be.
    """
    if snapshot.ended:
        raise Refused("game_over", Said("detail.too_late_to_sit_down"))
    offers = snapshot.state.offers
    free = [i for i, player in enumerate(snapshot.players) if player is None]
    open_seats = [i for i in free if offers.get(i) in (None, newcomer)]
    if not free:
        raise Refused("game_full", Said("detail.every_seat_taken"))
    if seat is None:
        if not open_seats:
            raise _reserved(snapshot, free[0], by_creator)
        kept = snapshot.offer_to(newcomer)
        return kept if kept is not None else open_seats[0]
    if seat not in range(len(snapshot.players)):
        raise invalid("seat", "fault.no_such_seat", last=len(snapshot.players) - 1)
    if seat not in open_seats:
        if seat in free:
            raise _reserved(snapshot, seat, by_creator)
        raise Refused("game_full", Said("reason.seat_taken"), reason="seat_taken")
    return seat


def _reserved(snapshot: Snapshot, seat: int, by_creator: bool) -> Refused:
    if not by_creator:
        return Refused("game_full", Said("reason.seat_reserved"), reason="seat_reserved")
    detail = Said("reason.seat_reserved.creator", {"game": snapshot.id, "seat": seat})
    return Refused("game_full", detail, reason="seat_reserved")
