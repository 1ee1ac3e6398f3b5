"""Redacts events and makes views of them; the one place that decides what a viewer may know.

Everything that leaves the service comes through `redact`: a view is the redacted log folded by the events' own code,
so it cannot hold what the redacted log does not. Who sees a field is declared at the field (`audience`).
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from engine.events import EVENTS, VALUES_OF, Event, fold
from engine.rules import fold_log
from engine.state import OPEN, GameState

Viewer: TypeAlias = int
"""A seat, or one of the two below."""
WATCHER: Final = -1
"""Sees what everybody sees."""
ALL: Final = -2
"""Sees everything: only for games that have ended."""
SECRETS_OF: Final = {
    kind: (
        VALUES_OF[name],
        [
            (kind.fields.index(secret), [kind.fields.index(seat) for seat in audience.seats_in], audience.own_item)
            for secret, audience in kind.secrets
        ],
    )
    for name, kind in EVENTS.items()
    if kind.secrets
}
"""By class of the events that have fields which not everybody sees: what reads an event's values, and for each of these
fields where it stands among the values, where the seats stand that see it, and whether each other seat sees its own
item."""


def redact(event: Event, viewer: Viewer) -> Event:
    """Redacts an event: returns it as the viewer may see it, with None for what is hidden; lists keep their length."""
    kind = type(event)
    secret = SECRETS_OF.get(kind)
    if secret is None or viewer == ALL:
        return event
    values_of, fields = secret
    values = values_of(event)
    shown: list[Any] | None = None
    for at, seats_at, own_item in fields:
        for seat_at in seats_at:
            if values[seat_at] == viewer:
                break
        else:
            if shown is None:
                shown = [*values]
            shown[at] = _hidden(values[at], own_item, viewer)
    if shown is None:
        return event
    return kind(*shown)


def redact_log(log: Sequence[Event], viewer: Viewer) -> list[Event]:
    """Redacts a log: returns it as the viewer may see it, with the same number of events."""
    return [redact(event, viewer) if event.secrets else event for event in log]  # most have none, and a call takes time


def view(log: Sequence[Event], viewer: Viewer) -> GameState:
    """Returns the viewer's state folded from a full log that is redacted here and begins with `game_created`."""
    return fold_log(redact_log(log, viewer))


def advance(view_state: GameState, events: Sequence[Event], viewer: Viewer) -> GameState:
    """Redacts further full events and folds them onto a viewer's state, in place, and returns it."""
    return fold(view_state, redact_log(events, viewer))


def _hidden(value: Any, own_item: bool, viewer: Viewer) -> Any:
    """Returns what a viewer sees of a value that is not shown to them as a whole."""
    if not isinstance(value, tuple):
        return None
    if not own_item:
        return (None,) * len(value)
    return tuple([item if i == viewer else None for i, item in enumerate(value)])


def present(state: GameState) -> dict[str, Any]:
    """Returns the part of a view that the rules alone determine, as plain data with the contract's names."""
    decision = state.decision
    return {
        "status": state.status,
        "version": state.version,
        "seats": [_seat(state, seat) for seat in range(len(state.seats))],
        "round": _round(state) if state.status != OPEN and state.round_number else None,
        "to_act": state.to_act,
        "decision": None if decision is None else {"seat": decision.seat, "card": decision.card, "kind": decision.kind},
        "winners": list(state.winners),
    }


def _seat(state: GameState, number: int) -> dict[str, Any]:
    seat, bit = state.seats[number], 1 << number  # the masks themselves: every view asks for each seat
    insanity = bool(state.book.insanity)
    return {
        "seat": number,
        "tokens": seat.tokens,
        "in_round": state.in_round & bit != 0,
        "protected": state.protected & bit != 0,
        "left": seat.left,
        "away": state.away & bit != 0,
        "bank_ms": state.banks[number] if state.banks is not None else None,
        "hand": list(seat.hand),
        "discards": list(seat.discards),
        "sane_tokens": seat.tokens - seat.insane_tokens if insanity else None,
        "insane_tokens": seat.insane_tokens if insanity else None,
        "insane": state.is_insane(number) if insanity else None,
    }


def _round(state: GameState) -> dict[str, Any]:
    return {
        "number": state.round_number,
        "seats": list(state.dealt),
        "tie_break": state.tie_break,
        "starter": state.starter,
        "turn": state.turn,
        "deck_size": len(state.deck),
        "set_aside": state.set_aside[0] if state.set_aside else None,
        "shown_aside": list(state.shown_aside),
        "scores": list(state.scores),
        "bound": state.bound,
        "marks": [{"card": card, "seat": seat, "target": target} for card, (seat, target) in state.marks.items()],
        "in_play": list(state.in_play),
    }
