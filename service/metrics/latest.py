"""Keeps the latest outcome of a survey, so that those who watch are answered at once even while Redis hangs."""

import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, NamedTuple, TypeVar

from service.store.exchange.serving import in_thread

IDLE_SECONDS: Final = 60.0
"""How long the thread waits to be asked again before it ends."""
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
        self._outcome = unknown
        self._as_of = -math.inf
        self._begun = -math.inf
        self._running = False
        self._changed = threading.Condition()
        """Held only to look and to note, never while anybody waits for Redis."""
        self._thread: threading.Thread | None = None

    def get(self) -> Dated[Outcome]:
        """Returns the outcome of a new survey, or of the last one if the new one takes long."""
        return in_thread(self._get, _waiting)

    def _get(self) -> Dated[Outcome]:
        with self._changed:
            if not self._running and time.monotonic() - self._as_of >= self._kept_seconds:
                self._begin()
            self._changed.wait_for(
                lambda: not self._running, max(0.0, self._begun + patience_seconds - time.monotonic())
            )
            return Dated(self._outcome, time.monotonic() - self._as_of)

    def _begin(self) -> None:
        self._running, self._begun = True, time.monotonic()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._survey_when_asked, name="survey", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _survey_when_asked(self) -> None:
        while self._is_asked():
            try:
                outcome = self._survey()
            except Exception:
                # Those who ask get the last outcome, which grows old.
                _log.exception("a survey failed; the next one follows")
                self._end(None)
            else:
                self._end((outcome, self._begun))

    def _is_asked(self) -> bool:
        with self._changed:
            if self._changed.wait_for(lambda: self._running, IDLE_SECONDS):
                return True
            self._thread = None
            return False

    def _end(self, new: tuple[Outcome, float] | None) -> None:
        with self._changed:
            if new is not None:
                self._outcome, self._as_of = new
            self._running = False
            self._changed.notify_all()
