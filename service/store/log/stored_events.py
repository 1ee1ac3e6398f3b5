"""Defines how an event is stored in Redis: `[v, type, at, data]`, and `cause` and `rules` where a step begins.

`at` is in milliseconds since 1970, and `data` lists the values in the order in which the event's version declares them.
That takes 82 bytes where an object with names takes 150 (decision 032).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from engine.errors import MalformedEvent
from engine.events import EVENTS, VALUES_OF
from engine.logs.upcasts import version_of
from engine.rules import RULES_VERSION
from games.causes import store_cause
from games.steps import Step, causes_of
from games.times import ms_of, text_of

NamedEvent: TypeAlias = Mapping[str, Any]
"""An event as an object: the members `v`, `type`, `at`, `data`, and `cause` and `rules` where a step begins."""

VERSIONS: Final = {name: version_of(name) for name in EVENTS}
FIELDS: Final[Mapping[tuple[str, int], tuple[str, ...]]] = {
    (name, VERSIONS[name]): kind.fields for name, kind in EVENTS.items()
}
"""The names of an event's fields, by type and version."""


def encoded(stored: NamedEvent) -> list[Any]:
    """Returns an event in the form in which it is stored."""
    v, kind, data = stored["v"], stored["type"], stored["data"]
    caused = [stored["cause"], stored["rules"]] if "cause" in stored else []
    return [v, kind, ms_of(stored["at"]), [data[name] for name in FIELDS[kind, v]], *caused]


def encoded_step(new: Step) -> list[list[Any]]:
    """Returns the entries of a step in the form in which they are stored, each cause with its first event."""
    stored: list[list[Any]] = []
    for entry in new.entries:
        event = entry.event
        stored.append([VERSIONS[event.type], event.type, _ms(entry.at), VALUES_OF[event.type](event)])
    for index, cause in causes_of(new).items():
        stored[index] += store_cause(cause), RULES_VERSION
    return stored


def decoded(stored: list[Any]) -> dict[str, Any]:
    """Returns a stored event as an object.

    Raises:
        ValueError: it has not the fields that its type and version have.
        TypeError: it is no event.
        MalformedEvent: there are no events of its type and version.
    """
    v, kind, at, data, *caused = stored
    fields = FIELDS.get((kind, v))
    if fields is None:
        raise MalformedEvent(f"{kind!r} has no version {v!r} here")
    found = {"v": v, "type": kind, "at": text_of(at), "data": dict(zip(fields, data, strict=True))}
    if caused:
        found["cause"], found["rules"] = caused
    return found


_ms: Final = lru_cache(1024)(ms_of)
"""As `ms_of`; the entries of a step have one time."""
