"""What benchmarks measure and say alike: processor time, the tail of times, and how busy the machine is otherwise."""

import os
import statistics
import time
from collections.abc import Callable, Sequence


def load() -> str:
    """Returns how much the machine had to do in the last minute: what is measured on a busy one says less."""
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def seconds(work: Callable[[], object]) -> float:
    """Returns the processor time that something takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def tail(seconds: Sequence[float]) -> str:
    """Returns median, 99th percentile and maximum in milliseconds."""
    ms = sorted(1000 * value for value in seconds)
    if not ms:
        return "nothing"
    last = ms[min(len(ms) - 1, len(ms) * 99 // 100)]
    return f"median {statistics.median(ms):6.1f} ms, p99 {last:6.1f} ms, most {ms[-1]:6.1f} ms"
