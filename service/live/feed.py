"""What all feeds have in common: streams, calls that wait, and the news that is still to be delivered."""

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from service.live.revocation import TokenStream

Item: TypeAlias = dict[str, Any]
"""An event or a frame, with its `version`; a notice, a change of the lobby or a result, with its `cursor`."""


class FeedStream(TokenStream, Protocol):
    """A stream. Its feed keeps the version or cursor up to which it was sent everything."""

    version: int

    @property
    def closed(self) -> bool:
        """Returns whether the stream of a live feed's follower is closed for writing."""

    def write(self, items: Sequence[Item]) -> None:
        """Sends items of a live feed to the follower; must not block.

        Streams that lack the same items are given the same list one after the other, so it need be encoded only once.
        """

    async def room(self) -> None:
        """Waits until what a live feed wrote to a stream has been sent, or cannot be."""


class Feed(ABC):
    """What is followed, from one channel on which news of it is published."""

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self.waiting: set[tuple[int, asyncio.Future[None]]] = set()
        """The calls that wait for something after a version or cursor."""
        self.stale = False
        """Whether a message may have been missed."""
        self.work: asyncio.Task[None] | None = None
        """The one task that delivers, so that everything keeps its order."""

    @property
    @abstractmethod
    def streams(self) -> Iterable[FeedStream]:
        """The streams that are sent what the live feed delivers."""

    @abstractmethod
    def leave(self, stream: FeedStream) -> None:
        """Removes a stream from the live feed, if it is there."""

    @property
    @abstractmethod
    def is_needed(self) -> bool:
        """Whether anybody follows the live feed."""

    @property
    def has_news(self) -> bool:
        """Whether the live feed may have something to deliver to its followers."""
        return self.stale

    def hear(self, message: bytes) -> None:
        """Takes in what was published for the live feed; it only says where to look."""
        self.stale = True

    @abstractmethod
    async def deliver(self) -> None:
        """Delivers the news of the live feed to its followers.

        Raises:
            Unavailable: Redis cannot be reached.
        """

    async def wait(self, after: int, seconds: float) -> None:
        """Returns when a live feed has something after a version, after so many seconds, or when it ends."""
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
        """Ends the long-polls on a live feed for something after a version below `upto`."""
        for after, future in self.waiting:
            if after < upto and not future.done():
                future.set_result(None)

    def end(self) -> None:
        """Ends all streams and long-polls of a live feed."""
        for stream in list(self.streams):
            stream.end()
            self.leave(stream)
        self.let_go()
