"""How stored events of older versions become events of today: one step per version, on plain data.

A renamed or reinterpreted field gets a new version of its event and one step here, and a stored log of the old version
joins `tests/golden/logs`. Nothing here knows the event classes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.errors import MalformedEvent

Data = dict[str, Any]
Steps = Mapping[tuple[str, int], Callable[[Data], Data]]
"""By type and version: the step to the next version."""


def _clock_with_kind(data: Data) -> Data:
    """Knows two kinds of clock: until then there was one, for each decision."""
    clock = data["clock"]
    return data if clock is None else data | {"clock": {"kind": "decision", "increment": 0, **clock}}


def _of_no_other_game(data: Data) -> Data:
    """Says from which game this one goes on: until then every game began by itself."""
    return data | {"forked_from": None}


def _round_with_banks(data: Data) -> Data:
    """Says what is left in banks and who is away: until then there were no banks, and nobody was."""
    return data | {"banks": None, "away": ()}


STEPS: Final[Steps] = {
    ("game_created", 1): _clock_with_kind,
    ("game_created", 2): _of_no_other_game,
    ("round_started", 1): _round_with_banks,
}
"""All steps so far. An event's present version is one more than that of its last step."""


def version_of(type_name: str, steps: Steps = STEPS) -> int:
    """Returns the version in which events of a type are written today."""
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
