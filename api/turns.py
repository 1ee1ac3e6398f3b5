"""Lets few calls of one address run at a time, so that those of others do not wait for all of them."""

import asyncio
from collections import Counter, deque
from typing import Final

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
