"""Keeps the latest outcome of a survey, so that those who watch are answered at once even while Redis hangs."""

import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

from service.store.redis.greenlets import in_thread

patience_seconds = 0.7
"""How long after a survey has begun those who ask wait for its end: probes wait for a second."""

Outcome = TypeVar("Outcome")

_log = logging.getLogger(__name__)
_waiting = ThreadPoolExecutor(4, "latest")
"""For calls on an event loop. The loop's own threads may all wait for Redis."""


class Dated(NamedTuple, Generic[Outcome]):
    """An outcome of a survey, and how long ago that survey began, in seconds; infinite if none has ended yet."""

    outcome: Outcome
    age: float


class Latest(Generic[Outcome]):
    """Surveys on a thread of its own, and only while somebody asks."""

    def __init__(self, survey: Callable[[], Outcome], unknown: Outcome, kept_seconds: float = 0.0) -> None:
        """`unknown` is the outcome until a survey has ended. For `kept_seconds`, an outcome counts as new."""
        self._survey = survey
        self._kept_seconds = kept_seconds
        self._found = unknown, -math.inf
        """The outcome, and when its survey began, in seconds of the monotonic clock."""
        self._running: threading.Thread | None = None
        self._begun = -math.inf
        self._beginning = threading.Lock()

    def get(self) -> Dated[Outcome]:
        """Returns the outcome of a new survey, or of the last one if the new one takes long."""
        return in_thread(self._get, _waiting)

    def _get(self) -> Dated[Outcome]:
        with self._beginning:
            now = time.monotonic()
            is_running = self._running is not None and self._running.is_alive()
            if not is_running and now - self._found[1] >= self._kept_seconds:
                thread = threading.Thread(target=self._make, args=(now,), name="survey", daemon=True)
                thread.start()
                self._running, self._begun = thread, now
            running, begun = self._running, self._begun
        if running is not None:
            running.join(max(0.0, begun + patience_seconds - time.monotonic()))
        outcome, as_of = self._found
        return Dated(outcome, time.monotonic() - as_of)

    def _make(self, begun: float) -> None:
        try:
            self._found = self._survey(), begun
        except Exception:
            # Those who ask get the last outcome, which grows old.
            _log.exception("a survey failed; the next one follows")
