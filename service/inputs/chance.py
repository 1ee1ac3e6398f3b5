"""Draws what must be unpredictable about games and players: ids, join codes, secrets of deals, tags of appends."""

import base64
import os
import secrets
from typing import Final

from engine.shuffle import SECRET_BYTES
from games.tables.opening import Fresh

TAGS_AT_ONCE: Final = 64
_TAGS: Final[list[str]] = []
"""Tags that are drawn already, as each draw is a system call; a process that is forked draws its own."""
os.register_at_fork(after_in_child=_TAGS.clear)


def random_id() -> str:
    """Draws the id of a new game, or queue ticket, from chance: 80 random bits as 16 lower-case letters and digits."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def new_player_id() -> str:
    """Draws the id of a new player from chance: 80 random bits."""
    return "p" + secrets.token_bytes(10).hex()


def new_tag() -> str:
    """Draws from chance the tag of an append: 32 random bits."""
    while True:
        try:
            return _TAGS.pop()
        except IndexError:
            drawn = secrets.token_hex(4 * TAGS_AT_ONCE)
            _TAGS.extend([drawn[i : i + 8] for i in range(0, len(drawn), 8)])


def fresh() -> Fresh:
    """Draws from chance what a new table takes as input; its join code is 40 random bits as 8 characters."""
    return Fresh(secrets.token_bytes(SECRET_BYTES), base64.b32encode(secrets.token_bytes(5)).decode(), new_tag())
