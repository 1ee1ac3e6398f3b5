"""Names the channels on which it is published that something has changed; Redis keeps none of it."""

TOKENS = "billet:tokens"
"""Announces replaced tokens."""
LOBBY = "billet:{lobby}:feed"
"""Announces changes of the lobby."""


def feed(game: str) -> str:
    """Names the Redis channel that announces appends to a game's log."""
    return f"billet:{{{game}}}:feed"


def new_notices(player_id: str) -> str:
    """Names the Redis channel that announces a player's notices."""
    return f"billet:{{billet:player:{player_id}}}:bell"
