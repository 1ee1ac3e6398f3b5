"""Charges a seat's time bank for its decisions.

A bank loses the time between a question and its answer, from the times in the log, to the millisecond, and gains the
increment. Banks are part of the state, so every reader of the log gets the same values.
"""

from engine.events import TimeSpent
from games.causes import Act, TimeOut
from games.clocks.breaks import spent_ms
from games.clocks.time_limits import is_hurried
from games.ids import own_bot
from games.snapshot import Snapshot


def time_spent(before: Snapshot, cause: Act | TimeOut, now: int) -> TimeSpent | None:
    """Returns what a decision at a time, in milliseconds since 1970, costs a seat's bank; None if nothing.

    The service's own bots pay nothing, for how long they take is up to the service; neither does a seat that is away,
    unless it acts itself. A seat whose bank is used up gains the increment, too, so that its player has something to
    come back to; one that leaves gains nothing.
    """
    seat, state, clock = cause.seat, before.state, before.table.clock
    if state.banks is None or before.asked is None or clock is None or own_bot(state.seats[seat].player) is not None:
        return None
    if isinstance(cause, TimeOut) and is_hurried(state, seat):
        return None
    # A clock may have been set back, and an answer in time may be written down a moment after it.
    spent = min(max(0, spent_ms(state, seat, before.asked, now)), state.banks[seat])
    gained = 0 if cause.action is None else int(clock["increment"]) * 1000
    return TimeSpent(seat, spent, state.banks[seat] - spent + gained)


def has_time(before: Snapshot, seat: int) -> bool:
    """Returns whether a seat has any time left in its bank."""
    return before.state.banks is None or before.state.banks[seat] > 0
