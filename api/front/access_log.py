"""Logs answered requests: those that failed, and if operators wish all, each with the id of the request."""

import logging
import time
from typing import Final
from urllib.parse import quote

from api.front.connection import Request
from api.front.head import REQUEST

LONGEST_PATH: Final = 200
FAILED: Final = 500

_log = logging.getLogger(__name__)


def log_answer(request: Request, status: int, *, every: bool) -> None:
    """Logs a response of the front if it failed, or `every` one, without the query, which may hold a join code."""
    if status < FAILED and not every:
        return
    environ = request.environ
    path = quote(environ["PATH_INFO"][:LONGEST_PATH], encoding="latin-1")
    ms = 1000 * (time.perf_counter() - request.begun)
    level = logging.INFO if status < FAILED else logging.ERROR
    message = ("%s %s answered %d after %d ms", environ["REQUEST_METHOD"], path, status, ms)
    _log.log(level, *message, extra={"request": environ[REQUEST]})
