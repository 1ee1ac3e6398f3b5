"""Escapes text from elsewhere for a terminal: logs and servers must not move its cursor or set its title."""

import re
from typing import Final

_COMMANDS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def plain(line: str) -> str:
    """Escapes each control character of a line by its number, for a terminal in which a command prints it."""
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
