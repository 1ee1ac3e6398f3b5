"""Waiting for what happens elsewhere, as long as a busy machine may need."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def wait_until(
    true: Callable[[], Found | None], said: Callable[[], str] = lambda: "it takes too long", seconds: float = 120
) -> Found:
    """Waits until something is true, and returns it; fails with the end of what is `said` if that takes too long."""
    until = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < until, str(said())[-3000:]
        time.sleep(0.02)
    return found
