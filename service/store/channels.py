"""Names the channels on which it is published that something has changed; Redis keeps none of it.

A Redis publishes to clients of all its databases. So `RedisClient.channel` puts the installation's own name in front.
"""

TOKENS = "tokens"
"""Announces replaced tokens."""
LOBBY = "{lobby}:feed"
"""Announces changes of the lobby."""

RECORDED = "{results}:feed"
"""Announces results of games."""


def feed(game: str) -> str:
    """Names the Redis channel that announces appends to a game's log."""
    return f"{{{game}}}:feed"


def new_notices(player_id: str) -> str:
    """Names the Redis channel that announces a player's notices."""
    return f"{{billet:player:{player_id}}}:bell"


def end_of_wait(ticket: str) -> str:
    """Names the Redis channel that announces that a queue ticket no longer waits."""
    return f"{{queue}}:{ticket}"
