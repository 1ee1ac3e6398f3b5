"""Times as the service keeps them: RFC 3339 texts in UTC with milliseconds, and milliseconds since 1970."""

import time
from datetime import UTC, datetime


def now_ms() -> int:
    """Returns the present time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def text_of(ms: int) -> str:
    """Returns a time as RFC 3339, as in `2026-01-31T12:00:00.000Z`."""
    seconds, milliseconds = divmod(ms, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{milliseconds:03d}Z"


def ms_of(text: str) -> int:
    """Returns the milliseconds of a time that `text_of` wrote."""
    whole = datetime.fromisoformat(text[:-5] + "+00:00")
    return int(whole.timestamp()) * 1000 + int(text[-4:-1])
