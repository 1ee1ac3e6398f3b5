"""Which calls are limited, for whom, and how a caller is told; how they are counted is for the service to say.

Each kind of call is a bucket of its own, so that polling never uses up what acting needs. flask-limiter holds the
limits' store and strategy. Its hooks are left out: they would take 120 us of an action's 700, ours take 15.
"""

import hashlib
import math
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import limits
from flask import Flask, Response, request
from flask_limiter import Limiter

from api.link import LINK
from service.connection import Exchange
from service.counting import STRATEGY
from service.errors import Refused
from service.said import Said
from service.settings import OFF, Settings
from service.times import now_ms

Bucket: TypeAlias = Literal["acting", "reading", "creating", "joining", "inviting", "registering"]
Environ: TypeAlias = Mapping[str, Any]

STATS: Final = "billet.limit"
"""Where a request notes the limit that its answer tells of."""
WAITING: Final = "waiting_by_address"
VERIFYING: Final = "verifying_at_once"
NETWORK_BITS: Final = 64
"""How much of an IPv6 address counts: whoever has one has all of its network."""


class Limit(NamedTuple):
    """A limit with its name."""

    name: str
    item: limits.RateLimitItem

    policy: str
    """The limit as the header `RateLimit-Policy` says it."""


class Limits:
    """The limits of an application."""

    def __init__(self, app: Flask, settings: Settings, exchange: Exchange) -> None:
        limiter = Limiter(
            lambda: address_of(request.environ),
            strategy=STRATEGY,
            storage_uri="billet://",
            storage_options={"exchange": exchange},  # type: ignore[dict-item]  # handed to the storage as it is
        )
        app.extensions["limiter"] = {limiter}  # what is there already gets no hooks
        limiter.init_app(app)
        self._strategy = limiter.limiter
        buckets: dict[Bucket, tuple[str, str]] = {
            "acting": (settings.limit_acting, settings.limit_acting_address),
            "reading": (settings.limit_reading, settings.limit_reading_address),
            "creating": (settings.limit_creating, settings.limit_creating_address),
            "joining": (settings.limit_joining, settings.limit_joining_address),
            "inviting": (settings.limit_inviting, settings.limit_inviting_address),
            "registering": (OFF, settings.limit_registering_address),
        }
        self._buckets = {
            bucket: (_limit(bucket, token), _limit(f"{bucket}_by_address", address))
            for bucket, (token, address) in buckets.items()
        }
        self._wrong_by_address = _limit("wrong_codes_by_address", settings.limit_codes_address)
        self._wrong_by_game = _limit("wrong_codes_by_game", settings.limit_codes_game)
        self._most_waiting = settings.waiting_per_address
        self._waiting: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._verifying = threading.Lock()

    def count(self, bucket: Bucket, token: str | None, environ: dict[str, Any]) -> None:
        """Counts a call, in the bucket of its address and in that of its token.

        Raises:
            Refused: `rate_limited`.
            Unavailable: Redis is needed for it and away.
        """
        link = environ.get(LINK)
        if link is not None and link.waited:
            return  # the second half of a call that has been counted
        by_token, by_address = self._buckets[bucket]
        if by_address is not None:
            self._hit(by_address, address_of(environ), environ)
        if by_token is not None and token is not None:
            # The whole token, for anybody could use up the bucket of a player by name alone; and never in the clear.
            self._hit(by_token, hashlib.sha256(token.encode()).hexdigest()[:32], environ)

    @contextmanager
    def guess(self, environ: dict[str, Any], game: str) -> Iterator[None]:
        """Lets a join code be looked at that decides, and counts it against its address and the game if it is wrong.

        Raises:
            Refused: `rate_limited`, there were too many wrong ones: no code is looked at then, the right one neither.
            Unavailable: Redis is away.
        """
        counted = [
            (limit, whose)
            for limit, whose in ((self._wrong_by_address, address_of(environ)), (self._wrong_by_game, game))
            if limit is not None
        ]
        for limit, whose in counted:
            if not self._strategy.test(limit.item, limit.name, whose):
                raise self._refusal(limit, whose, environ)
        try:
            yield
        except Refused as refusal:
            if refusal.code == "join_code_wrong":
                for limit, whose in counted:
                    self._strategy.hit(limit.item, limit.name, whose)
            raise

    @contextmanager
    def place(self, environ: Environ) -> Iterator[None]:
        """Holds one of the places in which calls of an address may wait.

        Raises:
            Refused: `rate_limited`, all are taken.
        """
        whose = address_of(environ)
        with self._counting:
            said = Said("detail.too_many_wait", {"limit": WAITING})
            if self._most_waiting and self._waiting[whose] >= self._most_waiting:
                raise Refused("rate_limited", said, limit=WAITING, retry_after=1)
            self._waiting[whose] += 1
        try:
            yield
        finally:
            with self._counting:
                self._waiting[whose] -= 1
                if not self._waiting[whose]:
                    del self._waiting[whose]

    @contextmanager
    def verifying(self) -> Iterator[None]:
        """Holds the one place in which a log is verified: that is much work, and others wait for the processor.

        Raises:
            Refused: `rate_limited`, it is taken.
        """
        if not self._verifying.acquire(blocking=False):
            said = Said("detail.verifying_already", {"limit": VERIFYING})
            raise Refused("rate_limited", said, limit=VERIFYING, retry_after=1)
        try:
            yield
        finally:
            self._verifying.release()

    def tell(self, response: Response) -> Response:
        """Says in the headers of an answer how much is left of the limit that its call was counted in."""
        told: tuple[Limit, str] | None = request.environ.get(STATS)
        if told is not None:
            limit, whose = told
            left, seconds = self._left(limit, whose)
            response.headers["RateLimit-Policy"] = limit.policy
            response.headers["RateLimit"] = f'"{limit.name}";r={left};t={seconds}'
        return response

    def _hit(self, limit: Limit, whose: str, environ: dict[str, Any]) -> None:
        if not self._strategy.hit(limit.item, limit.name, whose):
            raise self._refusal(limit, whose, environ)
        environ[STATS] = limit, whose

    def _refusal(self, limit: Limit, whose: str, environ: dict[str, Any]) -> Refused:
        environ[STATS] = limit, whose
        seconds = max(1, self._left(limit, whose)[1])
        values = {
            "limit": limit.name,
            "most": limit.item.amount,
            "window": limit.item.get_expiry(),
            "seconds": seconds,
        }
        wrong_codes = limit in (self._wrong_by_address, self._wrong_by_game)
        detail = Said("detail.too_many_wrong_codes" if wrong_codes else "detail.too_many_calls", values)
        return Refused("rate_limited", detail, limit=limit.name, retry_after=seconds)

    def _left(self, limit: Limit, whose: str) -> tuple[int, int]:
        """Returns how many calls are left and the seconds until the window ends."""
        stats = self._strategy.get_window_stats(limit.item, limit.name, whose)
        return stats.remaining, max(0, math.ceil(stats.reset_time - now_ms() / 1000))


def _limit(name: str, text: str) -> Limit | None:
    if text == OFF:
        return None
    item = limits.parse(text)
    return Limit(name, item, f'"{name}";q={item.amount};w={item.get_expiry()}')


def address_of(environ: Environ) -> str:
    """Returns where a call comes from, as far as it is told apart."""
    return _network(environ.get("REMOTE_ADDR") or "")


@lru_cache(maxsize=8192)
def _network(address: str) -> str:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{ip_address(int(parsed) >> NETWORK_BITS << NETWORK_BITS)}/{NETWORK_BITS}"
