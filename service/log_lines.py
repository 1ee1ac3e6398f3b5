"""Formats what processes log: time, level and request on every line, and of an error its kind and place.

The text of an error is not logged, because it may name a card; that of Redis' own answers, which name none, is.
"""

import logging
import time
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Final

from pythonjsonlogger.json import JsonFormatter

from games.errors import kind_of

FORMAT: Final = "%(asctime)s %(levelname)s %(name)s [%(request)s]: %(message)s"
FIELDS: Final = ("asctime", "levelname", "name", "request", "message")
NAMES: Final = {"asctime": "time", "levelname": "level", "name": "logger"}
"""How the fields are called in JSON."""
TEXT: Final = "text"
JSON: Final = "json"
NONE: Final = "-"

request_id: ContextVar[str] = ContextVar("request", default=NONE)
"""The id of the request that is being answered, also while a job does what it has asked for."""


class Discreet(logging.Formatter):
    """Formats lines for people, and errors without their texts."""

    converter = staticmethod(time.gmtime)  # UTC
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__(FORMAT)

    def formatException(self, ei: Any) -> str:
        """Returns an error as process logs show it: the kinds of it and its causes, and where they were raised."""
        return "\n".join("".join(traceback.format_tb(one.__traceback__)) + kind_of(one) for one in _chain(ei[1]))


class DiscreetJson(Discreet, JsonFormatter):
    """Formats lines for programs, an object each."""

    def __init__(self) -> None:
        JsonFormatter.__init__(self, FIELDS, style="sequence", rename_fields=NAMES)


def configure(level: str, form: str = TEXT) -> None:
    """Sets up this process to log lines of a level and above to standard error, for people or as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(DiscreetJson() if form == JSON else Discreet())
    handler.addFilter(_with_request)
    logging.basicConfig(level=level.upper(), handlers=[handler])


def _with_request(record: logging.LogRecord) -> bool:
    if not hasattr(record, "request"):
        record.request = request_id.get()
    return True


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yields the causes of an error for process logs and the error itself, the first cause first."""
    if error is not None:
        yield from _chain(error.__cause__ or (None if error.__suppress_context__ else error.__context__))
        yield error
