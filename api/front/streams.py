"""Open event streams and their limits: writes bytes straight to the connection.

The connection's buffer is the only one. A client that does not read is disconnected, and may resume where it was.
"""

import asyncio
from typing import Any, Final

from api.front.connection import WRITE_SECONDS, bear, cut, unread
from api.front.link import Following
from api.front.messages import COMMENT
from service.live.following import GameFollowing
from service.settings import Settings

TICK_SECONDS: Final = 1.0
AT_ONCE: Final = 100


class OpenStream:
    """An open stream, written to as long as its client reads it."""

    __slots__ = (
        "_accepted",
        "_done",
        "_loop",
        "_most",
        "_opened",
        "_transport",
        "_written",
        "caller",
        "closed",
        "proof",
        "slow",
        "touched",
        "version",
    )

    def __init__(self, transport: Any, following: Following, most: int) -> None:
        """Opens a stream on a client's connection; nothing is written to it while more than `most` bytes wait."""
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._most = most
        self._done: asyncio.Future[None] = self._loop.create_future()
        self.version = following.version
        self.caller = following.caller
        self.proof = following.proof
        self.closed = False
        self.slow = False
        self.touched = self._opened = self._loop.time()
        """When something was last written to an empty buffer, or accepted from it by the client."""
        self._written = self._accepted = 0

    @property
    def waiting(self) -> int:
        """How many bytes of a stream are buffered for its client."""
        size: int = self._transport.get_write_buffer_size()
        return size

    def write(self, messages: bytes) -> None:
        """Sends messages on a client's stream as one chunk of the response, unless too much is buffered already.

        Messages longer than the bound are sent too: refused, the same page of frames would come up at each return.
        """
        if self.closed or not messages:
            return
        if self._transport.is_closing():
            self.end()
            return
        waiting = self.waiting
        if waiting > self._most:
            self.abort()
            return
        if not waiting:
            self.touched = self._loop.time()
        chunk = b"%x\r\n%b\r\n" % (len(messages), messages)
        self._written += len(chunk)
        self._transport.write(chunk)

    def keep_if_read(self, slow: float) -> bool:
        """Keeps a stream for `slow` seconds more if its client has accepted anything since the last call."""
        before, self._accepted = self._accepted, self._written - unread(self._transport)
        if self._accepted <= before:
            return False
        self.touched = self._loop.time()
        bear(self._transport, self.touched - self._opened + WRITE_SECONDS + slow)
        return True

    async def room(self) -> None:
        """Waits until half of a stream's buffer is free, or its connection is closed."""
        pause = 0.02
        while not self.closed and self.waiting > self._most // 2:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.5)  # thousands of slow clients would keep this process busy

    def end(self) -> None:
        """Ends the response that a client's stream is."""
        self.closed = True
        if not self._done.done():
            self._done.set_result(None)

    def hung_up(self, _: object) -> None:
        """Ends a stream because its client has disconnected."""
        self.end()

    def abort(self) -> None:
        """Disconnects a client that does not read its stream."""
        self.slow = True
        cut(self._transport)
        self.end()

    async def ended(self) -> None:
        """Waits until a client's stream has ended."""
        await self._done


class EventStream(OpenStream):
    """An open stream of the events of a game."""

    __slots__ = ("begun", "follower_view")

    def __init__(self, transport: Any, following: GameFollowing, most: int) -> None:
        super().__init__(transport, following, most)
        self.follower_view = following.follower_view
        self.begun = following.snapshot.version


class Streams:
    """All open streams of this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open: set[OpenStream] = set()
        self._ticking: asyncio.Task[None] | None = None

    def add(self, stream: OpenStream) -> None:
        """Starts sending keep-alives to a stream and checking that its client reads."""
        self._open.add(stream)
        if self._ticking is None:
            self._ticking = asyncio.get_running_loop().create_task(self._tick())

    def forget(self, stream: OpenStream) -> None:
        """Ends a client's stream: no more keep-alives, no more checks that the client reads."""
        stream.end()
        self._open.discard(stream)

    def close(self) -> None:
        """Stops the keep-alives of all open streams, as the front closes."""
        if self._ticking is not None:
            self._ticking.cancel()

    async def _tick(self) -> None:
        """Sends a keep-alive on idle streams, and disconnects clients that do not read theirs."""
        slow, silent = self._settings.stream_slow_seconds, self._settings.stream_keep_alive_seconds
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = asyncio.get_running_loop().time()
            for done, stream in enumerate(list(self._open), 1):
                if stream.waiting:
                    if not stream.keep_if_read(slow) and stream.touched < now - slow:
                        stream.abort()
                elif stream.touched < now - silent:
                    stream.write(COMMENT)
                if done % AT_ONCE == 0:
                    await asyncio.sleep(0)
