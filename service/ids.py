"""Ids of games and players: opaque, short, without characters that need escaping anywhere."""

import base64
import hashlib
import secrets

BOT_PREFIX = "bot-"
"""The service's own bots are players whose id is this and the bot's name."""


def random_id() -> str:
    """Returns 80 random bits as 16 lower-case letters and digits."""
    return _text(secrets.token_bytes(10))


def derived_id(*parts: str) -> str:
    """Returns an id that is always the same for the same parts, so that doing something twice makes one thing."""
    return _text(hashlib.sha256("\n".join(parts).encode()).digest()[:10])


def new_player_id(key: str | None = None) -> str:
    """Returns a new player's id: always the same for the same idempotency key, else random."""
    bits = hashlib.sha256(f"player\n{key}".encode()).digest()[:10] if key is not None else secrets.token_bytes(10)
    return "p" + bits.hex()


def own_bot(player_id: str | None) -> str | None:
    """Returns the name of the service's own bot with this player id, or None if it is somebody else."""
    return player_id[len(BOT_PREFIX) :] if player_id is not None and player_id.startswith(BOT_PREFIX) else None


def join_code() -> str:
    """Returns 40 random bits as 8 characters that are easy to read out."""
    return base64.b32encode(secrets.token_bytes(5)).decode()


def _text(bits: bytes) -> str:
    return base64.b32encode(bits).decode().lower()
