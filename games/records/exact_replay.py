"""Plays a log again for as long as it is exactly what this release writes of its causes, to the byte.

Nearly all logs are, from their beginning to their end, so that nothing in them needs a check of its own. `verification`
takes any other step apart and says what is wrong with it.
"""

import marshal
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from engine.actions import Action
from engine.errors import IllegalAction, MalformedAction, MalformedNotation
from engine.events import SHARED, Event, GameStarted, RoundStarted, fold
from engine.logs import codec
from engine.rules import RULES_VERSION
from engine.shuffle import Chance
from engine.state import ACTIVE, GameState
from games.causes import Act, Cause, Open, TimeOut, read_cause, store_cause
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
MOST_EVENTS: Final = 4096
LONGEST_KEPT: Final = 512
"""In bytes: of longer causes and events nothing is kept, so that no log decides how much memory that takes."""


def begins_step(stored: Any) -> bool:
    """Returns whether an event of a portable log begins a step."""
    return isinstance(stored, dict) and stored.get("cause") is not None


class ExactReplay:
    """A game that is played again along its log."""

    def __init__(self, begun: Snapshot, start: int) -> None:
        """Takes the game of a log to verify before the step that begins at the index `start`, to play it from there."""
        self._begun = begun
        self._start = start
        self._state: GameState = begun.state.copy()
        """The game's state now, changed in place."""
        self._events: list[Event] = []
        """Those that are not in `begun`, and their times."""
        self._times: list[str] = []
        self._lines: list[str] = []
        """The events from `start` on as they must be written."""
        self._known = begun
        """The newest snapshot that was needed; its state changes with `_state`."""
        self._counted = 0
        """How many of the events it has."""
        self._chance: Chance | None = None

    def follow(self, events: Sequence[Any]) -> int:
        """Plays the steps of a log to verify, and returns the index of the first written otherwise, or its length.

        Each comparison costs much by itself, so ever more steps are played before they are compared at once. What is
        played in vain is never more than what was played before.
        """
        begin, most = self._start, 1
        while begin < len(events):
            ends = self._confirmed(events, begin, self._play(events, begin, most))
            begin = ends[-1] if ends else begin
            if len(ends) < most:
                self._take_back(begin)
                break
            most *= 2
        return begin

    def snapshot(self) -> Snapshot:
        """Returns the game after the steps of a verified log that were played."""
        if self._counted < len(self._events):
            first = self._begun.version + 1
            entries = [
                Entry(first + i, self._times[i], self._events[i]) for i in _remembered(self._events, self._counted)
            ]
            self._known = self._known.after(entries, "", self._state)
            self._counted = len(self._events)
        return self._known

    def written(self) -> bytes:
        """Returns the events of a verified log from `start` on, as its digest has them."""
        return "\n".join([*self._lines, ""]).encode()

    def _play(self, events: Sequence[Any], begin: int, most: int) -> list[int]:
        """Plays so many steps of a log to verify, as far as it can, and returns the indexes at which they end."""
        ends: list[int] = []
        try:
            while begin < len(events) and len(ends) < most:
                begin = self._step(events, begin)
                ends.append(begin)
        except OTHERWISE:
            pass  # and the state is no longer used
        return ends

    def _step(self, events: Sequence[Any], begin: int) -> int:
        """Plays the step of a log to verify at an index, by its cause and time alone, and returns where it ends."""
        first = events[begin]
        at = first["at"]
        key = marshal.dumps(first["cause"], 0)
        kept = _cause_of(key) if len(key) <= LONGEST_KEPT else _cause_of.__wrapped__(key)
        if kept is None or first["rules"] != RULES_VERSION or not self._is_in_time(at):
            raise ValueError("no step of this release")
        cause, stored = kept
        if isinstance(cause, Open) != (begin == 0):
            raise ValueError("a table is opened once")
        if isinstance(cause, (Act, TimeOut)) and cause.action is not None and self._state.status == ACTIVE:
            made = self._acted(cause, cause.action, at)
        else:
            made = self._made(cause, at)
        told = made if begin else [self._begun.table, *made]
        end = begin + len(told)
        if end < len(events) and not begins_step(events[end]):
            raise ValueError("a longer step")
        self._lines += _lines(told, stored, at, begin + 1)
        self._events += made
        self._times += [at] * len(made)
        return end

    def _confirmed(self, events: Sequence[Any], begin: int, ends: list[int]) -> list[int]:
        """Returns where those steps of a verified log end that are written as they must be, up to one that is not."""
        if not ends or self._is_written(events, begin, ends[-1]):
            return ends
        begins = [begin, *ends]
        wrong = next(i for i, end in enumerate(ends) if not self._is_written(events, begins[i], end))
        return ends[:wrong]

    def _is_written(self, events: Sequence[Any], begin: int, end: int) -> bool:
        """Returns whether events of a verified log, which were played, are written as they must be."""
        lines = ",".join(self._lines[begin - self._start : end - self._start])
        try:
            return canonical(events[begin:end]) == f"[{lines}]".encode()
        except TypeError:  # nothing that could be written
            return False

    def _is_in_time(self, at: str) -> bool:
        """Returns whether a step of a verified log could have this time."""
        if self._times and at == self._times[-1]:
            return True
        last = self._times[-1] if self._times else self._begun.entries[-1].at
        return is_time(at) and (at >= last or ms_of(last) - ms_of(at) > SKEW_MS)

    def _acted(self, cause: Act | TimeOut, action: Action, at: str) -> list[Event]:
        """Returns the events of an action in a log to verify, and applies them."""
        state = self._state
        if isinstance(cause, Act):
            against = objection_to_acting(state.seats[cause.seat].player, cause)
        else:
            against = objection(self.snapshot(), cause, ms_of(at))
        if against is not None:
            raise ValueError("nobody acts like this")
        spent = None
        if state.banks is not None and (asked := self._asked()) is not None:
            spent = spent_since(asked, state, self._begun.table.clock, cause, ms_of(at))
        if self._chance is None:
            self._chance = self.snapshot().chance()
        return act_in_place(state, cause, action, spent, self._chance, self._begun.secret)

    def _asked(self) -> int | None:
        """Returns when the open question of a verified log was put, as `Snapshot.asked` does."""
        put = self._state.since - self._begun.version - 1
        return ms_of(self._times[put]) if put >= 0 else self._begun.asked

    def _made(self, cause: Cause, at: str) -> list[Event]:
        """Returns the events of any cause in a log to verify, and applies them."""
        before, now = self.snapshot(), ms_of(at)
        if objection(before, cause, now) is not None:
            raise ValueError("nothing happens like this")
        made = events_of(before, cause, now)
        fold(self._state, made)
        return made

    def _take_back(self, end: int) -> None:
        """Leaves the game of a verified log as it was before the step that begins at an index."""
        played = max(0, end - self._begun.version)  # none if the table is not opened yet
        del self._lines[end - self._start :], self._events[played:], self._times[played:]
        self._state = fold(self._begun.state.copy(), self._events)
        self._known, self._counted = self._begun, 0


