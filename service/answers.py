"""Answers ready to be sent, and answers kept for a repeated idempotency key; HTTP itself belongs to the api."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import orjson

KEEP_SECONDS = 24 * 60 * 60
"""How long the answer to a call with an idempotency key is kept at least, which the interface promises."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call is answered with: a status, an encoded body, and the headers that go with them."""

    status: int
    body: bytes = b""
    etag: str | None = None
    location: str | None = None
    replayed: bool = False
    language: str | None = None
    """Of the texts in the body; None if there are none."""


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key as a player used it for one request."""

    player: str
    digest: str
    fingerprint: str
    """A digest of the request: the same key with another request is refused."""

    @classmethod
    def of(cls, player: str, text: str, *request: Any) -> "Key":
        """Returns the key for a player's text and everything that makes up the request."""
        fingerprint = hashlib.sha256(orjson.dumps(request, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
        return cls(player, hashlib.sha256(text.encode()).hexdigest()[:32], fingerprint)


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it is kept, with the fingerprint of the request that it answers."""

    fingerprint: str
    answer: Answer

    def stored(self) -> bytes:
        """Returns the form in which it is kept."""
        answer = self.answer
        head = [self.fingerprint, answer.status, answer.etag, answer.location, answer.language]
        return orjson.dumps(head) + b"\n" + answer.body

    @classmethod
    def read(cls, stored: bytes | None) -> "Kept | None":
        """Returns the kept answer of its stored form."""
        if stored is None:
            return None
        head, body = stored.split(b"\n", 1)
        fingerprint, status, etag, location, language = orjson.loads(head)
        return cls(fingerprint, Answer(status, body, etag, location, language=language))

    def replay(self) -> Answer:
        """Returns the answer as it is given again."""
        return replace(self.answer, replayed=True)
