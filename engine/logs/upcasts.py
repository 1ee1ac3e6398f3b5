"""Reads the data of stored events of earlier releases as today's: one step per version of an event, on plain data.

Every event is in its first version, so there is no step yet. A step is needed once a release has stored an event that
is renamed or has other fields: it gets a new version and one step here.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.errors import MalformedEvent

Data = dict[str, Any]
Steps = Mapping[tuple[str, int], Callable[[Data], Data]]
"""By type and version: the step to the next version."""

STEPS: Final[Steps] = {}
"""All steps so far. An event's present version is one more than that of its last step."""


def version_of(type_name: str, steps: Steps = STEPS) -> int:
    """Returns the version in which events of a type are stored today."""
    return 1 + max((version for name, version in steps if name == type_name), default=0)


def upcast(type_name: str, version: int, data: Data, steps: Steps = STEPS) -> Data:
    """Returns the data of a stored event as today's version has it.

    Raises:
        MalformedEvent: there is no such version, or a later release has written it.
    """
    today = version_of(type_name, steps)
    if not 1 <= version <= today:
        raise MalformedEvent(f"{type_name} has no version {version!r} here")
    for step_from in range(version, today):
        data = steps[type_name, step_from](data)
    return data
