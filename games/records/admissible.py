"""Checks whether a cause could have occurred at a table in its state.

The rules of the engine are not repeated here: `steps` refuses illegal actions and departures.
"""

from engine.actions import DECLINABLE
from engine.options import legal_actions
from engine.state import ACTIVE, OPEN
from games.causes import (
    Abort,
    Act,
    Cause,
    ComeBack,
    Decline,
    EndReveal,
    Expire,
    Invite,
    Join,
    Leave,
    Open,
    Remove,
    Repeat,
    Restore,
    Reveal,
    TakeBreak,
    TimeOut,
    Unseal,
    Withdraw,
)
from games.clocks.banks import has_time
from games.clocks.breaks import days_left
from games.ids import own_bot
from games.messages import Message
from games.snapshot import Snapshot
from games.tables.removals import was_removed
from games.times import text_of


def objection(before: Snapshot, cause: Cause, now: int) -> Message | None:
    """Returns why a cause in a log could not have occurred at a time, in ms since 1970; None if it could."""
    if isinstance(cause, Open):
        return _objection_to_opening(before, cause)
    if not isinstance(cause, (Abort, Expire, Restore, Unseal, EndReveal)) and cause.seat not in range(
        len(before.players)
    ):
        return Message("log.no_such_seat")
    match cause:  # what happens most often comes first
        case Act(seat):
            by_bot = own_bot(before.players[seat]) is not None
            return None if by_bot == (cause.thought is not None) else Message("log.thought_of_nobody")
        case TimeOut():
            return _objection_to_time_out(before, cause, now)
        case Join() | Invite() | Decline() | Withdraw():
            return _objection_to_seating(before, cause)
        case Reveal() | EndReveal():
            return _objection_to_revealing(before, cause, now)
        case Leave(seat) | Remove(seat):
            if before.reveals is not None:
                return Message("log.nobody_gets_up")
            if isinstance(cause, Remove):
                return _objection_to_removing(before, cause)
            return (
                None if before.state.status != OPEN or before.players[seat] is not None else Message("log.seat_empty")
            )
        case Abort() | Expire() | Restore():
            return Message("log.too_late_to_abort") if before.ended else None
        case Unseal():
            return None if before.ended and before.sealed else Message("log.not_sealed")
        case ComeBack(seat):
            away = before.state.status == ACTIVE and before.state.is_away(seat) and has_time(before, seat)
            return None if away else Message("log.not_away")
        case TakeBreak():
            return _objection_to_break(before, cause, now)
        case Repeat():
            return _objection_to_repeating(before, cause, now)


def _objection_to_opening(before: Snapshot, cause: Open) -> Message | None:
    joining, inviting = [one.seat for one in cause.joining], [one.seat for one in cause.inviting]
    seats = joining + inviting
    if before.version != 1 or len({*seats}) < len(seats) or not {*seats} <= {*range(len(before.players))}:
        return Message("log.no_such_opening")
    seated = [one.player for one in cause.joining] + [one.player for one in cause.inviting]
    people = [player for player in seated if own_bot(player) is None and not _may_sit_twice(before, player)]
    came_at_once = {one.player for one in cause.joining if own_bot(one.player) is None}
    at_once = before.table.previous_game is not None or len(joining) == len(before.players)
    if not at_once and not came_at_once <= {before.table.creator}:
        return Message("log.no_such_opening")  # others sit down at once in a rematch, or if the service seats them all
    return Message("log.sits_twice") if len({*people}) < len(people) else None


def _may_sit_twice(before: Snapshot, player: str) -> bool:
    """Returns whether a player in a log may have several seats, as the creator of a sandbox may."""
    return before.table.sandbox and player == before.table.creator


def _objection_to_seating(before: Snapshot, cause: Join | Invite | Decline | Withdraw) -> Message | None:
    """Returns why a log's cause could not seat or invite somebody, decline, or withdraw an invitation."""
    kept_for = before.state.offers.get(cause.seat)
    if before.state.status != OPEN:
        return Message("log.table_closed")
    if isinstance(cause, Decline | Withdraw):
        return None if kept_for == cause.player else Message("log.not_invited")
    if before.players[cause.seat] is not None:
        return Message("log.seat_taken")
    if own_bot(cause.player) is None and cause.player in before.players and not _may_sit_twice(before, cause.player):
        return Message("log.sits_twice")
    if isinstance(cause, Join) and was_removed(before, cause.player):
        return Message("log.was_removed")
    if isinstance(cause, Invite):
        return None if kept_for is None and before.offer_to(cause.player) is None else Message("log.seat_kept")
    return None if kept_for in (None, cause.player) else Message("log.seat_kept")


def _objection_to_removing(before: Snapshot, cause: Remove) -> Message | None:
    """Returns why in a log a table's creator could not remove somebody from a seat."""
    if before.state.status != OPEN:
        return Message("log.table_closed")
    sits = before.players[cause.seat]
    return None if sits == cause.player and sits != before.table.creator else Message("log.sits_elsewhere")


def _objection_to_revealing(before: Snapshot, cause: Reveal | EndReveal, now: int) -> Message | None:
    """Returns why in a log a nonce could not be revealed, or not be done without."""
    if before.reveals is None:
        return Message("log.nothing_to_reveal")
    if isinstance(cause, EndReveal):
        return None if before.reveals.over(now) else Message("log.not_late")
    if cause.seat not in before.reveals.waiting:
        return Message("log.nothing_to_reveal")
    return None if before.reveals.fits(cause.seat, cause.nonce) else Message("log.nonce_mismatch")


def _objection_to_break(before: Snapshot, cause: TakeBreak, now: int) -> Message | None:
    """Returns why in a log a player could not take days off then."""
    state, seat = before.state, cause.seat
    plays = state.status == ACTIVE and not state.seats[seat].left and own_bot(before.players[seat]) is None
    left = days_left(before.table.clock, state, seat, text_of(now))
    return None if plays and 1 <= cause.days <= left else Message("log.no_break")


def _objection_to_repeating(before: Snapshot, cause: Repeat, now: int) -> Message | None:
    """Returns why a log could not make a move of another game again then: that opens a fork, all at once."""
    opened_now = text_of(now) == before.created.at and before.state.status == ACTIVE
    moves = cause.action is not None or cause.leaves is not None
    return None if before.table.forked_from is not None and opened_now and moves else Message("log.not_repeated")


def _objection_to_time_out(before: Snapshot, cause: TimeOut, now: int) -> Message | None:
    """Returns why in a log a seat's time could not be up then, or not have this effect."""
    clock, decision = before.table.clock, before.state.decision
    if clock is None or before.state.to_act != cause.seat or own_bot(before.players[cause.seat]) is not None:
        return Message("log.no_clock")
    if before.deadline is None or now < before.deadline:
        return Message("log.not_late")
    if (cause.action is None) != (clock["on_timeout"] == "forfeit"):
        return Message("log.other_timeout")
    declined = cause.action is not None and decision is not None and decision.kind in DECLINABLE
    if declined and cause.action != legal_actions(before.view(cause.seat))[0]:
        return Message("log.other_timeout")
    thought_of = cause.action is not None and not declined
    return None if thought_of == (cause.thought is not None) else Message("log.thought_of_nobody")
