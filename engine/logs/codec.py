"""Converts events and actions to plain data and back: the stored form, and the form of the HTTP interface.

The stored form of an event is `{"v", "type", "at", "data"}` with the project's own type strings, never Python paths.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.actions import ACTIONS, CARD, CARDS, FACE, FLAG, HANDS, MEMBERS, NUMBER, SEAT, SEATS, Action
from engine.errors import MalformedAction, MalformedEvent
from engine.events import EVENTS, Event
from engine.logs.upcasts import upcast, version_of

_VERSIONS = {name: version_of(name) for name in EVENTS}


def event_data(event: Event) -> dict[str, Any]:
    """Returns the fields of an event as plain data, for its stored form."""
    data: dict[str, Any] = {}
    for name in event.fields:  # in half the time of a comprehension, which is a call of its own
        data[name] = getattr(event, name)
    return data


def store_event(event: Event, at: str) -> dict[str, Any]:
    """Returns an event in the stored form of logs; `at` is the time it happened, RFC 3339."""
    return {"v": _VERSIONS[event.type], "type": event.type, "at": at, "data": event_data(event)}


def read_event(stored: Mapping[str, Any]) -> Event:
    """Returns the event of a log's stored form of any version so far.

    Raises:
        MalformedEvent: the type is unknown, or the fields are not those of the type.
    """
    type_name = stored.get("type")
    kind = EVENTS.get(type_name) if isinstance(type_name, str) else None
    if kind is None:
        raise MalformedEvent(f"unknown event type {type_name!r}")
    try:
        version, data = stored["v"], stored["data"]
        if version != _VERSIONS[kind.type]:
            data = upcast(kind.type, version, data)
        return kind(**{name: _frozen(value) if isinstance(value, list) else value for name, value in data.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedEvent(f"not a {kind.type}: {error}") from None


def _frozen(value: Any) -> Any:
    """Returns lists in a stored event as tuples, however deep; JSON knows no tuples."""
    if isinstance(value, list):
        return tuple([_frozen(item) for item in value])
    return value


def action_data(action: Action) -> dict[str, Any]:
    """Returns an action as plain data, as logs and the contract have it; what is absent is left out."""
    data: dict[str, Any] = {"type": action.type}
    for name, held_by, python, dump in _WRITERS[action.type]:
        value = getattr(action, held_by)
        if type(value) is python:
            data[name] = value if dump is None else dump(value)
    return data


def read_action(data: Mapping[str, Any]) -> Action:
    """Returns the action of plain data, as logs and the contract have it; types are checked, legality is not.

    Raises:
        MalformedAction: an unknown type, a missing, superfluous or ill-typed member.
    """
    type_name = data.get("type")
    if not isinstance(type_name, str) or type_name not in ACTIONS:
        raise MalformedAction(f"unknown action type {type_name!r}")
    members = _MEMBERS_READ[type_name]
    values: dict[str, Any] = {}
    try:
        for name, value in data.items():
            if name in members:
                held_by, read = members[name]
                if held_by in values:
                    raise TypeError(f"a {held_by} is either a card or a number")
                values[held_by] = read(value)
        for name in _REQUIRED[type_name]:
            if name not in data:
                raise TypeError(f"{name!r} is missing")
        action: Action = ACTIONS[type_name](**values)
    except TypeError as error:
        raise MalformedAction(f"not a {type_name}: {error}") from None
    if len(data) > len(values) + 1:
        unknown = data.keys() - {"type", *members}
        raise MalformedAction(f"unknown fields: {', '.join(sorted(unknown))}")
    return action


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _items(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is not a list")
    return value


def _cards(value: Any) -> tuple[str, ...]:
    return tuple([_text(card) for card in _items(value)])


def _seats(value: Any) -> tuple[int, ...]:
    # The order means nothing: the engine keeps seats in order.
    return tuple(sorted([_integer(seat) for seat in _items(value)]))


def _hands(value: Any) -> tuple[tuple[int, str], ...]:
    return tuple(sorted([_hand(item) for item in _items(value)]))


def _hand(item: Any) -> tuple[int, str]:
    if not isinstance(item, Mapping) or item.keys() != {"seat", "card"}:
        raise TypeError(f"{item!r} is not a seat and a card")
    return _integer(item["seat"]), _text(item["card"])


def _hands_data(hands: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": card} for seat, card in hands]


READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    CARD: _text,
    CARDS: _cards,
    SEAT: _integer,
    SEATS: _seats,
    NUMBER: _integer,
    FACE: _text,
    FLAG: _flag,
    HANDS: _hands,
}
"""By kind of member: reads its plain data."""
_MEMBERS_READ: Final = {
    name: {member.name: (member.field, READERS[member.kind]) for member in members} for name, members in MEMBERS.items()
}
_REQUIRED: Final = {name: [member.name for member in members if member.required] for name, members in MEMBERS.items()}
_TYPES: Final[Mapping[str, tuple[type, Callable[[Any], Any] | None]]] = {
    CARD: (str, None),
    CARDS: (tuple, list),
    SEAT: (int, None),
    SEATS: (tuple, list),
    NUMBER: (int, None),
    FACE: (str, None),
    FLAG: (bool, None),
    HANDS: (tuple, _hands_data),
}
"""By kind of member: what an action holds for it, and what turns that into plain data if it is not already."""
_WRITERS: Final = {
    name: tuple((member.name, member.field, *_TYPES[member.kind]) for member in members)
    for name, members in MEMBERS.items()
}
