"""Writes JSON for people to read."""

import json
from typing import Any

MOST_COLUMNS = 120


def readable_json(value: Any, indent: int = 0, before: int = 0) -> str:
    """Returns JSON in which what fits on a line is on one line. `before` is the length of its name."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or indent + before + len(line) < MOST_COLUMNS:
        return line
    names = [f"{json.dumps(name)}: " for name in value] if isinstance(value, dict) else [""] * len(value)
    values = value.values() if isinstance(value, dict) else value
    parts = [name + readable_json(one, indent + 2, len(name)) for name, one in zip(names, values, strict=True)]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    margin = "\n" + " " * indent
    return f"{begin}{margin}  {f',{margin}  '.join(parts)}{margin}{end}"
