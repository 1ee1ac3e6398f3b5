"""Reports a process's measurements, and whom it has seen, once a second on a thread."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from games.errors import Unavailable
from service.metrics.totals import Totals

REPORT_SECONDS: Final = 1.0
STOP_SECONDS: Final = 2.0
API: Final = "api"
WORKER: Final = "worker"
"""A worker for all jobs."""
QUICK_WORKER: Final = "quick_worker"
"""A worker that leaves the turns of bots that think to others."""

_log = logging.getLogger(__name__)


class Reporting:
    """Reports during a `with` block, and once more at its end."""

    def __init__(self, totals: Totals, kind: str, write: Callable[[], None] = lambda: None) -> None:
        """`kind` is the kind of process whose metrics are reported: `API`, or a kind of worker.

        `write` writes what else the process has to report.
        """
        self._totals = totals
        self._write = write
        self._kind = kind
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._report_until_stopped, name="reporting", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def _report_until_stopped(self) -> None:
        self._totals.begin(self._kind)
        self._report()
        while not self._stop.wait(REPORT_SECONDS):
            self._report()
        self._report()
        try:
            self._totals.end()
        except Unavailable:
            _log.debug("Redis is unreachable as this process ends")

    def _report(self) -> None:
        try:
            self._totals.report()
            self._write()
        except Unavailable as error:
            _log.debug("Redis is unreachable; measurements are reported when it is back: %s", error)
        except Exception:
            # Measuring must continue after a failed report.
            _log.exception("reporting measurements failed; the next report retries")
