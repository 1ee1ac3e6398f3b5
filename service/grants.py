"""Giving out tokens, once for all calls with the same idempotency key; to whom and for what is for `players` to say.

Tokens are stored as hashes, so that an answer that holds one cannot be kept to be given again. What is kept is a grant:
random bits from which the token is made again for whoever knows the key, and the token that was replaced.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from service import keys
from service.answers import KEEP_SECONDS, Key
from service.connection import Exchange
from service.errors import Refused, Unavailable
from service.log import hash_of
from service.said import Said
from service.scripts import GRANT


class Given(NamedTuple):
    """The secret of a token, and whether it had been given out before."""

    secret: str
    replayed: bool


class Proof(NamedTuple):
    """What a caller shows who may ask again: the idempotency key, and the secret of the token to be replaced."""

    key: Key
    text: str
    old: str

    @classmethod
    def of(cls, player: str, text: str, old: str, *request: Any) -> "Proof":
        """Returns the proof of a caller; the old secret counts as a part of the request."""
        return cls(Key.of(player, text, hashed(old), *request), text, old)

    def secret(self, salt: str) -> str:
        """Returns the secret made with a grant's random bits, which are worth nothing without the proof."""
        made = hmac.digest(f"{self.text}\n{self.old}".encode(), salt.encode(), "sha256")
        return base64.urlsafe_b64encode(made).decode().rstrip("=")


class Grants:
    """The tokens of all players, as they are given out."""

    def __init__(self, exchange: Exchange, keep_seconds: int = KEEP_SECONDS) -> None:
        self._exchange = exchange
        self._keep_seconds = keep_seconds

    def give(
        self, player: str, shown: str, proof: Proof | None, fields: Mapping[str, str | int] | None = None
    ) -> Given | None:
        """Gives a player a token in the place of that with the shown hash, '' for a new player with these fields.

        Returns None if the player has another token.

        Raises:
            Refused: `idempotency_key_reused`, the key was used for something else.
            Unavailable: Redis is away, and whether the token was given is not known.
        """
        salt = secrets.token_hex(16)
        secret = proof.secret(salt) if proof is not None else secrets.token_urlsafe(32)
        names, grant = [keys.player(player)] * 2, ""
        if proof is not None:
            names[1], grant = keys.grant(player, proof.key.digest), f"{proof.key.fingerprint}:{salt}"
        now = hashed(secret)
        stored = [part for pair in ({"token": now} | dict(fields or {})).items() for part in pair]
        said = (keys.TOKENS, proof_of(player, now))
        try:
            outcome = self._exchange.run(GRANT, names, [shown, grant, self._keep_seconds, *said, *stored])
        except Unavailable:
            # A player whose token was replaced without an answer could never come back.
            if self._exchange.send(("HGET", names[0], "token"))[0] != now.encode():
                raise
            return Given(secret, False)
        if outcome[0] == b"granted" and proof is not None:
            again = _again(outcome[1], proof)
            if again is None:
                raise Refused("idempotency_key_reused", Said("detail.key_of_another_request"))
            return again
        return Given(secret, False) if outcome[0] == b"given" else None

    def read(self, player: str, proof: Proof | None) -> tuple[dict[str, str], Given | None]:
        """Reads a player's stored fields and what the same call with the same key has been given, if there was one.

        The grant is read after the player: whoever sees that a token was replaced sees its grant too.
        """
        if proof is None:
            return hash_of(self._exchange.send(("HGETALL", keys.player(player)))[0]), None
        fields, kept = self._exchange.send(
            ("HGETALL", keys.player(player)), ("GET", keys.grant(player, proof.key.digest))
        )
        return hash_of(fields), _again(kept, proof)


def _again(kept: bytes | None, proof: Proof) -> Given | None:
    fingerprint, _, salt = (kept or b"").decode().partition(":")
    return Given(proof.secret(salt), True) if hmac.compare_digest(fingerprint, proof.key.fingerprint) else None


def proof_of(player: str, token_hash: str) -> str:
    """Returns what shows whose token it is, and is worth nothing to anybody else."""
    return f"{player}:{token_hash}"


def hashed(secret: str) -> str:
    """Returns the hash under which a token's secret is stored; 256 random bits need no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()
