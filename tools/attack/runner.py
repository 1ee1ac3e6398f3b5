"""Runs attacks one after the other, measures what each costs the service and others, and judges it."""

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from typing import Any

from service import Settings
from tools.attack import connections, logs, people, store, thoughts
from tools.attack.other import noticing
from tools.attack.target import WITHIN_MS, Left, Memory, Noticed, Target

Attack = Callable[[Target], None]

ATTACKS: dict[str, Attack] = {
    attack.__name__: attack for kind in (connections, logs, store, thoughts, people) for attack in kind.ATTACKS
}
MOST_MB = 50.0
LEAST_SHARE = 0.99
SETTINGS = {"WORKERS": "2", "LOG_LEVEL": "error", "LIMIT_READING": Settings().limit_reading}


@dataclass
class Outcome:
    """What an attack cost."""

    name: str
    before: Memory
    after: Memory
    peak: Memory
    seconds: float
    alone: Noticed
    beside: Noticed
    found: Left
    left: Left
    fault: str | None

    @property
    def grown(self) -> float:
        """The megabytes that API, workers and Redis hold more than before, all together."""
        grown = (getattr(self.after, part) - getattr(self.before, part) for part in ("api", "workers", "redis"))
        return float(sum(grown))

    def faults(self, timing: bool = True) -> list[str]:
        """Returns what is not as it must be."""
        found = [self.fault] if self.fault else []
        if self.grown > MOST_MB:
            found.append(f"memory grew by {self.grown:.0f} MB")
        if self.peak.api - self.before.api > MOST_MB:
            found.append(f"the API took {self.peak.api - self.before.api:.0f} MB more meanwhile")
        if timing and self.beside.share() < LEAST_SHARE:
            found.append(f"of others' calls {self.beside.share():.1%} were answered within {WITHIN_MS:.0f} ms")
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
    peaks, fault, alone = list[Memory](), None, Noticed()
    if timing:
        with noticing(target.door) as alone:
            time.sleep(2.0)
    before, found = target.memory(), target.left()
    with noticing(target.door, timing) as noticed, beside(target.peak, peaks) if timing else nullcontext():
        begun = time.perf_counter()
        try:
            attack(target)
        except AssertionError as error:
            fault = str(error)
        seconds = time.perf_counter() - begun
        time.sleep(1.0)
    after = target.memory()
    peak = Memory(*[max(getattr(one, part.name) for one in (before, *peaks, after)) for part in fields(Memory)])
    return Outcome(attack.__name__, before, after, peak, seconds, alone, noticed, found, target.left(), fault)


HEAD = (
    f"{'attack':18} {'MB before':>14} {'after':>14} {'API peak':>9} {'proxy':>6} {'s':>6} "
    f"{'alone ms':>11} {'beside ms':>13} {'share':>7} {'keys':>6} {'kB':>7}"
)


def line(one: Outcome) -> str:
    """Returns an outcome as a line of the table."""
    quick = f"{one.alone.median():.1f}/{one.alone.p99():.0f}"
    slow = f"{one.beside.median():.1f}/{one.beside.p99():.0f}"
    more, held = one.left.keys - one.found.keys, (one.left.bytes - one.found.bytes) / 1000
    said = "; ".join(one.faults()) or "held"
    memory = f"{one.before!s:>14} {one.after!s:>14} {one.peak.api:9.0f} {one.peak.proxy:6.0f}"
    share = f"{one.beside.share():.1%}"
    return f"{one.name:18} {memory} {one.seconds:6.1f} {quick:>11} {slow:>13} {share:>7} {more:6d} {held:7.0f}  {said}"
