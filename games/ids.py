"""Makes ids of games and players: opaque, short, and without characters that need escaping anywhere."""

import base64
import hashlib
import hmac
import re
from typing import Final

BOT_PREFIX = "bot-"
"""Prefix of the player ids of the service's own bots; the bot's name follows."""

PATTERN: Final = "[A-Za-z0-9_-]{1,64}"
"""What every id looks like. Ids become parts of keys, so text from outside is compared with it before it is one."""
_ID: Final = re.compile(PATTERN)


def is_id(text: str) -> bool:
    """Returns whether a text from outside may be an id."""
    return _ID.fullmatch(text) is not None


def derived_id(*parts: str) -> str:
    """Returns the id of a game made of parts: the same for the same parts, so that a retry creates nothing new."""
    return base64.b32encode(hashlib.sha256("\n".join(parts).encode()).digest()[:10]).decode().lower()


def keyed_game_id(secret: bytes, *parts: str) -> str:
    """Returns the id of a game made of parts, which nobody can compute without the secret."""
    digest = hmac.digest(secret, "\n".join(("game", *parts)).encode(), "sha256")
    return base64.b32encode(digest[:10]).decode().lower()


def keyed_player_id(secret: bytes, key: str) -> str:
    """Returns the id of the player of an idempotency key, which nobody can compute without the secret."""
    return "p" + hmac.digest(secret, f"player\n{key}".encode(), "sha256")[:10].hex()


def login_player_id(secret: bytes, login: str) -> str:
    """Returns the id of the player who belongs to a login elsewhere."""
    return "p" + hmac.digest(secret, f"login\n{login}".encode(), "sha256")[:10].hex()


def login_secret(secret: bytes, login: str) -> str:
    """Returns the secret in the token of a login's player, which only this service itself passes on.

    No header can hold a `:` in a token, so nobody can send it, not even with the installation's secret (decision 046).
    """
    return "login:" + hmac.digest(secret, f"login secret\n{login}".encode(), "sha256").hex()


def address_hash_of(address: str) -> str:
    """Returns 24 bits of the hash of an address, for counting its games; "" for no address.

    That tells callers apart, but about 256 addresses share each value, so stored values do not reveal an address.
    """
    return hashlib.sha256(f"address\n{address}".encode()).hexdigest()[:6] if address else ""


def own_bot(player_id: str | None) -> str | None:
    """Returns the name of the bot with this player id, or None for any other player."""
    return player_id[len(BOT_PREFIX) :] if player_id is not None and player_id.startswith(BOT_PREFIX) else None
