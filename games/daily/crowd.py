"""Works out what the crowd chose in the deal of a day, from the lines of those who tried it.

A line is what a try's own seat chose, one choice after another. The deal and the bots' chance are the same for all, so
after the same choices everybody is in the same position.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from engine.logs import codec
from games.causes import Act, Cause
from games.daily.days import SEAT
from games.snapshot import Snapshot

MOST_BEST: Final = 3
"""How many of the best lines are kept."""
MOST_POSITIONS: Final = 1000
"""How many positions are kept, those that most have reached."""
LEAST_TRIES: Final = 2
"""A position that fewer have reached tells nobody how others chose, and is not kept."""


class Choice(NamedTuple):
    """What a seat chose at a version of its game."""

    version: int
    action: Mapping[str, Any]
    """As plain data."""

    @classmethod
    def of(cls, version: int, key: str) -> "Choice":
        """Returns a choice at a version from its key."""
        return cls(version, orjson.loads(key))

    @property
    def key(self) -> str:
        """Returns what tells a choice from others in the same position."""
        return orjson.dumps(self.action, option=orjson.OPT_SORT_KEYS).decode()


@dataclass(frozen=True, slots=True)
class Line:
    """A try at the deal of a day."""

    choices: Sequence[Choice]
    won: bool
    tokens: tuple[int, ...]
    """By seat."""

    def stored(self) -> str:
        """Returns a line in the form in which it is kept."""
        return orjson.dumps([[[*one] for one in self.choices], self.won, self.tokens]).decode()

    @classmethod
    def read(cls, stored: str) -> "Line":
        """Returns a line from the form in which it is kept."""
        choices, won, tokens = orjson.loads(stored)
        return cls([Choice(*one) for one in choices], won, tuple(tokens))


def has_won(snapshot: Snapshot) -> bool:
    """Returns whether whoever tried the deal of a day has won."""
    return SEAT in snapshot.state.winners


def line_of(ended: Snapshot, causes: Mapping[int, Cause]) -> Line:
    """Returns the line of a try that has ended, from the causes of its steps by version."""
    choices = [
        Choice(version - 1, codec.action_data(cause.action))
        for version, cause in sorted(causes.items())
        if isinstance(cause, Act) and cause.seat == SEAT
    ]
    return Line(choices, has_won(ended), tuple([seat.tokens for seat in ended.state.seats]))


def crowd_of(lines: Iterable[Line], expert: Line | None) -> dict[str, Any]:
    """Returns what is kept of a day as plain data: numbers, the bot's line, the best lines, and who chose what.

    It names nobody. `positions` has, by a hash of the choices that lead there, how often each choice was taken.
    """
    found = [*lines]
    positions: dict[str, dict[str, int]] = {}
    for line in found:
        path = ""
        for choice in line.choices:
            taken = positions.setdefault(path, {})
            taken[choice.key] = taken.get(choice.key, 0) + 1
            path = _after(path, choice)
    reached = {path: sum(taken.values()) for path, taken in positions.items()}
    telling = [path for path in reached if reached[path] >= LEAST_TRIES]
    kept = sorted(telling, key=lambda path: (-reached[path], path))[:MOST_POSITIONS]
    return {
        "tried": len(found),
        "won": sum(line.won for line in found),
        "expert": expert.stored() if expert is not None else None,
        "best": [line.stored() for line in _best(found)],
        "positions": {path: positions[path] for path in kept},
    }


def along(summary: Mapping[str, Any], line: Line) -> list[dict[str, int]]:
    """Returns for each choice of a line what others chose in the same position, and how many; {} if too few came."""
    path, found = "", []
    for choice in line.choices:
        found.append(summary["positions"].get(path, {}))
        path = _after(path, choice)
    return found


def _after(path: str, choice: Choice) -> str:
    return hashlib.sha256(f"{path} {choice.version} {choice.key}".encode()).hexdigest()[:16]


def _best(lines: Sequence[Line]) -> list[Line]:
    """Returns the best of some lines, each once: those that won with the fewest choices."""
    won = {line.stored(): line for line in lines if line.won}
    return sorted(won.values(), key=lambda line: (len(line.choices), line.stored()))[:MOST_BEST]
