"""Runs attacks one after the other, measures what each costs the service and others, and judges it."""

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from service import Settings
from tests.attack import connections, logs, people, store, thoughts
from tests.attack.other import noticing
from tests.attack.target import Left, Memory, Noticed, Target

Attack = Callable[[Target], None]

ATTACKS: dict[str, Attack] = {
    attack.__name__: attack for kind in (connections, logs, store, thoughts, people) for attack in kind.ATTACKS
}
MOST_MB = 50.0
MOST_MEDIAN_MS = 250.0
FLOOR_MS = 4.0
"""A median below this is noise of the machine, however many times that of before it is."""
SETTINGS = {"TRUSTED_PROXIES": "1", "WORKERS": "2", "LOG_LEVEL": "error", "LIMIT_READING": Settings().limit_reading}


@dataclass
class Outcome:
    """What an attack cost."""

    name: str
    before: Memory
    after: Memory
    peak: float
    seconds: float
    alone: Noticed
    beside: Noticed
    found: Left
    left: Left
    fault: str | None

    @property
    def grown(self) -> float:
        """The megabytes that API, workers and Redis hold more than before, all together."""
        return sum(getattr(self.after, part) - getattr(self.before, part) for part in ("api", "workers", "redis"))

    def faults(self, timing: bool = True) -> list[str]:
        """Returns what is not as it must be."""
        found = [self.fault] if self.fault else []
        if self.grown > MOST_MB:
            found.append(f"memory grew by {self.grown:.0f} MB")
        if timing and self.beside.median() > MOST_MEDIAN_MS:
            found.append(f"others wait {self.beside.median():.0f} ms")
        if timing and self.beside.median() > max(FLOOR_MS, 2 * self.alone.median()):
            found.append(f"others' median was {self.alone.median():.1f} ms and is {self.beside.median():.1f} ms")
        return found


@contextmanager
def beside(what: Callable[..., None], *given: Any) -> Any:
    """Does something in a thread of its own meanwhile."""
    stop = threading.Event()
    thread = threading.Thread(target=what, args=(stop, *given), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(60)


def attacked(target: Target, attack: Attack, timing: bool = True) -> Outcome:
    """Makes an attack and returns what it cost; how long others wait means nothing without `timing`."""
    peaks, fault, alone = list[float](), None, Noticed()
    if timing:
        with noticing(target.port) as alone:
            time.sleep(2.0)
    before, found = target.memory(), target.left()
    with noticing(target.port, timing) as noticed, beside(target.peak, peaks) if timing else nullcontext():
        begun = time.perf_counter()
        try:
            attack(target)
        except AssertionError as error:
            fault = str(error)
        seconds = time.perf_counter() - begun
    time.sleep(1.0)
    after = target.memory()
    return Outcome(
        attack.__name__, before, after, max(peaks, default=0.0), seconds, alone, noticed, found, target.left(), fault
    )


HEAD = (
    f"{'attack':18} {'MB before':>14} {'after':>14} {'peak':>6} {'s':>6} "
    f"{'alone ms':>11} {'beside ms':>13} {'keys':>6} {'kB':>7}"
)


def line(one: Outcome) -> str:
    """Returns an outcome as a line of the table."""
    quick = f"{one.alone.median():.1f}/{one.alone.p99():.0f}"
    slow = f"{one.beside.median():.1f}/{one.beside.p99():.0f}"
    more, held = one.left.keys - one.found.keys, (one.left.bytes - one.found.bytes) / 1000
    said = "; ".join(one.faults()) or "held"
    figures = f"{one.before!s:>14} {one.after!s:>14} {one.peak:6.0f} {one.seconds:6.1f} {quick:>11} {slow:>13}"
    return f"{one.name:18} {figures} {more:6d} {held:7.0f}  {said}"
