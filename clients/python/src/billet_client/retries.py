"""Decides which calls are retried, after which pause and for how long."""

import random
import time
from typing import Final

import tenacity

from billet_client.refusals import NoAnswer, RateLimited, Refused, Unavailable

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0
PASSING: Final = frozenset({408, 429, 502, 503, 504})
"""The statuses that say nothing about the call itself: a retry may succeed."""

_growing = tenacity.wait_random_exponential(multiplier=FIRST_PAUSE, max=LONGEST_PAUSE)


def may_pass(error: BaseException) -> bool:
    """Returns whether a retry of the call may succeed."""
    return isinstance(error, NoAnswer) or (isinstance(error, Refused) and error.status in PASSING)


def attempts(patience: float) -> tenacity.Retrying:
    """Returns a retrier, which calls a function until it succeeds, or raises its last error.

    It begins no attempt after `patience` seconds.
    """
    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(may_pass),
        wait=_seconds,
        stop=tenacity.stop_before_delay(patience),
        reraise=True,
    )


def _seconds(state: tenacity.RetryCallState) -> float:
    """Returns the seconds until the next attempt: random, so that clients of a lost server do not return at once."""
    error = state.outcome.exception() if state.outcome is not None else None
    asked = error.retry_after if isinstance(error, RateLimited | Unavailable) else None
    return _growing(state) + (asked or 0.0)


def pause(seconds: float) -> None:
    """Waits for a random time of at most so many seconds."""
    time.sleep(random.uniform(0, seconds))
