"""Converts times: RFC 3339 texts in UTC with milliseconds, and milliseconds since 1970."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

SKEW_MS: Final = 5_000
"""How far the clocks of an installation's machines may differ without a trace in the logs."""

_SECONDS: Final = frozenset([f":{second:02d}" for second in range(60)])
_MILLISECONDS: Final = [f".{ms:03d}Z" for ms in range(1000)]
"""How the text of a time ends: to look an end up takes a third of the time of writing it."""
_ENDS: Final = frozenset(_MILLISECONDS)


@lru_cache(1024)  # the events of a step have one time, which is asked for several times
def text_of(ms: int) -> str:
    """Returns a time as the text that logs and views hold, RFC 3339, as in `2026-01-31T12:00:00.000Z`."""
    seconds, milliseconds = divmod(ms, 1000)
    return _second(seconds) + _MILLISECONDS[milliseconds]


@lru_cache(64)  # under load, hundreds of steps are made in one second
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]


def is_time(text: str) -> bool:
    """Returns whether `text_of` could have written a text as a time in a log."""
    return text[19:] in _ENDS and text[16:19] in _SECONDS and _is_minute(text[:16])


@lru_cache(1024)
def _is_minute(text: str) -> bool:
    """Returns whether a text is the minute of a time in a log, as in `2026-01-31T12:00`."""
    whole = f"{text}:00"
    try:
        return datetime.fromisoformat(whole).isoformat() == whole
    except ValueError:
        return False


@lru_cache(1024)
def ms_of(text: str) -> int:
    """Returns the milliseconds of a time in a log or view that `text_of` wrote."""
    return _whole_seconds(text[:-5]) * 1000 + int(text[-4:-1])


@lru_cache(64)  # as `_second`
def _whole_seconds(text: str) -> int:
    return int(datetime.fromisoformat(f"{text}+00:00").timestamp())
