"""Open event streams: what a feed writes is sent by the coroutine of the request, at the pace of its client."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from api.link import StreamPlan
from service.live.feed import Item

TICK_SECONDS: Final = 1.0
KEEP_ALIVE_SECONDS: Final = 15
"""After so long an idle stream gets a comment, so that proxies keep it open."""
SLOW_SECONDS: Final = 10
"""After so long a stream of which the client reads nothing is closed."""
BUFFER_BYTES: Final = 256 * 1024
"""So much may wait for a stream before it is closed."""
AT_ONCE: Final = 100
"""After how many streams the tick lets others run."""

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]


class Stream:
    """An open stream. Its buffer is bounded; behind it is the server's, which makes `send` wait."""

    __slots__ = (
        "_changed",
        "_encoded",
        "_loop",
        "_message",
        "_most",
        "_parts",
        "_task",
        "caller",
        "closed",
        "keep_alive",
        "proof",
        "slow",
        "touched",
        "version",
        "waiting",
    )

    def __init__(self, plan: StreamPlan, most: int, encoded: "EncodedItems") -> None:
        """Opens a stream; its client is cut off when it lets more than `most` bytes wait."""
        self._loop = asyncio.get_running_loop()
        self._most = most
        self._encoded = encoded
        self._message = plan.message
        self.keep_alive = plan.keep_alive
        self._parts: list[bytes] = []
        self._changed: asyncio.Future[None] | None = None
        self._task: asyncio.Task[Any] | None = None
        self.version, self.caller, self.proof = plan.start.version, plan.start.caller, plan.start.proof
        self.closed = False
        self.slow = False
        """Whether its client was cut off because it did not read."""
        self.waiting = 0
        """How many bytes wait for the server to take them."""
        self.touched = self._loop.time()
        """When the server last took something, or something was written while nothing waited."""

    def write(self, items: Sequence[Item]) -> None:
        """Sends what a feed brings."""
        if items and not self.closed:
            self.put(self._encoded.of(items, self._message))

    def put(self, messages: bytes) -> None:
        """Sends messages, unless too much waits already: then the client is cut off, and may resume where it was.

        Messages longer than the bound are sent too: refused, the same page of frames would come up at each return.
        """
        if self.closed:
            return
        if self.waiting > self._most:
            self.abort()
            return
        if not self.waiting:
            self.touched = self._loop.time()
        self._parts.append(messages)
        self.waiting += len(messages)
        self._wake()

    async def room(self) -> None:
        """Waits until half of the stream's buffer is free, or the stream has ended."""
        pause = 0.02
        while not self.closed and self.waiting > self._most // 2:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.5)  # thousands of slow clients would keep this process busy

    def end(self) -> None:
        """Ends the response after what was written."""
        self.closed = True
        self._wake()

    def abort(self) -> None:
        """Cuts off a client that does not read."""
        self.slow = True
        self.end()
        if self._task is not None:
            self._task.cancel()

    async def pump(self, send: Send) -> None:
        """Sends what is written until the stream ends."""
        self._task = asyncio.current_task()
        while True:
            while self._parts:
                data, taken = b"".join(self._parts), self.waiting
                self._parts.clear()
                await send({"type": "http.response.body", "body": data, "more_body": True})
                self.waiting -= taken
                self.touched = self._loop.time()
            if self.closed:
                break
            self._changed = self._loop.create_future()
            await self._changed
        self._task = None
        await send({"type": "http.response.body"})

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)


class EncodedItems:
    """Encodes what feeds bring, and counts it: the same list for many streams one after the other only once."""

    def __init__(self, sent: Callable[[int], object]) -> None:
        """`sent` is called now and then with how many items were sent since: for each stream it would cost too much."""
        self._sent = sent
        self._count = 0
        self._last: Sequence[Item] = ()
        self._messages = b""

    def of(self, items: Sequence[Item], message: Callable[[Item], bytes]) -> bytes:
        """Returns items for one stream, each as a `message`."""
        if items is not self._last:
            self._last, self._messages = items, b"".join(map(message, items))
        self._count += len(items)
        return self._messages

    def count(self) -> None:
        """Tells how many items were sent since the last time."""
        if self._count:
            self._sent(self._count)
            self._count = 0


class Streams:
    """All open streams of this process."""

    def __init__(self, sent: Callable[[int], object]) -> None:
        """`sent` is called now and then with how many items were sent since."""
        self.encoded = EncodedItems(sent)
        self._open: set[Stream] = set()
        self._ticking: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def opened(self, stream: Stream) -> Iterator[None]:
        """Keeps a stream alive during a `with` block, and cuts it off if its client does not read."""
        self._open.add(stream)
        if self._ticking is None:
            self._ticking = asyncio.get_running_loop().create_task(self._tick())
        try:
            yield
        finally:
            stream.end()
            self._open.discard(stream)
            self.encoded.count()

    def close(self) -> None:
        """Ends all streams."""
        if self._ticking is not None:
            self._ticking.cancel()
        for stream in self._open:
            stream.end()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.encoded.count()
            now = asyncio.get_running_loop().time()
            for done, stream in enumerate(list(self._open), 1):
                if stream.waiting and stream.touched < now - SLOW_SECONDS:
                    stream.abort()
                elif not stream.waiting and stream.touched < now - KEEP_ALIVE_SECONDS:
                    stream.put(stream.keep_alive)
                if done % AT_ONCE == 0:
                    await asyncio.sleep(0)
