"""Issues tokens, once for all calls with the same idempotency key.

Tokens are stored as hashes, so an answer that contains one cannot be stored for retries. Instead a grant is stored:
random bits from which the key's holder can derive the token again, and the token that was replaced.
"""

import base64
import hmac
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.errors import NotReplicated, Refused, Unavailable
from games.messages import Message
from service.store import channels, keys
from service.store.log.stored_answers import KEEP_SECONDS, Key
from service.store.players.stored_players import hashed, proof_of
from service.store.redis.client import Command, RedisClient, hash_of
from service.store.scripts import GRANT


class GivenToken(NamedTuple):
    """The secret of a token, and whether it had been issued before."""

    secret: str
    replayed: bool


class RetryKey(NamedTuple):
    """What a retry must show to get the same token again: the idempotency key, and the secret of the replaced token."""

    key: Key
    text: str
    old: str

    @classmethod
    def of(cls, player: str, text: str, old: str, *request: Any) -> "RetryKey":
        """Returns the key with which a retry gets the same token; the old secret counts as part of the request."""
        return cls(Key.of(player, text, hashed(old), *request), text, old)

    def secret(self, salt: str) -> str:
        """Returns a token's secret from a stored grant's random bits, which are worthless without this key."""
        made = hmac.digest(f"{self.text}\n{self.old}".encode(), salt.encode(), "sha256")
        return base64.urlsafe_b64encode(made).decode().rstrip("=")


class Grants:
    """Issues the tokens of all players."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def give(
        self,
        player: str,
        shown: str,
        retry_key: RetryKey | None,
        fields: Mapping[str, str | int] | None = None,
        secret: str = "",
    ) -> GivenToken | None:
        """Issues a player's token in Redis: it replaces the one with the shown hash, or is a new player's first.

        A first token has '' as the shown hash, and these fields are the player's. Its secret is derived from the
        `retry_key`; without one it is the given secret, or random.

        Returns None if the player has another token.

        Raises:
            Refused: `idempotency_key_reused`, the key was used for another request; `token_replaced`, the player has a
                newer token than the one this key gave.
            Unavailable: Redis cannot be reached, and it is unknown whether the token was issued.
        """
        salt = secrets.token_hex(16)
        secret = retry_key.secret(salt) if retry_key is not None else secret or secrets.token_urlsafe(32)
        names, grant = [keys.player(player)] * 2, ""
        if retry_key is not None:
            names[1], grant = keys.grant(player, retry_key.key.digest), f"{retry_key.key.fingerprint}:{salt}"
        now = hashed(secret)
        stored = [part for pair in ({"token": now} | dict(fields or {})).items() for part in pair]
        announced = (self._redis.channel(channels.TOKENS), proof_of(player, now))
        try:
            arguments = [shown, grant, KEEP_SECONDS, *announced, *stored]
            before = self._note_use(player, retry_key) if retry_key is not None else ()
            outcome = self._redis.run(GRANT, names, arguments, before)
        except Unavailable:
            # A player whose token was replaced without an answer could never sign in again.
            if self._redis.send(("HGET", names[0], "token"))[0] != now.encode():
                raise
            return GivenToken(secret, False)
        if outcome[0] == b"granted" and retry_key is not None:
            again = _again(outcome[1], retry_key)
            if again is None:
                raise Refused("idempotency_key_reused", Message("detail.key_of_another_request"))
            return _checked(again, outcome[2].decode())
        return GivenToken(secret, False) if outcome[0] == b"given" else None

    def confirm(self, player: str, given: GivenToken) -> None:
        """Waits until a replica has a player's token; does nothing unless `DURABILITY=replicated`.

        Raises:
            NotReplicated: no replica has it in time, or a failover has lost it.
        """
        if not self._redis.replicated:
            return
        name = keys.player(player)
        if self._redis.confirm(name, ("HGET", name, "token")) != [hashed(given.secret).encode()]:
            raise NotReplicated("the primary has lost the token")

    def _note_use(self, player: str, retry_key: RetryKey) -> list[Command]:
        """Returns the Redis commands that record an idempotency key's use for a token, so that no other call can."""
        used, key = keys.used(player, retry_key.key.digest), retry_key.key
        return [("SET", used, key.fingerprint, "EX", KEEP_SECONDS, "NX")]

    def read(self, player: str, retry_key: RetryKey | None) -> tuple[dict[str, str], GivenToken | None]:
        """Reads a player's stored fields, and the token that an earlier call with the same key was given, if any.

        The grant is read after the player: a caller who sees that a token was replaced also sees its grant.

        Raises:
            Refused: `token_replaced`, the player has a newer token than the one this key gave;
                `idempotency_key_reused`, the player, whose current token is shown, has used the key for another call.
        """
        if retry_key is None:
            return hash_of(self._redis.send(("HGETALL", keys.player(player)))[0]), None
        digest = retry_key.key.digest
        names = (keys.grant(player, digest), keys.used(player, digest))
        fields, kept, used = self._redis.send(("HGETALL", keys.player(player)), *[("GET", name) for name in names])
        player_fields, given = hash_of(fields), _again(kept, retry_key)
        present = player_fields.get("token", "")
        if present == hashed(retry_key.old):
            # The key has been used since the first read.
            retry_key.key.check(used.decode() if used else None)
        elif given is not None:
            _checked(given, present)
        return player_fields, given


def _again(kept: bytes | None, retry_key: RetryKey) -> GivenToken | None:
    fingerprint, _, salt = (kept or b"").decode().partition(":")
    return (
        GivenToken(retry_key.secret(salt), True)
        if hmac.compare_digest(fingerprint, retry_key.key.fingerprint)
        else None
    )


def _checked(given: GivenToken, present: str) -> GivenToken:
    """Returns a player's token that was issued before; refuses it if its hash is not that of the current one."""
    if hashed(given.secret) != present:
        raise Refused("token_replaced", Message("detail.token_replaced"))
    return given
