"""Bounds what callers may have at once: calls that run, and what stays open: streams, long-polls, arriving bodies."""

import asyncio
import threading
from collections import Counter, deque
from typing import Final, NamedTuple, TypeAlias

from games.errors import Refused
from games.messages import Message

Place: TypeAlias = list[tuple[int, str]]
"""What a call holds: the place in each bound that counts it."""


class Bound(NamedTuple):
    """How many of a kind a process, an address or a player may have; 0 means any number."""

    most: int
    limit: str
    """The name of the limit."""
    detail: str
    """The key of the text that a refused caller gets."""


UNBOUND: Final = Bound(0, "", "")


class Places:
    """Counts what is open of one kind."""

    def __init__(self, process: Bound, address: Bound, player: Bound = UNBOUND) -> None:
        self._bounds = process, address, player
        self._lock = threading.Lock()  # a route that runs in a thread may begin a stream
        self._held: dict[tuple[int, str], int] = {}

    def take(self, address: str, player: str | None = None) -> Place:
        """Takes a place for a call.

        Raises:
            Refused: `rate_limited`, no place is free.
        """
        place = [(0, ""), (1, address)]
        if player is not None:
            place.append((2, player))
        with self._lock:
            for key in reversed(place):
                bound = self._bounds[key[0]]
                if bound.most and self._held.get(key, 0) >= bound.most:
                    raise Refused("rate_limited", Message(bound.detail), limit=bound.limit, retry_after=1)
            for key in place:
                self._held[key] = self._held.get(key, 0) + 1
        return place

    def leave(self, place: Place) -> None:
        """Gives a place back."""
        with self._lock:
            for key in place:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]


def arriving_places() -> Places:
    """Returns the places for bodies that arrive after their heads: each may take memory for ten seconds."""
    return Places(
        Bound(400, "bodies_at_once", "detail.too_many_bodies"),
        Bound(100, "bodies_by_address", "detail.too_many_bodies"),
    )


def verifying_places() -> Places:
    """Returns the places for logs that are verified: each may be long, and few are verified at a time."""
    return Places(
        Bound(8, "verifying_at_once", "detail.verifying_already"),
        Bound(1, "verifying_at_once", "detail.verifying_already"),
    )


def stream_places() -> Places:
    """Returns the places for open streams."""
    return Places(
        Bound(6000, "streams", "detail.too_many_streams"),
        Bound(1000, "streams_by_address", "detail.too_many_streams_of_address"),
        Bound(20, "streams_per_player", "detail.too_many_streams_of_player"),
    )


def waiting_places() -> Places:
    """Returns the places for long-polls."""
    return Places(
        Bound(4000, "waiting", "detail.too_many_wait"),
        Bound(1000, "waiting_by_address", "detail.too_many_wait"),
        Bound(200, "waiting_per_player", "detail.too_many_wait"),
    )


AT_ONCE: Final = 2
"""How many calls of an address run at a time beside those of others: with four, others wait twice as long."""
LONGEST_WAIT: Final = 0.25
"""Seconds after which a call runs all the same: those ahead may wait for a Redis that hangs."""
ALONE_AFTER: Final = 1000
"""After how many calls of one address in a row nobody else is taken to call."""


class Turns:
    """Which calls run and which wait, by address. Use it from one event loop only."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._latest, self._in_a_row = "", 0

    async def enter(self, address: str) -> None:
        """Waits a moment until few calls of an address run, unless no other address calls."""
        self._in_a_row = self._in_a_row + 1 if address == self._latest else 0
        self._latest = address
        if self._running[address] < AT_ONCE or self._in_a_row >= ALONE_AFTER:
            self._running[address] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await turn  # a call that leaves hands its place over
        except TimeoutError:
            if turn.cancelled():
                self._running[address] += 1
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.leave(address)
            raise

    def resume(self, address: str) -> None:
        """Goes on with a call that had left to wait for something else."""
        self._running[address] += 1

    def leave(self, address: str) -> None:
        """Ends a call, and lets the next one of its address run."""
        waiting = self._waiting.get(address)
        while waiting:
            turn = waiting.popleft()
            if not waiting:
                del self._waiting[address]
            if not turn.done():
                turn.set_result(None)
                return
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
