"""Finds running processes, and those that a process has started, by /proc; starting them belongs to installations."""

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple


class Process(NamedTuple):
    """A running process; `born` tells it from a later one with the same id."""

    pid: int
    parent: int
    born: int
    command: str


def running(pids: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Yields id, parent and birth of those of some processes that run now, without zombies.

    A killed process runs until its last thread has ended: the first is a zombie earlier, and files are open still.
    """
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as stat:  # it may have ended since
            state, parent, *rest = stat.read().rpartition(b")")[2].split()
            if state not in b"ZX" or int(rest[15]) > 1:
                yield pid, int(parent), int(rest[17])


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    return any(running([pid]))


def all_gone(pids: Iterable[int], seconds: float = 120) -> bool:
    """Waits until none of some processes runs any more, and returns whether that is so after so many seconds."""
    until = time.monotonic() + seconds
    while left := any(running(pids)):
        if time.monotonic() > until:
            break
        time.sleep(0.02)
    return not left


def words_of(pid: int) -> str:
    """The command line of a process, or nothing when it has ended."""
    with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as line:
        return line.read().replace(b"\0", b" ").decode(errors="replace").strip()
    return ""


def descendants(pid: int) -> list[Process]:
    """Every process that `pid` has started, directly or not, parents first."""
    children: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for one in running([int(name) for name in os.listdir("/proc") if name.isdigit()]):
        children[one[1]].append(one)
    found: list[Process] = []
    parents = [pid]
    while parents:
        born = [child for parent in parents for child in children[parent]]
        for child in born:
            found.append(Process(*child, words_of(child[0])))
        parents = [child[0] for child in born]
    return found


def still_running(processes: Sequence[Process]) -> list[Process]:
    """Those of the processes that run still; a new process with an old id is not counted."""
    now = {(pid, born) for pid, _, born in running([process.pid for process in processes])}
    return [process for process in processes if (process.pid, process.born) in now]


def wait_until_gone(processes: Sequence[Process], seconds: float) -> list[Process]:
    """Waits until none of the processes runs any more, and returns those that do after so many seconds."""
    until = time.monotonic() + seconds
    while left := still_running(processes):
        if time.monotonic() > until:
            return left
        time.sleep(0.02)
    return []


def kill(process: Process, number: int) -> bool:
    """Sends a signal to a process unless it has ended; whether there was one to send it to."""
    if not still_running([process]):
        return False
    try:
        os.kill(process.pid, number)
    except ProcessLookupError:
        return False
    return True
