"""Keeps in memory the nonces that a player has committed to. With them nobody can choose the deal of a game."""

import hashlib
import hmac
import secrets


class Nonces:
    """Makes nonces and keeps those of the games that have not started."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._kept: dict[str, str] = {}

    def made(self, what: str) -> str:
        """Returns the nonce for a call; it is the same for the same `what`, so that a retry sends the same hash."""
        return hmac.digest(self._secret, what.encode(), "sha256").hex()

    def keep(self, game: str, nonce: str) -> None:
        """Keeps the nonce of a game until it has started."""
        self._kept[game] = nonce

    def of(self, game: str) -> str | None:
        """Returns the nonce of a game, or None."""
        return self._kept.get(game)

    def forget(self, game: str) -> None:
        """Forgets the nonce of a game that has started."""
        self._kept.pop(game, None)


def hashed(nonce: str) -> str:
    """Returns the hash by which a player commits to a nonce, SHA-256 in hex."""
    return hashlib.sha256(nonce.encode()).hexdigest()
