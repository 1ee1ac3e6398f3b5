"""Defines the short format of stored events: a list instead of an object, without the names of its members.

`[v, type, at, data]`, and `cause` and `rules` where a step begins. `at` is in milliseconds since 1970, and `data` lists
the values in the order in which the event's version declares them. It takes 82 bytes where the long format takes 150
(decision 047). Both forms are read at any time; `storage_format` decides which one is written.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from engine.events import EVENTS, VALUES_OF
from engine.logs.upcasts import version_of
from engine.rules import RULES_VERSION
from games.causes import store_cause
from games.steps import Step, causes_of
from games.times import ms_of, text_of

LongEvent = Mapping[str, Any]
"""An event in the long format: the members `v`, `type`, `at`, `data`, and `cause` and `rules` where a step begins."""

VERSIONS: Final = {name: version_of(name) for name in EVENTS}
FIELDS: Final[Mapping[tuple[str, int], tuple[str, ...]]] = {
    (name, VERSIONS[name]): kind.fields for name, kind in EVENTS.items()
}
"""The names of an event's fields, by type and version. If you change an event, add those of the version before, so
that stored events stay readable. `tests/golden/fields.json` has all that were ever written."""

_ALWAYS: Final = ("v", "type", "at", "data")
_CAUSED: Final = ("cause", "rules")
_SETS: Final = [{*_ALWAYS, *_CAUSED[:count]} for count in range(len(_CAUSED) + 1)]


def short(stored: LongEvent) -> list[Any] | LongEvent:
    """Returns a stored event in the short format; as it is if it has members that the short format does not know."""
    if stored.keys() not in _SETS:
        return stored
    v, kind, at, data = (stored[name] for name in _ALWAYS)
    known = tuple(data) == FIELDS.get((kind, v))
    caused = (stored[name] for name in _CAUSED if name in stored)
    return [v, kind, _time(at), list(data.values()) if known else data, *caused]


def short_step(new: Step) -> list[list[Any]]:
    """Returns the entries of a step in the short format in which they are stored, each cause with its first event."""
    stored: list[list[Any]] = []
    for entry in new.entries:
        event = entry.event
        stored.append([VERSIONS[event.type], event.type, _time(entry.at), VALUES_OF[event.type](event)])
    for index, cause in causes_of(new).items():
        stored[index] += store_cause(cause), RULES_VERSION
    return stored


def long(stored: list[Any] | dict[str, Any]) -> dict[str, Any]:
    """Returns a stored event of either format in the long one.

    Raises:
        ValueError: it has not the fields that its type and version have.
        TypeError: it is no event.
    """
    if isinstance(stored, dict):
        return stored
    v, kind, at, data, *caused = stored
    if isinstance(data, list):
        data = dict(zip(FIELDS.get((kind, v), ()), data, strict=True))
    found = {"v": v, "type": kind, "at": at if isinstance(at, str) else text_of(at), "data": data}
    if caused:
        found |= zip(_CAUSED, caused, strict=False)  # there are causes without rules in logs from before those
    return found


@lru_cache(1024)  # the entries of a step have one time
def _time(at: str) -> int | str:
    """Returns the milliseconds of a stored event's time; the text itself if they would not give it back."""
    try:
        ms = ms_of(at)
    except ValueError:
        return at
    return ms if text_of(ms) == at else at
