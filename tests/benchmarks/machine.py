"""What benchmarks say alike: the middle and the tail of times, and how busy the machine is with other things."""

import os
import statistics
from collections.abc import Sequence


def load() -> str:
    """Returns how much the machine had to do in the last minute: what is measured on a busy one says less."""
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def tail(seconds: Sequence[float]) -> str:
    """Returns median, 99th percentile and maximum in milliseconds."""
    ms = sorted(1000 * value for value in seconds)
    if not ms:
        return "nothing"
    last = ms[min(len(ms) - 1, len(ms) * 99 // 100)]
    return f"median {statistics.median(ms):6.1f} ms, p99 {last:6.1f} ms, most {ms[-1]:6.1f} ms"
