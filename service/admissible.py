"""Whether a cause could come about at a table as it was; who may ask for it over the interface is not said here.

What follows from a cause is for `steps`. The rules of the engine are not repeated: an action or a seat that leaves is
refused there.
"""

from engine.decisions import DECLINABLE
from engine.options import legal_actions
from engine.state import ACTIVE, OPEN
from service.banks import has_time
from service.causes import (
    Abort,
    Act,
    Cause,
    ComeBack,
    Decline,
    Invite,
    Join,
    Leave,
    Open,
    Repeat,
    TimeOut,
    Withdraw,
)
from service.ids import own_bot
from service.said import Said
from service.snapshot import Snapshot
from service.times import text_of


def objection(before: Snapshot, cause: Cause, now: int) -> Said | None:
    """Returns why a cause could not come about at a time, in milliseconds since 1970; None if it could."""
    if isinstance(cause, Open):
        return _objection_to_opening(before, cause)
    if not isinstance(cause, Abort) and cause.seat not in range(len(before.players)):
        return Said("log.no_such_seat")
    match cause:
        case Join() | Invite() | Decline() | Withdraw():
            return _objection_to_seating(before, cause)
        case Leave(seat):
            return None if before.state.status != OPEN or before.players[seat] is not None else Said("log.seat_empty")
        case Abort():
            return Said("log.too_late_to_abort") if before.ended or before.begun else None
        case Act(seat, _, thought):
            by_bot = own_bot(before.players[seat]) is not None
            return None if by_bot == (thought is not None) else Said("log.thought_of_nobody")
        case TimeOut():
            return _objection_to_time_out(before, cause, now)
        case ComeBack(seat):
            away = before.state.status == ACTIVE and before.state.is_away(seat) and has_time(before, seat)
            return None if away else Said("log.not_away")
        case Repeat():
            return _objection_to_repeating(before, cause, now)


def _objection_to_opening(before: Snapshot, cause: Open) -> Said | None:
    joining, inviting = [one.seat for one in cause.joining], [one.seat for one in cause.inviting]
    seats = joining + inviting
    if before.version != 1 or len({*seats}) < len(seats) or not {*seats} <= {*range(len(before.players))}:
        return Said("log.no_such_opening")
    seated = [one.player for one in cause.joining] + [one.player for one in cause.inviting]
    people = [player for player in seated if own_bot(player) is None]
    came_at_once = {one.player for one in cause.joining if own_bot(one.player) is None}
    if before.table.previous_game is None and not came_at_once <= {before.table.creator}:
        return Said("log.no_such_opening")  # but for a rematch nobody else sits down at once
    return Said("log.sits_twice") if len({*people}) < len(people) else None


def _objection_to_seating(before: Snapshot, cause: Join | Invite | Decline | Withdraw) -> Said | None:
    """Returns why somebody could not be seated or invited, or decline, or an invitation not be withdrawn."""
    kept_for = before.state.offers.get(cause.seat)
    if before.state.status != OPEN:
        return Said("log.table_closed")
    if isinstance(cause, Decline | Withdraw):
        return None if kept_for == cause.player else Said("log.not_invited")
    if before.players[cause.seat] is not None:
        return Said("log.seat_taken")
    if own_bot(cause.player) is None and cause.player in before.players:
        return Said("log.sits_twice")
    if isinstance(cause, Invite):
        return None if kept_for is None and before.offer_to(cause.player) is None else Said("log.seat_kept")
    return None if kept_for in (None, cause.player) else Said("log.seat_kept")


def _objection_to_repeating(before: Snapshot, cause: Repeat, now: int) -> Said | None:
    """Returns why a move of another game could not be made again then: that is how a fork is opened, all at once."""
    opened_now = text_of(now) == before.created.at and before.state.status == ACTIVE
    moves = cause.action is not None or cause.leaves is not None
    return None if before.table.forked_from is not None and opened_now and moves else Said("log.not_repeated")


def _objection_to_time_out(before: Snapshot, cause: TimeOut, now: int) -> Said | None:
    """Returns why a seat's time could not be up then, or not have this effect."""
    clock, decision = before.table.clock, before.state.decision
    if clock is None or before.state.to_act != cause.seat or own_bot(before.players[cause.seat]) is not None:
        return Said("log.no_clock")
    if before.deadline is None or now < before.deadline:
        return Said("log.not_late")
    if (cause.action is None) != (clock["on_timeout"] == "forfeit"):
        return Said("log.other_timeout")
    declined = cause.action is not None and decision is not None and decision.kind in DECLINABLE
    if declined and cause.action != legal_actions(before.view(cause.seat))[0]:
        return Said("log.other_timeout")
    thought_of = cause.action is not None and not declined
    return None if thought_of == (cause.thought is not None) else Said("log.thought_of_nobody")
