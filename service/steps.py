"""What follows from a cause: events by the rules, at a time, as a step of the log. Who may cause what is not said here.

A log can be checked with it: the events of each step follow from its cause and from the log before it.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from engine import rules
from engine.events import (
    Event,
    GameAborted,
    GameFinished,
    OfferWithdrawn,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
    SeatTakenBack,
    SeatVacated,
    SecretRevealed,
    fold,
)
from engine.replay import repeat
from engine.scoresheet import Move
from engine.state import OPEN, GameState
from service.banks import time_spent
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
from service.log import Step, step
from service.snapshot import Snapshot
from service.times import ms_of

SKEW_MS: Final = 5_000
"""By how much the clocks of an installation's machines may differ without a trace in the logs."""


def step_of(before: Snapshot, cause: Cause, now: int) -> Step:
    """Returns the step that a cause makes of a game at a time, in milliseconds since 1970.

    No step is earlier than the one before because two machines' clocks differ a little; one that is really set back is
    followed, or whoever is asked next would have all that time besides.

    Raises:
        IllegalAction: the rules do not allow it.
    """
    last = ms_of(before.entries[-1].at)
    now = last if now < last <= now + SKEW_MS else now
    return step(before, events_of(before, cause, now), now, cause)


def events_of(before: Snapshot, cause: Cause, now: int) -> list[Event]:
    """Returns what follows from a cause at a time; a game that ends with it reveals its secret.

    For `Open`, `before` is the game of which nothing but `game_created` has happened.

    Raises:
        IllegalAction: the rules do not allow it.
        MalformedNotation: it repeats what no seat could do.
    """
    events = _by_the_clock(before, cause, now)
    state = fold(before.state.copy(), events) if events else before.state
    events += _by_the_rules(before, state, cause)
    if any(isinstance(event, GameFinished | GameAborted) for event in events):
        events.append(SecretRevealed(before.secret.hex()))
    return events


def _by_the_clock(before: Snapshot, cause: Cause, now: int) -> list[Event]:
    """Returns what comes first: the player is back, and their seat has spent time."""
    events: list[Event] = []
    if isinstance(cause, ComeBack) or (isinstance(cause, Act) and before.state.is_away(cause.seat)):
        events.append(SeatTakenBack(cause.seat))
    if isinstance(cause, Act | TimeOut) and (spent := time_spent(before, cause, now)) is not None:
        events.append(spent)
    return events


def _by_the_rules(before: Snapshot, state: GameState, cause: Cause) -> list[Event]:
    """Returns what follows from a cause in a state."""
    match cause:
        case Open(joining, inviting):
            return [*_sit_down(before, joining), *[SeatOffered(one.seat, one.player) for one in inviting]]
        case Invite(seat, player):
            return [SeatOffered(seat, player)]
        case Decline(seat, player, reason):
            return [SeatDeclined(seat, player, reason)]
        case Withdraw(seat, player):
            return [OfferWithdrawn(seat, player)]
        case Join():
            return _sit_down(before, [cause])
        case Leave(seat) if state.status == OPEN:
            return [SeatVacated(seat)]
        case Leave(seat):
            return rules.leave(state, seat, "resigned", before.chance())
        case Abort():
            return rules.abort(state)
        case Act(seat, action, _):
            return rules.decide(state, seat, action, before.chance())
        case TimeOut(seat, action, _):
            if action is None:
                return rules.leave(state, seat, "timed_out", before.chance())
            return rules.time_out(state, seat, action, before.chance())
        case ComeBack():
            return []
        case Repeat(seat, action, leaves):
            return repeat(state, Move(seat, action, leaves=leaves), before.chance())
        case _:
            assert_never(cause)


def _sit_down(before: Snapshot, joining: Sequence[Join]) -> list[Event]:
    """Returns how seats are taken, and the start of the game if none is open then."""
    taken = [SeatTaken(join.seat, join.player, join.nonce) for join in joining]
    state = before.state.copy()
    for event in taken:
        event.apply(state)
    if any(seat.player is None for seat in state.seats):
        return [*taken]
    nonces = before.nonces
    for event in taken:
        nonces[event.seat] = event.nonce
    # The log does not hold all contributions to the shuffle yet, so they are handed over.
    return [*taken, *rules.start(state, nonces, before.chance(nonces), before.table.starter)]
