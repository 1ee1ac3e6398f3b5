"""Says what seated players may tell each other beside the game: six words, and until when."""

from typing import Final

REACTIONS: Final = ("well_played", "ouch", "thinking", "hurry", "thanks", "again")
PAUSE_SECONDS: Final = 5
"""How long a player waits between two reactions in one game."""
AFTER_THE_END_MS: Final = 600_000
"""How long players may still react to the end of a game."""


def is_quiet(ended: int, now: int) -> bool:
    """Returns whether nobody reacts any more to a game that ended at a time, both in milliseconds since 1970."""
    return ended + AFTER_THE_END_MS <= now
