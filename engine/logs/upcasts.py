"""Upgrades stored events of older versions to today's: one step per version, on plain data.

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
    """Upcasts `game_created` to two kinds of clock: until then there was one, for each decision."""
    clock = data["clock"]
    return data if clock is None else data | {"clock": {"kind": "decision", "increment": 0, **clock}}


def _of_no_other_game(data: Data) -> Data:
    """Upcasts `game_created` to say which game it goes on from: until then every game began by itself."""
    return data | {"forked_from": None}


def _round_with_banks(data: Data) -> Data:
    """Upcasts `round_started` to list banks and who is away: until then there were no banks, and nobody was."""
    return data | {"banks": None, "away": ()}


def _called_off(data: Data) -> Data:
    """Upcasts `game_aborted` to a reason: until then its creator was the only one who could abort a game."""
    return data | {"reason": "called_off"}


def _without_commitment(data: Data) -> Data:
    """Upcasts `seat_taken` to an empty nonce hash: until then a contribution was sent as it was."""
    return data | {"nonce_hash": ""}


def _nothing_to_reveal(data: Data) -> Data:
    """Upcasts `game_started` to no nonces to reveal: until then a game started as soon as the table was full."""
    return data | {"committed": (), "unrevealed": ()}


def _round_without_reasons(data: Data) -> Data:
    """Upcasts `round_ended` to no reasons: until then what decided a round was not kept."""
    return data | {"decided_by": None, "card": None, "standings": ()}


def _without_positions(data: Data) -> Data:
    """Upcasts `game_created` to no positions: until then every round was dealt."""
    return data | {"sandbox_positions": ()}


def _round_that_was_dealt(data: Data) -> Data:
    """Upcasts `round_started` to a round that was dealt: until then every one was."""
    return data | {"position": None}


STEPS: Final[Steps] = {
    ("game_created", 1): _clock_with_kind,
    ("game_created", 2): _of_no_other_game,
    ("game_created", 3): _without_positions,
    ("round_started", 1): _round_with_banks,
    ("game_aborted", 1): _called_off,
    ("seat_taken", 1): _without_commitment,
    ("game_started", 1): _nothing_to_reveal,
    ("round_ended", 1): _round_without_reasons,
    ("round_started", 2): _round_that_was_dealt,
}
"""All steps so far. An event's present version is one more than that of its last step."""


def version_of(type_name: str, steps: Steps = STEPS) -> int:
    """Returns the version in which events of a type are stored today, after all upcasts."""
    return 1 + max((version for name, version in steps if name == type_name), default=0)


def upcast(type_name: str, version: int, data: Data, steps: Steps = STEPS) -> Data:
    """Upcasts the data of a stored event: returns it as today's version has it.

    Raises:
        MalformedEvent: there is no such version, or a later release has written it.
    """
    today = version_of(type_name, steps)
    if not 1 <= version <= today:
        raise MalformedEvent(f"{type_name} has no version {version!r} here")
    for step_from in range(version, today):
        data = steps[type_name, step_from](data)
    return data
