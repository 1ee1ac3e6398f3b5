"""The page on Redis, and its tables of keys."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "redis.md").read_text(encoding="utf-8")
ROWS = {
    name: (kind, lifetime, set(re.findall(r"`([^`]+)`", by)))
    for name, kind, lifetime, by in re.findall(
        r"^\| `(billet:[^`]+)` \| (\w+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|", PAGE, re.MULTILINE
    )
    if kind in ("string", "hash", "list", "stream", "zset")
}
"""The type, the lifetime and the writers of each key."""
