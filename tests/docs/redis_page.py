"""The page on Redis, and its tables of keys."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "redis.md").read_text(encoding="utf-8")
ROWS = {
    name: (kind, lifetime)
    for name, kind, lifetime in re.findall(r"^\| `(billet:[^`]+)` \| (\w+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    if kind in ("string", "hash", "list", "stream", "zset")
}
"""The type and the lifetime of each key."""
