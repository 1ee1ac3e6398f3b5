"""Keeps the reviews of ended games in Redis, as facts about their choices: texts are made for who reads them.

A review can be made again from the log, so it is kept for a while only, and no backup holds it.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from games.snapshot import Snapshot
from service.store import keys
from service.store.lists.due import DueList
from service.store.redis.client import RedisClient
from service.store.scripts import REVIEW

KEEP_SECONDS: Final = 28 * 24 * 60 * 60
_HEAD, _OF = b"head", b"of"


@dataclass(frozen=True, slots=True)
class StoredReview:
    """How far the review of a game has come."""

    facts: Mapping[int, Mapping[str, Any]]
    """By version, as `judged` returns them."""
    of: int | None
    """How many choices there are; None if nobody has begun."""

    @property
    def done(self) -> bool:
        """Returns whether all choices have been judged."""
        return len(self.facts) == self.of


class StoredReviews:
    """The reviews in Redis, and which are under way. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self.due = DueList(redis, keys.REVIEWS)

    def read(self, snapshot: Snapshot) -> StoredReview:
        """Reads the review of an ended game."""
        raw = self._redis.send(("HGETALL", keys.review(snapshot.id)))[0]
        found: dict[bytes, bytes] = dict(zip(raw[::2], raw[1::2], strict=True))
        head, of = found.pop(_HEAD, b""), found.pop(_OF, None)
        if head.decode() != snapshot.head or of is None:
            return StoredReview({}, None)
        return StoredReview({int(name): orjson.loads(zlib.decompress(one)) for name, one in found.items()}, int(of))

    def keep(self, snapshot: Snapshot, of: int, facts: Mapping[int, Mapping[str, Any]]) -> bool:
        """Keeps facts about choices of an ended game, which has `of` of them; returns False if the game is gone."""
        pairs = [part for version, one in facts.items() for part in (version, zlib.compress(orjson.dumps(one)))]
        names = [keys.meta(snapshot.id), keys.review(snapshot.id)]
        return self._redis.run(REVIEW, names, [snapshot.head, KEEP_SECONDS, of, *pairs]) is not None

    def begin(self, game: str, when: int) -> bool:
        """Puts a game on the list of those under way, to be looked at by then; returns False if it is on it."""
        return bool(self._redis.send(("ZADD", keys.REVIEWS, "NX", when, game))[0])

    def under_way(self, game: str) -> tuple[bool, int]:
        """Reads whether the review of a game is under way, and how many are."""
        when, count = self._redis.send(("ZSCORE", keys.REVIEWS, game), ("ZCARD", keys.REVIEWS))
        return when is not None, int(count)
