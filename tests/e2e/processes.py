"""Finds the processes that a process has started, by /proc; starting and ending them belongs to `installation`."""

import os
import time
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A running process; `born` tells it from a later one with the same id."""

    pid: int
    parent: int
    born: int
    command: str


def running(pids=None):
    """All processes that run now, or those of some ids, without zombies."""
    found = []
    for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()] if pids is None else pids:
        folder = Path("/proc", str(pid))
        try:
            state, parent, *rest = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:  # it has ended since
            continue
        if state not in "ZX":
            found.append(Process(pid, int(parent), int(rest[17]), command))
    return found


def descendants(pid):
    """Every process that `pid` has started, directly or not, parents first."""
    everything = running()
    found, parents = [], {pid}
    while parents:
        children = [process for process in everything if process.parent in parents]
        found += children
        parents = {child.pid for child in children}
    return found


def still_running(processes):
    """Those of the processes that run still; a new process with an old id is not counted."""
    now = {(process.pid, process.born) for process in running([process.pid for process in processes])}
    return [process for process in processes if (process.pid, process.born) in now]


def wait_until_gone(processes, seconds):
    """Waits until none of the processes runs any more, and returns those that do after so many seconds."""
    until = time.monotonic() + seconds
    while left := still_running(processes):
        if time.monotonic() > until:
            return left
        time.sleep(0.02)
    return []


def kill(process, number):
    """Sends a signal to a process unless it has ended; whether there was one to send it to."""
    if not still_running([process]):
        return False
    try:
        os.kill(process.pid, number)
    except ProcessLookupError:
        return False
    return True
