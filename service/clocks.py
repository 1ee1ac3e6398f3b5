"""What happens when a seat's time is up, and on the turn of a service's own bot; who notices is not said here."""

from engine.decisions import DECLINABLE
from engine.options import legal_actions
from service.causes import Act, TimeOut
from service.ids import own_bot
from service.own_bots import AT_ONCE, STAND_IN, Patience, choice
from service.snapshot import Snapshot


def timed_out(snapshot: Snapshot, now: int) -> Act | TimeOut | None:
    """Returns what a time, in milliseconds since 1970, causes in a game: nothing before its deadline.

    Whoever chooses is quick, for somebody may wait for the answer to a call.
    """
    seat = snapshot.state.to_act
    clock = snapshot.table.clock
    if seat is None or clock is None or snapshot.deadline is None or now < snapshot.deadline:
        return None
    if own_bot(snapshot.players[seat]) is not None:
        # Late because no worker was there: that is not the bot's fault.
        return Act(seat, *choice(snapshot, seat, STAND_IN, AT_ONCE, now))
    if clock["on_timeout"] == "forfeit":
        return TimeOut(seat)
    decision = snapshot.state.decision
    if decision is not None and decision.kind in DECLINABLE:
        return TimeOut(seat, legal_actions(snapshot.view(seat))[0])  # keep; look at none
    return TimeOut(seat, *choice(snapshot, seat, STAND_IN, AT_ONCE, now))


def bot_turn(snapshot: Snapshot, patience: Patience, now: int) -> Act | None:
    """Returns how the service's own bot acts whose turn it is; None if it is nobody's or somebody else's."""
    seat = snapshot.state.to_act
    bot = own_bot(snapshot.players[seat]) if seat is not None else None
    if seat is None or bot is None:
        return None
    return Act(seat, *choice(snapshot, seat, bot, patience, now))
