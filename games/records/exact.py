"""Plays a log again for as long as it is exactly what this release writes of its causes, to the byte.

Nearly all logs are, from their beginning to their end, so that nothing in them needs a check of its own. `verification`
takes any other step apart and says what is wrong with it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import orjson

from engine.errors import IllegalAction, MalformedAction, MalformedNotation
from engine.events import Event, fold
from engine.logs import codec
from engine.rules import RULES_VERSION
from engine.shuffle import Chance
from engine.state import ACTIVE, GameState
from games.causes import Act, Cause, Open, read_cause, store_cause
from games.clocks.banks import spent_since
from games.records.admissible import objection, objection_to_acting
from games.records.portable import canonical
from games.records.schema import cause_fault
from games.snapshot import Entry, Snapshot
from games.steps import act_in_place, events_of
from games.times import SKEW_MS, is_time, ms_of

OTHERWISE: Final = (
    IllegalAction,
    MalformedAction,
    MalformedNotation,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    OverflowError,
)
"""Errors raised by playing a step that is not as this release writes it."""
MOST_CAUSES: Final = 4096
LONGEST_CAUSE: Final = 512
"""Longer ones, in bytes, are not kept: no log decides how much memory they take."""
MOST_EVENTS: Final = 8192
"""How many events are kept as they are written."""


def begins_step(stored: Any) -> bool:
    """Returns whether a step begins with an event of a log."""
    return isinstance(stored, dict) and stored.get("cause") is not None


class Course:
    """A game that is played again along its log."""

    def __init__(self, begun: Snapshot) -> None:
        self._begun = begun
        """The game before the first step that is played; never changed."""
        self._state: GameState = begun.state.copy()
        """The game's state now, changed in place."""
        self._events: list[Event] = []
        self._times: list[str] = []
        self._lines: list[str] = []
        self._known = begun
        """The newest snapshot that was needed; its state changes with `_state`."""
        self._counted = 0
        """How many of the events it has."""
        self._chance: Chance | None = None

    def follow(self, events: Sequence[Any], begin: int) -> int:
        """Plays the steps of a log from an index on, and returns the index of the first that is written otherwise.

        That is the length of the log if there is none.
        """
        while begin < len(events):
            try:
                end = self._play(events, begin)
            except OTHERWISE:
                end = None
            if end is None:
                self._take_back()
                break
            begin = end
        return begin

    def snapshot(self) -> Snapshot:
        """Returns the game after the steps that were played."""
        if self._counted < len(self._events):
            first = self._begun.version + 1
            new = range(self._counted, len(self._events))
            entries = [Entry(first + i, self._times[i], self._events[i]) for i in new]
            self._known = self._known.after(entries, "", self._state)
            self._counted = len(self._events)
        return self._known

    def written(self) -> bytes:
        """Returns the events that were played as the digest of a log has them."""
        return "".join([f"{line}\n" for line in self._lines]).encode()

    def _play(self, events: Sequence[Any], begin: int) -> int | None:
        """Plays the step that begins at an index; returns where it ends, or None if it is written otherwise."""
        first = events[begin]
        if first["rules"] != RULES_VERSION or not self._is_in_time(first["at"]):
            return None
        at: str = first["at"]
        stored = canonical(first["cause"])
        cause = _cause_of(stored) if len(stored) <= LONGEST_CAUSE else _cause_of.__wrapped__(stored)
        if cause is None:
            return None
        if isinstance(cause, Open) != (begin == 0):
            return None
        if isinstance(cause, Act) and self._state.status == ACTIVE:
            made = self._acted(cause, at)
        else:
            made = self._made(cause, at)
        told = made if begin else [self._begun.table, *made]
        end = begin + len(told)
        lines = _lines(told, stored.decode(), at, begin + 1)
        if canonical(events[begin:end]) != f"[{','.join(lines)}]".encode():
            return None
        if end < len(events) and not begins_step(events[end]):
            return None
        self._events += made
        self._times += [at] * len(made)
        self._lines += lines
        return end

    def _is_in_time(self, at: str) -> bool:
        """Returns whether a step could have this time."""
        if self._times and at == self._times[-1]:
            return True
        last = self._times[-1] if self._times else self._begun.entries[-1].at
        return is_time(at) and (at >= last or ms_of(last) - ms_of(at) > SKEW_MS)

    def _acted(self, cause: Act, at: str) -> list[Event]:
        """Returns the events of an action, and applies them."""
        state = self._state
        if objection_to_acting(state.seats[cause.seat].player, cause) is not None:
            raise ValueError("nobody acts like this")
        spent = None
        if state.banks is not None and (asked := self._asked()) is not None:
            spent = spent_since(asked, state, self._begun.table.clock, cause, ms_of(at))
        if self._chance is None:
            self._chance = self.snapshot().chance()
        return act_in_place(state, cause, spent, self._chance, self._begun.secret)

    def _asked(self) -> int | None:
        """Returns the time at which the open question was put, as `Snapshot.asked` does."""
        put = self._state.since - self._begun.version - 1
        return ms_of(self._times[put]) if put >= 0 else self._begun.asked

    def _made(self, cause: Cause, at: str) -> list[Event]:
        """Returns the events of any cause, and applies them."""
        before, now = self.snapshot(), ms_of(at)
        if objection(before, cause, now) is not None:
            raise ValueError("nothing was brought about like this")
        made = events_of(before, cause, now)
        fold(self._state, made)
        return made

    def _take_back(self) -> None:
        """Leaves the game as it was before the last step, which may have changed the state."""
        self._state = fold(self._begun.state.copy(), self._events)
        self._known, self._counted = self._begun, 0


@lru_cache(MOST_CAUSES)
def _cause_of(stored: bytes) -> Cause | None:
    """Returns the cause of a canonical form; None if this release writes no cause like that."""
    data = orjson.loads(stored)
    if cause_fault(data) is not None:
        return None
    cause = read_cause(data)
    return cause if canonical(store_cause(cause)) == stored else None


def _lines(events: Sequence[Event], cause: str, at: str, version: int) -> list[str]:
    """Returns what this release writes of the events of a step, each canonical."""
    lines = []
    caused, rules = cause, str(RULES_VERSION)
    for number, event in enumerate(events, version):
        kept = _WRITTEN.get(id(event))
        if kept is None:
            kept = _write(event)
        lines.append(f'{{"at":"{at}","cause":{caused},"data":{kept[1]},"rules":{rules},{kept[2]}{number}}}')
        caused = rules = "null"
    return lines


_WRITTEN: Final[dict[int, tuple[Event, str, str]]] = {}
"""By the identity of an event, which is kept with it: its data, and what follows `rules` in its line."""


def _write(event: Event) -> tuple[Event, str, str]:
    """Writes an event and keeps what was written: events that happen again are mostly the same object."""
    stored = codec.store_event(event, "")
    written = (event, canonical(stored["data"]).decode(), f'"type":"{event.type}","v":{stored["v"]},"version":')
    if len(_WRITTEN) >= MOST_EVENTS:
        _WRITTEN.clear()
    _WRITTEN[id(event)] = written
    return written
