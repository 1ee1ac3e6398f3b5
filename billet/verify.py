"""`billet verify`: says of many logs whether they are true, on all cores; what makes one true is for the service."""

import os
import signal
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from billet.errors import StartError
from billet.log_files import Found, read_log
from service.portable import Unreadable
from service.portable_schema import checks
from service.said import Said
from service.texts.catalogue import Catalogue
from service.verdicts import sentence
from service.verification import verify

AHEAD: Final = 4
"""How many logs are read ahead for each process, so that none waits and memory stays flat."""
SHOWN: Final = 300
"""In characters: how much is shown of what was expected, and of what was found."""


class Judged(NamedTuple):
    """What came of one log."""

    name: str
    valid: bool
    why: Said
    expected: Any
    found: Any
    seconds: float
    """Of processor time that it took."""


@dataclass(slots=True)
class Sums:
    """What came of all logs."""

    count: int = 0
    valid: int = 0
    seconds: float = 0.0


def run(logs: Iterable[Found], jobs: int | None, words: Catalogue) -> Generator[str, None, bool]:
    """Yields a line on each log, in order, and one on all; returns by the generator's value whether all are valid."""
    sums = Sums()
    begun = time.perf_counter()
    for one in _judged_all(logs, jobs or _cores()):
        sums.count += 1
        sums.valid += one.valid
        sums.seconds += one.seconds
        if one.valid:
            yield words.text("verify.valid", name=one.name)
        else:
            yield words.text("verify.not_valid", name=one.name, why=one.why.written(words))
        if one.expected is not None or one.found is not None:
            places = words.text("verify.places", expected=_shown(one.expected), found=_shown(one.found))
            yield f"    {places}"
    rate = sums.count / sums.seconds if sums.seconds else 0.0
    took = time.perf_counter() - begun
    yield words.text("verify.all", valid=sums.valid, count=sums.count, rate=f"{rate:.1f}", seconds=f"{took:.1f}")
    return sums.valid == sums.count > 0


def _cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _judged_all(logs: Iterable[Found], jobs: int) -> Iterator[Judged]:
    if jobs == 1:
        checks()
        yield from map(judged, logs)
        return
    waiting: deque[Future[Judged]] = deque()
    pool = ProcessPoolExecutor(jobs, initializer=_prepare)
    try:
        for one in logs:
            waiting.append(pool.submit(judged, one))
            if len(waiting) > AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise StartError("a process that verified logs was killed; --jobs 1 needs the least memory") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare() -> None:
    """Leaves interrupts to the process that prints, and makes the checks of the schema, which is no work of a log's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    checks()


def judged(one: Found) -> Judged:
    """Returns what is to be said of a log."""
    begun = time.process_time()
    if one.fault is not None:
        return Judged(one.name, False, one.fault, None, None, 0.0)
    try:
        verdict = verify(read_log(one.raw))
    except Unreadable as error:
        return Judged(one.name, False, error.why, None, None, time.process_time() - begun)
    except Exception as error:  # one log must not keep all others from being judged
        why = Said("log.not_judged", {"why": type(error).__name__})
        return Judged(one.name, False, why, None, None, time.process_time() - begun)
    divergence = verdict.divergence
    why = sentence(verdict) if verdict.valid or divergence is not None else verdict.unchecked[0].why
    places = (divergence.expected, divergence.found) if divergence is not None else (None, None)
    return Judged(one.name, verdict.valid, why, *places, time.process_time() - begun)


def _shown(value: Any) -> str:
    text = orjson.dumps(value).decode() if value is not None else "-"
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
