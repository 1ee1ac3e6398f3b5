"""Ids of games and players: opaque, short, without characters that need escaping anywhere."""

import base64
import hashlib
import secrets


def random_id() -> str:
    """Returns 80 random bits as 16 lower-case letters and digits."""
    return _text(secrets.token_bytes(10))


def derived_id(*parts: str) -> str:
    """Returns an id that is always the same for the same parts, so that doing something twice makes one thing."""
    return _text(hashlib.sha256("\n".join(parts).encode()).digest()[:10])


def join_code() -> str:
    """Returns 40 random bits as 8 characters that are easy to read out."""
    return base64.b32encode(secrets.token_bytes(5)).decode()


def _text(bits: bytes) -> str:
    return base64.b32encode(bits).decode().lower()
