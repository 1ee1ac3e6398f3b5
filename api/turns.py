"""Whose turn it is to be worked on: calls that act go at once, those that only read give way to them for a moment.

All calls of a process share one interpreter. Without this a flood of polling would make every action wait.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Final

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
READERS: Final = 1
"""How many read at a time: more would finish no sooner, unless Redis is far, and an action would wait for more."""
LONGEST_WAIT: Final = 0.25
"""Seconds after which a call that reads waits no longer for others: all could be held up by one."""


class Turns:
    """The calls of a process that are worked on; to be used from one event loop alone."""

    def __init__(self) -> None:
        self._acting = 0
        self._reading = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @contextlib.contextmanager
    def acting(self) -> Iterator[None]:
        """Holds back those who have not begun to read."""
        self._acting += 1
        try:
            yield
        finally:
            self._acting -= 1
            self._wake()

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Waits until nobody acts and few read, or for long enough."""
        if not self._has_room():
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                async with asyncio.timeout(LONGEST_WAIT):
                    await place
            except TimeoutError:
                with contextlib.suppress(ValueError):  # it may have been let go on at this very moment
                    self._waiting.remove(place)
        self._reading += 1
        try:
            yield
        finally:
            self._reading -= 1
            self._wake()

    def _has_room(self) -> bool:
        return not self._acting and self._reading < READERS

    def _wake(self) -> None:
        """Lets those go on who have waited longest, as far as there is room; each takes its place when it runs."""
        room = READERS - self._reading if not self._acting else 0
        while room > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                room -= 1
