"""Does work on logs on many cores, with the results in order."""

import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context
from typing import Final, TypeVar

from billet.errors import StartError
from billet.logs.files import MOST
from billet.parent_death import dies_with
from games.records.schema import checks

MOST_AHEAD: Final = MOST
"""How many bytes of logs to read ahead, besides the last one."""

Item = TypeVar("Item")
Done = TypeVar("Done")


def in_order(
    work: Callable[[Item], Done], items: Iterable[Item], jobs: int | None, *, ahead: int, size: Callable[[Item], int]
) -> Iterator[Done]:
    """Yields the results of work on logs, done by `jobs` processes, by default as many as there are cores.

    At most `ahead` items for each process, of a total `size` in bytes, are read before their turn, to keep memory flat.

    Raises:
        StartError: a process was killed.
    """
    every = iter(items)
    first = list(islice(every, 2))
    if jobs == 1 or len(first) < 2:
        checks()
        yield from map(work, chain(first, every))
        return
    jobs = jobs or _cores()
    # Not forked: what comes with Arrow has threads.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin_process, (os.getpid(),))
    waiting: deque[tuple[Future[Done], int]] = deque()
    try:
        for item in chain(first, every):
            with _uninterrupted():
                waiting.append((pool.submit(work, item), size(item)))
            while len(waiting) > ahead * jobs or sum(bytes_ for _, bytes_ in waiting) > MOST_AHEAD:
                yield waiting.popleft()[0].result()
        while waiting:
            yield waiting.popleft()[0].result()
    except BrokenProcessPool as error:
        raise StartError("a process that read logs was killed; --jobs 1 needs the least memory") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds interrupts back while a process that reads logs starts, which would print a traceback at one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_process(parent: int) -> None:
    """Has a process that reads logs end with its parent and compile the schema, outside of any log's time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    dies_with(parent)()
    checks()
