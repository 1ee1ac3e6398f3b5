"""Reads the clock, so that games get the time as an argument."""

import time


def now_ms() -> int:
    """Reads the clock for games, which take the time as input: milliseconds since 1970."""
    return time.time_ns() // 1_000_000
