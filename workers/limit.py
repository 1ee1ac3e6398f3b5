"""Ends a bot that does not come to an answer; what is played in its place is for the service."""

import faulthandler
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from service.own_bots import TookTooLong

AGAIN_SECONDS = 0.5
"""A bot that catches what ends it is told again."""
STUCK_SECONDS = 5.0
"""How much longer a bot may keep the interpreter to itself, where Python handles no signal, until its process ends."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Ends what runs within it after so many seconds, in the main thread of a process.

    If that does not get through, the process is ended, when it has taken STUCK_SECONDS more of the processor. What an
    alarm set before was to do, that of RQ for the whole job, it does when its time has come.

    Raises:
        TookTooLong: the time was up.
    """
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, _end)
    rest, _ = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds + STUCK_SECONDS)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # Also where the alarm has gone off a moment before it was stopped.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if rest:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, rest - (time.monotonic() - began)))


def say_where_it_ended() -> None:
    """Has this process say where it was, and no more than that, if it is ended for what does not let it go on."""
    faulthandler.register(signal.SIGVTALRM, chain=True)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise TookTooLong
