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
    return (_EPOCH + ms * _MILLISECOND).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
