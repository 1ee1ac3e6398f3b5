"""Converts events and actions to plain data and back: the stored form, and the form of the HTTP interface.

The stored form of an event is `{"v", "type", "at", "data"}` with the project's own type strings, never Python paths.
"""

from collections.abc import Mapping
from typing import Any

from engine.actions import Action, GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import MalformedAction, MalformedEvent
from engine.events import EVENTS, Event
from engine.logs.upcasts import STEPS, Steps, upcast, version_of

_VERSIONS = {name: version_of(name) for name in EVENTS}


def event_data(event: Event) -> dict[str, Any]:
    """Returns the fields of an event as plain data."""
    return {name: getattr(event, name) for name in event.fields}


def store_event(event: Event, at: str) -> dict[str, Any]:
    """Returns an event in its stored form; `at` is the time it happened, RFC 3339."""
    return {"v": _VERSIONS[event.type], "type": event.type, "at": at, "data": event_data(event)}


def as_parsed(event: Event, at: str) -> dict[str, Any]:
    """Returns an event as its stored form comes back from JSON, which knows no tuples."""
    data = {name: list(value) if type(value) is tuple else value for name, value in event_data(event).items()}
    return {"v": _VERSIONS[event.type], "type": event.type, "at": at, "data": data}


def read_event(stored: Mapping[str, Any], steps: Steps = STEPS) -> Event:
    """Returns the event of a stored form of any version so far; `steps` lead from older versions to today's.

    Raises:
        MalformedEvent: the type is unknown, or the fields are not those of the type.
    """
    type_name = stored.get("type")
    kind = EVENTS.get(type_name) if isinstance(type_name, str) else None
    if kind is None:
        raise MalformedEvent(f"unknown event type {type_name!r}")
    try:
        data = upcast(kind.type, stored["v"], stored["data"], steps)
        return kind(**{name: _frozen(value) for name, value in data.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedEvent(f"not a {kind.type}: {error}") from None


def _frozen(value: Any) -> Any:
    """Returns lists as tuples, however deep; JSON knows no tuples."""
    if isinstance(value, list):
        return tuple([_frozen(item) for item in value])
    return value


def action_data(action: Action) -> dict[str, Any]:
    """Returns an action as plain data with the contract's names; what is absent is left out."""
    if isinstance(action, PlayCard):
        return _play_data(action)
    if isinstance(action, KeepCard):
        return {"type": action.type, "keep": action.keep, "bottom": list(action.bottom)}
    if isinstance(action, RedrawHand):
        return {"type": action.type, "redraw": action.redraw}
    if isinstance(action, PeekHand):
        return {"type": action.type} if action.seat is None else {"type": action.type, "seat": action.seat}
    return {"type": action.type, "hands": [{"seat": seat, "card": card} for seat, card in action.hands]}


def _play_data(play: PlayCard) -> dict[str, Any]:
    data: dict[str, Any] = {"type": play.type, "card": play.card, "targets": list(play.targets)}
    if isinstance(play.guess, str):
        data["guess"] = play.guess
    elif play.guess is not None:
        data["guess_value"] = play.guess
    if play.face is not None:
        data["face"] = play.face
    return data


def read_action(data: Mapping[str, Any]) -> Action:
    """Returns the action of plain data with the contract's names; types are checked, legality is not.

    Raises:
        MalformedAction: an unknown type, a missing, superfluous or ill-typed field.
    """
    type_name = data.get("type")
    reader = _READERS.get(type_name) if isinstance(type_name, str) else None
    if reader is None:
        raise MalformedAction(f"unknown action type {type_name!r}")
    rest = {name: value for name, value in data.items() if name != "type"}
    try:
        action: Action = reader(rest)
    except (KeyError, TypeError) as error:
        raise MalformedAction(f"not a {type_name}: {error}") from None
    if rest:
        raise MalformedAction(f"unknown fields: {', '.join(sorted(rest))}")
    return action


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value


def _items(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is not a list")
    return value


def _read_play(rest: dict[str, Any]) -> PlayCard:
    card = _text(rest.pop("card"))
    # The order of the targets means nothing: the engine keeps them in seat order.
    targets = tuple(sorted(_integer(seat) for seat in _items(rest.pop("targets", ()))))
    if "guess" in rest and "guess_value" in rest:
        raise TypeError("a guess is either a card or a number")
    guess: str | int | None = None
    if "guess" in rest:
        guess = _text(rest.pop("guess"))
    elif "guess_value" in rest:
        guess = _integer(rest.pop("guess_value"))
    face = _text(rest.pop("face")) if "face" in rest else None
    return PlayCard(card, targets, guess, face)


def _read_keep(rest: dict[str, Any]) -> KeepCard:
    return KeepCard(_text(rest.pop("keep")), tuple(_text(card) for card in _items(rest.pop("bottom"))))


def _read_redraw(rest: dict[str, Any]) -> RedrawHand:
    redraw = rest.pop("redraw")
    if not isinstance(redraw, bool):
        raise TypeError(f"{redraw!r} is neither true nor false")
    return RedrawHand(redraw)


def _read_peek(rest: dict[str, Any]) -> PeekHand:
    return PeekHand(_integer(rest.pop("seat")) if "seat" in rest else None)


def _read_give(rest: dict[str, Any]) -> GiveHands:
    return GiveHands(tuple(sorted(_read_gift(item) for item in _items(rest.pop("hands")))))


def _read_gift(item: Any) -> tuple[int, str]:
    if not isinstance(item, Mapping) or item.keys() != {"seat", "card"}:
        raise TypeError(f"{item!r} is not a seat and a card")
    return _integer(item["seat"]), _text(item["card"])


_READERS: dict[str, Any] = {
    PlayCard.type: _read_play,
    KeepCard.type: _read_keep,
    RedrawHand.type: _read_redraw,
    PeekHand.type: _read_peek,
    GiveHands.type: _read_give,
}
