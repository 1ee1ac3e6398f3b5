"""Interrupts a bot that does not answer in time."""

import faulthandler
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from games.bots.turns import TookTooLong

AGAIN_SECONDS = 0.5
"""Pause before a bot that caught the interruption is interrupted again."""
STUCK_SECONDS = 5.0
"""How much longer a bot may block the interpreter, where Python handles no signals, until its process is killed."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupts the bot that a worker's job asks, after so many seconds, in the worker's main thread.

    If the interruption fails, the process is killed after using STUCK_SECONDS more of the processor. An alarm set
    before, such as RQ's for the whole job, still goes off when it is due.

    Raises:
        TookTooLong: the time is up.
    """
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, _interrupt_bot)
    rest, _ = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds + STUCK_SECONDS)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # Also if the alarm went off just before it was stopped.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if rest:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, rest - (time.monotonic() - began)))


def say_where_it_ended() -> None:
    """Has this worker report where it was, and no more, if it is killed for a stuck bot."""
    faulthandler.register(signal.SIGVTALRM, chain=True)


def _interrupt_bot(number: int, frame: FrameType | None) -> NoReturn:
    raise TookTooLong
