"""Counts calls for rate limits, across all processes (decision 022)."""

import threading
from typing import Final, NamedTuple

from limits import RateLimitItem

from games.errors import TakesNoWrites
from service.inputs.clock import now_ms
from service.store import keys
from service.store.redis.client import RedisClient
from service.store.scripts import COUNT

GATHERED: Final = 16
"""How many calls of one caller a process counts, at most, before it adds them in Redis."""
SHARE: Final = 16
"""The largest fraction of a limit that a process counts alone: small limits are counted in Redis at each call."""
LONGEST_GATHERED: Final = 60
"""In seconds. In longer windows, every call is counted in Redis: what they limit is rare."""
MOST_WINDOWS: Final = 50_000
"""How many callers' windows a process remembers."""


class WindowCount(NamedTuple):
    """The number of calls in a window, and the milliseconds until it ends."""

    calls: int
    left: int


class Window:
    """One caller's window in this process."""

    __slots__ = ("calls", "gathered", "length", "pending", "until")

    def __init__(self, now: int, item: RateLimitItem) -> None:
        length = item.get_expiry()
        self.gathered = min(GATHERED, item.amount // SHARE) if length <= LONGEST_GATHERED else 0
        """So many calls are added in Redis at once."""
        self.calls = 0
        self.pending = 0
        """How many of the calls are not in Redis yet."""
        self.length = length * 1000
        """In milliseconds."""
        self.until = now + self.length
        """When it ends, in milliseconds since 1970."""

    def seconds_left(self, now: int) -> int:
        """Returns how many seconds, begun ones included, a rate limit's window still has at a time."""
        return -((now - self.until) // 1000) if now < self.until else 0


class RateLimiter:
    """Fixed windows that begin with a caller's first call; a busy caller's calls go to Redis in batches.

    So a call rarely waits for its count, and a slow caller's never does. In return, a caller who uses several processes
    at once may get up to 1/16 more calls through in each. Callers over their limit are refused without asking Redis
    again. Every `key` is from `item.key_for`. `hit` and `test` may raise `Unavailable`.
    """

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._windows: dict[str, Window] = {}
        self._counting = threading.Lock()

    def hit(self, item: RateLimitItem, key: str) -> tuple[Window, bool]:
        """Counts a call; returns its window, and whether it is within the rate limit."""
        with self._counting:
            window = self._window(item, key)
            if window.calls >= item.amount:
                return window, False
            window.calls += 1
            window.pending += 1
            if window.pending < window.gathered:
                return window, True
            pending, window.pending = window.pending, 0
        return window, self._add(item, key, window, pending) <= item.amount

    def test(self, item: RateLimitItem, key: str) -> bool:
        """Returns whether one more call would be within the rate limit, counting all processes."""
        window = self.window(item, key)
        return window.calls < item.amount and self._add(item, key, window, 0) < item.amount

    def window(self, item: RateLimitItem, key: str) -> Window:
        """Returns the window of a rate limit, as far as this process knows."""
        with self._counting:
            return self._window(item, key)

    def _add(self, item: RateLimitItem, key: str, window: Window, pending: int) -> int:
        """Adds calls to a rate limit in Redis and returns how many there are, with those of other processes.

        While Redis takes no writes, this process counts alone and adds its calls later.
        """
        try:
            counted = count(self._redis, key, item.get_expiry(), pending)
        except TakesNoWrites:
            with self._counting:
                window.pending += pending
            return window.calls
        with self._counting:
            window.calls = max(window.calls, counted.calls + window.pending)
            window.until = now_ms() + counted.left
        return counted.calls

    def _window(self, item: RateLimitItem, key: str) -> Window:
        now, window = now_ms(), self._windows.get(key)
        if window is None or not now < window.until <= now + window.length:
            if len(self._windows) >= MOST_WINDOWS:
                self._forget(now)
            window = self._windows[key] = Window(now, item)
        return window

    def _forget(self, now: int) -> None:
        """Frees memory of rate limits: drops expired windows, and all of them if that is not enough."""
        self._windows = {key: window for key, window in self._windows.items() if window.until > now}
        if len(self._windows) >= MOST_WINDOWS // 2:
            self._windows = {}


def count(redis: RedisClient, key: str, seconds: int, amount: int) -> WindowCount:
    """Adds calls to the counter of a rate limit in Redis, for a window of so many seconds."""
    calls, left = redis.run(COUNT, [keys.counter(key)], [seconds * 1000, amount])
    return WindowCount(calls, left)
