"""Converts times: RFC 3339 texts in UTC with milliseconds, and milliseconds since 1970."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

SKEW_MS: Final = 5_000
"""How far the clocks of an installation's machines may differ without a trace in the logs."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


@lru_cache(1024)  # the events of a step have one time, which is asked for several times
def text_of(ms: int) -> str:
    """Returns a time as the text that logs and views hold, RFC 3339, as in `2026-01-31T12:00:00.000Z`."""
    seconds, rest = divmod(ms, 1000)
    return f"{_second(seconds)}.{rest:03d}Z"


@lru_cache(1024)  # the milliseconds differ from call to call, the second mostly does not
def _second(seconds: int) -> str:
    return (_EPOCH + timedelta(seconds=seconds)).isoformat().removesuffix("+00:00")


@lru_cache(1024)
def ms_of(text: str) -> int:
    """Returns the milliseconds of a time in a log or view that `text_of` wrote."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MILLISECOND


def is_time(text: str) -> bool:
    """Returns whether `text_of` could have written a text as a time in a log."""
    try:
        return text_of(ms_of(text)) == text
    except (ValueError, TypeError):
        return False
