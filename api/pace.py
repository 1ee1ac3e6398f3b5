"""Holds back the refusal of those who have reached a limit, so that asking on and on does not slow others down.

A client that asks again as soon as it is refused would otherwise take as much of a process as one that is served.
"""

import threading
import time
from collections.abc import Iterable
from typing import Any, Final

from api.cors import Application, StartResponse

PAUSE_SECONDS: Final = 0.25
REFUSED: Final = "429"


def paced(application: Application, most: int) -> Application:
    """Returns the application with such answers held back, `most` at a time; each holds a thread meanwhile."""
    places = threading.BoundedSemaphore(max(1, most))

    def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        refused = False

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal refused
            refused = status.startswith(REFUSED)
            return start_response(status, headers, exc_info)

        chunks = application(environ, start)
        if refused and places.acquire(blocking=False):
            try:
                time.sleep(PAUSE_SECONDS)
            finally:
                places.release()
        return chunks

    return answer
