"""Decides what happens when a seat's time is up, and on a bot's turn."""

from engine.actions import DECLINABLE
from engine.options import legal_actions
from games.bots.turns import AT_ONCE, STAND_IN, ThinkBudget, choice
from games.causes import Act, EndReveal, TimeOut
from games.ids import own_bot
from games.snapshot import Snapshot


def timed_out(snapshot: Snapshot, now: int, budget: ThinkBudget = AT_ONCE) -> Act | TimeOut | EndReveal | None:
    """Returns the cause that an expired clock produces at a time, in milliseconds since 1970; None before the deadline.

    The bots it uses are quick, because a caller may be waiting. By the clock of `budget` they rest to a beat.
    """
    if snapshot.reveals is not None:
        return EndReveal() if snapshot.reveals.over(now) else None
    seat = snapshot.state.to_act
    clock = snapshot.table.clock
    if seat is None or clock is None or snapshot.deadline is None or now < snapshot.deadline:
        return None
    if own_bot(snapshot.players[seat]) is not None:
        # Late because no worker was running, which is not the bot's fault.
        return Act(seat, *choice(snapshot, seat, STAND_IN, budget, now))
    if clock["on_timeout"] == "forfeit":
        return TimeOut(seat)
    decision = snapshot.state.decision
    if decision is not None and decision.kind in DECLINABLE:
        return TimeOut(seat, legal_actions(snapshot.view(seat))[0])  # keep; look at none
    return TimeOut(seat, *choice(snapshot, seat, STAND_IN, budget, now))


def bot_turn(snapshot: Snapshot, budget: ThinkBudget, now: int) -> Act | None:
    """Returns the cause of a bot's turn, which needs no clock to run out; None if it is a player's turn or nobody's."""
    seat = snapshot.state.to_act
    bot = own_bot(snapshot.players[seat]) if seat is not None else None
    if seat is None or bot is None:
        return None
    return Act(seat, *choice(snapshot, seat, bot, budget, now))
