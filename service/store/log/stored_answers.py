"""Encoded answers, and answers stored for retries with the same idempotency key."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from games.errors import Refused
from games.messages import Message

KEEP_SECONDS = 24 * 60 * 60
"""How long, at least, an answer is kept for its idempotency key. The API promises this."""


class Answer(NamedTuple):
    """The answer to a call, with its body encoded."""

    body: bytes = b""
    tag: str | None = None
    """The tag of the view in the body, or of the one that the caller has already."""
    unchanged: bool = False
    """The caller has this answer already, so it has no body."""
    replayed: bool = False
    language: str | None = None
    """The language of the texts in the body; None if there are none."""

    @classmethod
    def of(cls, body: Any, tag: str | None = None, language: str | None = None) -> "Answer":
        """Encodes plain data as the answer to a call; `language` is that of its texts, if it has any."""
        return cls(orjson.dumps(body), tag, language=language)


NO_ANSWER: Final = Answer()
"""The answer to nobody, for changes that no player asked for."""


@dataclass(frozen=True, slots=True)
class Key:
    """A player's idempotency key, used for one request."""

    player: str
    digest: str
    fingerprint: str
    """A digest of the request: reusing the key for a different one is refused."""

    @classmethod
    def of(cls, player: str, text: str, *request: Any) -> "Key":
        """Returns a player's idempotency key from its text and the parts that identify the request."""
        fingerprint = hashlib.sha256(orjson.dumps(request, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
        return cls(player, hashlib.sha256(text.encode()).hexdigest()[:32], fingerprint)

    def check(self, fingerprint: str | None) -> None:
        """Checks that an idempotency key was used for the same request before, or (None) not at all.

        Raises:
            Refused: `idempotency_key_reused`.
        """
        if fingerprint not in (None, self.fingerprint):
            raise Refused("idempotency_key_reused", Message("detail.key_of_another_request"))


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored answer, with the fingerprint of its request."""

    fingerprint: str
    answer: Answer

    def stored(self) -> bytes:
        """Returns the form in which Redis keeps the answer to a call with an idempotency key."""
        head = [self.fingerprint, self.answer.tag, self.answer.language]
        return orjson.dumps(head) + b"\n" + self.answer.body

    @classmethod
    def read(cls, stored: bytes | None) -> "Kept | None":
        """Returns the stored answer to a call with an idempotency key from its form in Redis."""
        if stored is None:
            return None
        head, body = stored.split(b"\n", 1)
        fingerprint, tag, language = orjson.loads(head)
        return cls(fingerprint, Answer(body, tag, language=language))

    def replayed(self, key: Key) -> Answer:
        """Returns the stored answer to a call that is repeated with the same idempotency key.

        Raises:
            Refused: `idempotency_key_reused`, the key was used for another request.
        """
        key.check(self.fingerprint)
        return self.answer._replace(replayed=True)