def _remembered(events: Sequence[Event], begin: int) -> list[int]:
    """Returns which events of a verified log, from an index on, a snapshot keeps: the start and the newest round."""
    started = [i for i in range(begin, len(events)) if isinstance(events[i], GameStarted)]
    for newest in range(len(events) - 1, begin - 1, -1):
        if isinstance(events[newest], RoundStarted):
            return [*started, *range(newest, len(events))]
    return [*range(begin, len(events))]


@lru_cache(MOST_CAUSES)
def _cause_of(key: bytes) -> tuple[Cause, str] | None:
    """Returns a verified log's cause and how it must be written; None if this release writes no cause like that.

    `key` is from `marshal`, in its first version, which is quick and tells true from 1.
    """
    data = marshal.loads(key)
    if cause_fault(data) is not None:
        return None
    cause = read_cause(data)
    return cause, canonical(store_cause(cause)).decode()


def _lines(events: Sequence[Event], cause: str, at: str, version: int) -> list[str]:
    """Returns what this release writes into a portable log of the events of a step, each canonical."""
    begin = f'{{"at":"{at}","cause":'
    first = _WRITTEN.get(id(events[0])) or _write(events[0])
    lines = [f"{begin}{cause}{first[1]}{version}}}"]
    for number, event in enumerate(events[1:], version + 1):
        kept = _WRITTEN.get(id(event)) or _write(event)
        lines.append(f"{begin}null{kept[2]}{number}}}")
    return lines


_WRITTEN: Final[dict[int, tuple[Event, str, str]]] = {}
"""By the identity of an event, which is kept with it: how its line goes on after its cause, in the two cases that a
step begins with it and that none does."""


def _write(event: Event) -> tuple[Event, str, str]:
    """Writes an event as portable logs have it, and keeps that where an event that happens again is the same object."""
    stored = codec.store_event(event, "")
    data = canonical(stored["data"]).decode()
    begun, rest = f',"data":{data},"rules":', f',"type":"{event.type}","v":{stored["v"]},"version":'
    written = (event, f"{begun}{RULES_VERSION}{rest}", f"{begun}null{rest}")
    if len(data) <= LONGEST_KEPT and type(event) in SHARED:
        if len(_WRITTEN) >= MOST_EVENTS:
            _WRITTEN.clear()
        _WRITTEN[id(event)] = written
    return written
