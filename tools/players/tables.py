"""What tables are opened with, by number of seats; playing at them belongs to `players`."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from engine import editions

EDITIONS = {edition.id: edition.seats for edition in editions.EDITIONS.values()}
SIZES = [(edition, seats) for edition, sizes in EDITIONS.items() for seats in sizes]

CREATOR = {"kind": "creator"}
OPEN = {"kind": "open"}


def bot(name: str) -> dict[str, str]:
    """Returns the seat of a bot."""
    return {"kind": "bot", "bot": name}


def bots(count: int) -> list[dict[str, str]]:
    """So many bots, of every kind in turn."""
    return [bot(("cautious", "random")[i % 2]) for i in range(count)]


def together(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Runs calls at the same time, each in a thread, and returns their results in order."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Like `together`, but no call begins before all threads are there."""
    barrier = threading.Barrier(len(calls))

    def held_back(call: Callable[[], Any]) -> Any:
        barrier.wait(60)
        return call()

    return together([partial(held_back, call) for call in calls])
