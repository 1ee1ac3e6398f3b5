"""Limits the memory and processor time for reading and verifying a log, by its length."""

import contextlib
import resource
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Final

MIB: Final = 1 << 20
LEAST_MEMORY: Final = 64 * MIB
MEMORY_PER_BYTE: Final = 24
"""In bytes. A valid log takes about ten times its length in memory."""
LEAST_SECONDS: Final = 2.0
SECONDS_PER_MIB: Final = 3.0
"""In processor time. A valid log of hundreds of events takes 0.1 s per MiB, the longest ones up to 1 s per MiB."""
AGAIN_SECONDS: Final = 1.0
"""Work is interrupted again after this long, in case something swallowed the first interruption."""


class TooCostly(Exception):
    """A log takes more memory or processor time than any valid log of its length."""


def memory_for(length: int) -> int:
    """Returns how many bytes of memory the verification of a log of this length may take."""
    return LEAST_MEMORY + MEMORY_PER_BYTE * length


def seconds_for(length: int) -> float:
    """Returns how many seconds of processor time the verification of a log of this length may take."""
    return LEAST_SECONDS + SECONDS_PER_MIB * length / MIB


@contextlib.contextmanager
def bounded(length: int) -> Iterator[None]:
    """Limits the memory and time of verifying a log of a length; use it only in the main thread of a process.

    Memory is limited where the system supports it, which is Linux.

    Raises:
        TooCostly: the work exceeded a limit.
    """
    before = signal.signal(signal.SIGPROF, _interrupt_verification)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        if sys.platform == "linux":
            wanted = _address_space() + memory_for(length)
            most = min((wanted, *(one for one in (soft, hard) if one != resource.RLIM_INFINITY)))
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        signal.setitimer(signal.ITIMER_PROF, seconds_for(length), AGAIN_SECONDS)
        yield
    except MemoryError:
        raise TooCostly from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _interrupt_verification(number: int, frame: FrameType | None) -> None:
    raise TooCostly


def _address_space() -> int:
    """Returns how many bytes of addresses this verifying process uses."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
