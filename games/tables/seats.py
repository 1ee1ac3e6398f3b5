"""Decides which seat of a table a player may take, take back or leave."""

from typing import Final

from engine.events import SeatTaken
from engine.state import ACTIVE, OPEN
from games.causes import ComeBack, TakeBreak
from games.clocks.banks import has_time
from games.clocks.breaks import days_left
from games.errors import Refused, invalid
from games.messages import Message
from games.player import Player
from games.snapshot import Snapshot
from games.tables.join_codes import check_join_code
from games.times import text_of

MOST_BEFORE_START: Final = 500
"""How many events a table may have before its game starts. Each player who joins adds one, and each who leaves
another.
"""
MOST_SITTINGS: Final = 20
"""How often one player may sit down at a table before its game starts: nobody alone uses up the events it may have."""
DECLINE_REASONS: Final = ("generic", "later", "too_fast", "too_slow", "edition", "table", "no_bots", "only_bots")
"""Why an invitation may be declined."""


def check_creator(snapshot: Snapshot, player: Player) -> None:
    """Checks that a player created the table.

    Raises:
        Refused: `not_creator`.
    """
    if player.id != snapshot.table.creator:
        raise Refused("not_creator", Message("detail.only_the_creator"))


def check_may_sit(snapshot: Snapshot, player: Player, code: str | None) -> None:
    """Checks the join code of a player who sits down at an unlisted table and is neither its creator nor invited.

    Raises:
        Refused: `join_code_wrong`, it is missing or wrong; or as the guard refuses.
    """
    known = player.id == snapshot.table.creator or snapshot.offer_to(player.id) is not None
    if snapshot.table.visibility != "public" and not known:
        check_join_code(snapshot, code, Message("detail.join_code_to_sit_down"))


def open_seat(snapshot: Snapshot, seat: int | None, newcomer: str, *, by_creator: bool = False) -> int:
    """Returns the seat of a table that a player takes: the wanted one, the one reserved for them, or the first open.

    The refusal of a creator says how a reserved seat becomes open, because only they can withdraw its invitation.

    Raises:
        Refused: the game has ended or can take no further changes, there is no such seat, or no seat that the player
            asks for is free.
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
            raise _seat_reserved(by_creator=by_creator)
        kept = snapshot.offer_to(newcomer)
        return kept if kept is not None else open_seats[0]
    if seat not in range(len(snapshot.players)):
        raise invalid("seat", "fault.no_such_seat", last=len(snapshot.players) - 1)
    if seat not in open_seats:
        if seat in free:
            raise _seat_reserved(by_creator=by_creator)
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


def wants_another(snapshot: Snapshot, player: Player, seat: int | None) -> bool:
    """Returns whether a player asks for one more seat, as a sandbox's creator may before it starts."""
    own = snapshot.seats_of(player.id)
    theirs = snapshot.table.sandbox and player.id == snapshot.table.creator
    return theirs and bool(own) and seat is not None and seat not in own and snapshot.state.status == OPEN


def coming_back(snapshot: Snapshot, player: Player, wanted: int | None) -> ComeBack | None:
    """Returns the return of a player to their seat, of several to the wanted one or else the first.

    None if they are not away there, or have no time left.
    """
    seats = snapshot.seats_of(player.id)
    seat = wanted if wanted in seats else seats[0]
    away = snapshot.state.status == ACTIVE and snapshot.state.is_away(seat)
    return ComeBack(seat) if away and has_time(snapshot, seat) else None


def seat_to_leave(snapshot: Snapshot, player: Player, wanted: int | None) -> int | None:
    """Returns the seat that a player leaves: the wanted one, or the only one not left yet, or one already left.

    Raises:
        Refused: `not_seated`, the wanted seat is not theirs; `invalid_request`, they have several and name none: a
            wrong choice could not be undone.
    """
    seats = snapshot.seats_of(player.id)
    if wanted is not None:
        if wanted not in seats:
            raise Refused("not_seated", Message("detail.not_your_seat"))
        return wanted
    remaining = [seat for seat in seats if not snapshot.state.seats[seat].left]
    if len(remaining) > 1 and not snapshot.ended:
        raise invalid("seat", "fault.leave_which_seat", seats=", ".join(map(str, remaining)))
    return next(iter(remaining or seats), None)


def break_at(snapshot: Snapshot, player: Player, days: int, now: int) -> TakeBreak:
    """Returns the cause by which a player takes days off at a time, in milliseconds since 1970.

    Raises:
        Refused: `not_seated`, `game_not_started`, `game_over`; `no_breaks`, the game gives none, or not so many days.
    """
    own = [seat for seat in snapshot.seats_of(player.id) if not snapshot.state.seats[seat].left]
    if not own:
        raise Refused("not_seated", Message("detail.no_seat"))
    seat = snapshot.state.to_act if snapshot.state.to_act in own else own[0]  # several are theirs in a sandbox
    if snapshot.state.status != ACTIVE:
        if snapshot.ended:
            raise Refused("game_over", Message("detail.nothing_to_leave"), version=snapshot.version)
        raise Refused("game_not_started", Message("detail.no_round_yet"), version=snapshot.version)
    clock = snapshot.table.clock
    if clock is None or not clock["break_days"]:
        raise Refused("no_breaks", Message("detail.no_breaks"))
    left = days_left(clock, snapshot.state, seat, text_of(now))
    if days > left:
        raise Refused("no_breaks", Message("detail.no_days_left", {"count": left}))
    return TakeBreak(seat, days)


def _seat_reserved(*, by_creator: bool) -> Refused:
    text = "reason.seat_reserved.creator" if by_creator else "reason.seat_reserved"
    return Refused("game_full", Message(text), reason="seat_reserved")
