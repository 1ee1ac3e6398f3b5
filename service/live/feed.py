"""What all feeds have in common: who waits for news, and the task that delivers it."""

import asyncio
import math
from typing import Protocol

from service.live.revocation import Bearer


class Reader(Bearer, Protocol):
    """A stream. Its feed keeps the version or cursor up to which it was sent everything."""

    version: int

    @property
    def closed(self) -> bool:
        """Returns whether nothing can be written any more."""

    def write(self, messages: bytes) -> None:
        """Sends messages; must not block."""

    async def room(self) -> None:
        """Waits until what was written has been sent, or cannot be."""


class Feed:
    """What is followed: the calls that wait for it, whether it must be read, and the one task that delivers."""

    def __init__(self) -> None:
        self.waiting: set[tuple[int, asyncio.Future[None]]] = set()
        self.stale = False
        self.work: asyncio.Task[None] | None = None

    async def wait(self, after: int, seconds: float) -> None:
        """Returns when there is something after a version, after so many seconds, or when the feed ends."""
        one = (after, asyncio.get_running_loop().create_future())
        self.waiting.add(one)
        try:
            async with asyncio.timeout(seconds):
                await one[1]
        except TimeoutError:
            return
        finally:
            self.waiting.discard(one)

    def let_go(self, upto: float = math.inf) -> None:
        """Ends the waits for something after a version below `upto`."""
        for after, future in self.waiting:
            if after < upto and not future.done():
                future.set_result(None)
