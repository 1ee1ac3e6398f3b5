"""Warns of outages of Redis, which loops in a worker meet several times a second, often enough but not each time."""

import logging
import time
from typing import Final

WARNING_SECONDS: Final = 10.0
"""The shortest interval between two warnings of one loop."""


class Outages:
    """Warns of the outages of one Redis that one loop meets."""

    def __init__(self, log: logging.Logger, redis: str, resumes: str) -> None:
        """`redis` names the Redis in the log, `resumes` says what goes on after an outage."""
        self._log = log
        self._redis = redis
        self._resumes = resumes
        self._next = 0.0
        self._begun: float | None = None

    def warn(self, says: object, *, answers: bool) -> None:
        """Warns of an outage, in which Redis may answer but refuse writes, unless this loop has just warned of one."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + WARNING_SECONDS
        self._begun = now if self._begun is None else self._begun
        what = "takes no writes" if answers else "is unreachable"
        self._log.warning("%s %s; %s when that is over: %s", self._redis, what, self._resumes, says)

    def over(self) -> None:
        """Logs the end of an outage that this loop has warned of."""
        if self._begun is not None:
            self._log.warning("%s works again after %.0f s", self._redis, time.monotonic() - self._begun)
            self._begun = None
