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


class AccessLog:
    """Writes a line for each answer that is worth one."""

    def __init__(self, *, every: bool) -> None:
        """`every` logs all answers, not only those with a status of 500 or more."""
        self._every = every

    def answered(self, request: Request, status: int) -> None:
        """Logs an answer, without the query, which may hold a join code."""
        if status < FAILED and not self._every:
            return
        environ = request.environ
        path = quote(environ["PATH_INFO"][:LONGEST_PATH], encoding="latin-1")
        ms = 1000 * (time.perf_counter() - request.begun)
        level = logging.INFO if status < FAILED else logging.ERROR
        said = ("%s %s answered %d after %d ms", environ["REQUEST_METHOD"], path, status, ms)
        _log.log(level, *said, extra={"request": environ[REQUEST]})
