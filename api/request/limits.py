"""Applies rate limits per address and token, and reports the remaining quota in headers.

Each kind of call has its own bucket, so polling never uses up the quota for actions. flask-limiter would take eight
times as long (decision 022).
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, ip_address
from typing import Any, Final, Literal, TypeAlias

import limits

from games.errors import Refused
from games.messages import Message, time_span
from games.tables.join_codes import ANY_GAME
from service.inputs.clock import now_ms
from service.settings import MOST_CALLS, OF_ONE_ADDRESS, OFF, Settings
from service.store.limits.counting import RateLimiter, Window
from service.store.limits.shown_codes import ShownCodes
from service.store.redis.client import RedisClient

LimitBucket: TypeAlias = Literal["acting", "reading", "creating", "joining", "inviting", "reviewing", "registering"]
Environ: TypeAlias = Mapping[str, Any]

INVITING: Final = "120/minute"
"""How many players may be invited to seats with one token."""
REVIEWING: Final = "20/hour"
"""How many reviews may be begun with one token; each takes a worker for some seconds."""
WRONG_CODES: Final = "60/hour"
"""How many wrong join codes for one game an address may send."""
STATS: Final = "billet.limit"
"""The key in the environment of the limit that the response reports, with the caller's key and window."""
UNKNOWN: Final = ""
"""In place of the address of all whose address is none, as behind a Unix socket or where a proxy says `unknown`."""
_PORTED: Final = re.compile(r"\[([^]]*)\](?::\d+)?|([\d.]+):\d+")
"""An address as some proxies write it: with a port, which each connection has anew, or in brackets."""
NETWORK_BITS: Final = 64
"""The counted prefix of an IPv6 address, because the holder of one address has its whole network."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit with its name."""

    name: str
    item: limits.RateLimitItem

    policy: str
    """The value of the header `RateLimit-Policy`."""
    head: str
    tail: str
    """What surrounds the caller in the keys of `item`: building a key takes longer than counting by it."""

    def key(self, whose: str) -> str:
        """Returns the key by which a caller's requests are counted."""
        return f"{self.head}{whose}{self.tail}"


class Limits:
    """The limits of an application."""

    def __init__(self, amounts: Mapping[str, str], redis: RedisClient) -> None:
        """Counts in `redis` against the amount that each name of a limit has, such as 300/second."""
        self._limiter = RateLimiter(redis)
        found = {name: None if text == OFF else _limit(name, text) for name, text in amounts.items()}
        self._buckets = {
            bucket: (found.get(bucket), found[f"{bucket}_by_address"])
            for bucket in ("acting", "reading", "creating", "joining", "inviting", "reviewing", "registering")
        }
        self._wrong_by_address = found["wrong_codes_by_address"]
        self._shown = ShownCodes(redis)

    def count(self, bucket: LimitBucket, token: str | None, environ: dict[str, Any]) -> None:
        """Counts a request by its address and its token.

        Raises:
            Refused: `rate_limited`.
            Unavailable: Redis is needed and away.
        """
        by_token, by_address = self._buckets[bucket]
        if by_address is not None:
            self._hit(by_address, address_of(environ), environ)
        if by_token is not None and token is not None:
            # The whole token: with the player's id alone anybody could use up their bucket. Hashed: never in the clear.
            self._hit(by_token, _hashed(token), environ)

    @contextmanager
    def guard(self, environ: dict[str, Any], game: str) -> Iterator[None]:
        """Guards the check of a join code, and counts a wrong one against the address at this game.

        Raises:
            Refused: `rate_limited`, there were too many wrong codes: then no code is checked, not even the right one,
                unless the address has shown the right one before.
            Unavailable: Redis is away.
        """
        limit, address = self._wrong_by_address, address_of(environ)
        if limit is None:
            yield
            return
        key = limit.key(f"{game}/{address}")
        # The right code of one game is no reason to let an address try codes of all games.
        known = game != ANY_GAME
        spent = not self._limiter.test(limit.item, key)
        if spent and not (known and self._shown.before(game, address)):
            window = self._limiter.window(limit.item, key)
            environ[STATS] = limit, key, window
            raise self._refusal(limit, window)
        try:
            yield
        except Refused as refusal:
            if refusal.code in ("join_code_wrong", "not_found"):
                self._limiter.hit(limit.item, key)
            raise
        if known:
            self._shown.note(game, address)

    def quota_headers(self, environ: Environ) -> list[tuple[str, str]]:
        """Returns the headers that report the remaining quota."""
        counted: tuple[Limit, str, Window] | None = environ.get(STATS)
        if counted is None:
            return []
        limit, key, window = counted
        seconds = window.seconds_left(now_ms())
        if not seconds:  # a call may have waited for longer
            window = self._limiter.window(limit.item, key)
            seconds = window.seconds_left(now_ms())
        amount, calls = limit.item.amount, window.calls
        left = amount - calls if calls < amount else 0
        return [("RateLimit-Policy", limit.policy), ("RateLimit", f'"{limit.name}";r={left};t={seconds}')]

    def _hit(self, limit: Limit, whose: str, environ: dict[str, Any]) -> None:
        key = limit.key(whose)
        window, within = self._limiter.hit(limit.item, key)
        environ[STATS] = limit, key, window
        if not within:
            raise self._refusal(limit, window)

    def _refusal(self, limit: Limit, window: Window) -> Refused:
        seconds = max(1, window.seconds_left(now_ms()))
        values = {
            "most": limit.item.amount,
            "window": time_span(limit.item.get_expiry()),
            "wait": time_span(seconds),
        }
        wrong_codes = limit is self._wrong_by_address
        detail = Message("detail.too_many_wrong_codes" if wrong_codes else "detail.too_many_calls", values)
        return Refused("rate_limited", detail, limit=limit.name, retry_after=seconds)


def amounts_by(settings: Settings) -> dict[str, str]:
    """Returns the amount of each limit by its name: by token as the settings say, by address a multiple of it."""
    by_token = {
        "acting": settings.limit_acting,
        "reading": settings.limit_reading,
        "creating": settings.limit_creating,
        "joining": settings.limit_creating,
        "inviting": INVITING,
        "reviewing": REVIEWING,
    }
    return {
        **by_token,
        **{f"{name}_by_address": _times(OF_ONE_ADDRESS, text) for name, text in by_token.items()},
        "registering_by_address": settings.limit_registering,
        "wrong_codes_by_address": WRONG_CODES,
    }


def _times(factor: int, text: str) -> str:
    """Returns a limit that lets so many times as many calls through."""
    if text == OFF:
        return OFF
    item = limits.parse(text)
    return f"{min(factor * item.amount, MOST_CALLS)}/{item.get_expiry()} seconds"


def _limit(name: str, text: str) -> Limit:
    item = limits.parse(text)
    head, _, tail = item.key_for(name, "\0").partition("\0")
    return Limit(name, item, f'"{name}";q={item.amount};w={item.get_expiry()}', head, tail)


@lru_cache(maxsize=2048)
def _hashed(token: str) -> str:
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def address_of(environ: Environ) -> str:
    """Returns the caller's address, or its network for IPv6."""
    return _network(environ.get("REMOTE_ADDR") or "")


@lru_cache(maxsize=8192)
def _network(address: str) -> str:
    ported = _PORTED.fullmatch(address)
    try:
        parsed = ip_address((ported[1] or ported[2] if ported else address).partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{ip_address(int(parsed) >> NETWORK_BITS << NETWORK_BITS)}/{NETWORK_BITS}"
