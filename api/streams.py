"""Open event streams and their bounds: bytes go straight to the connection; which bytes is for `feeds` to say.

The connection's buffer is the only one. Who does not read is cut off and may come back where they were.
"""

import asyncio
import contextlib
import socket
import struct
from typing import Any, Final

from api.frames import COMMENT
from service.following import Following
from service.noticeboard import Told
from service.settings import Settings

KERNEL_BYTES: Final = 64 * 1024
"""What the kernel may hold of a stream; left to itself it takes megabytes for each reader who does not read."""
TICK_SECONDS: Final = 1.0
AT_ONCE: Final = 100
_RESET: Final = struct.pack("ii", 1, 0)


class OpenStream:
    """One open stream, which is written to as long as somebody reads it."""

    __slots__ = ("_done", "_loop", "_most", "_transport", "caller", "closed", "proof", "slow", "touched", "version")

    def __init__(self, transport: Any, following: Following | Told, most: int) -> None:
        """`most` is how many bytes may wait."""
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._most = most
        self._done: asyncio.Future[None] = self._loop.create_future()
        self.version = following.version
        self.caller = following.caller
        self.proof = following.proof
        self.closed = False
        self.slow = False
        self.touched = self._loop.time()
        """When something was last written to an empty buffer: since then, what waits has been waiting."""
        made = transport.get_extra_info("socket")
        if made is not None:
            with contextlib.suppress(OSError, ValueError):  # it may be closed already
                made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    @property
    def waiting(self) -> int:
        """How many bytes have not gone yet."""
        size: int = self._transport.get_write_buffer_size()
        return size

    def write(self, frames: bytes) -> None:
        """Sends events as one chunk of the answer, unless too much waits already."""
        if self.closed or not frames:
            return
        if self._transport.is_closing():
            self.end()
            return
        waiting = self.waiting
        if waiting + len(frames) > self._most:
            self.abort()
            return
        if not waiting:
            self.touched = self._loop.time()
        self._transport.write(b"%x\r\n%b\r\n" % (len(frames), frames))

    async def room(self) -> None:
        """Waits until half of what may wait is free, or the stream is closed."""
        while not self.closed and self.waiting > self._most // 2:
            await asyncio.sleep(0.02)

    def end(self) -> None:
        """Lets the answer come to its end."""
        self.closed = True
        if not self._done.done():
            self._done.set_result(None)

    def abort(self) -> None:
        """Drops a reader that does not read, and what the kernel still holds for it."""
        self.slow = True
        made = self._transport.get_extra_info("socket")
        if made is not None:
            with contextlib.suppress(OSError, ValueError):  # it may be closed already
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._transport.abort()
        self.end()

    async def ended(self) -> None:
        """Waits until nothing more is written."""
        await self._done


class EventStream(OpenStream):
    """An open stream of the events of a game."""

    __slots__ = ("begun", "lens")

    def __init__(self, transport: Any, following: Following, most: int) -> None:
        super().__init__(transport, following, most)
        self.lens = following.lens
        self.begun = following.snapshot.version


class Streams:
    """All open streams of this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open: set[OpenStream] = set()
        self._ticking: asyncio.Task[None] | None = None

    @property
    def most(self) -> int:
        """How many bytes of one may wait."""
        return self._settings.stream_buffer_bytes

    def add(self, stream: OpenStream) -> None:
        """Sees from now on to a stream."""
        self._open.add(stream)
        if self._ticking is None:
            self._ticking = asyncio.get_running_loop().create_task(self._tick())

    def forget(self, stream: OpenStream) -> None:
        """Lets a stream go."""
        stream.end()
        self._open.discard(stream)

    def close(self) -> None:
        """Ends what is done now and then."""
        if self._ticking is not None:
            self._ticking.cancel()

    async def _tick(self) -> None:
        """Sends a comment to whoever got nothing for a while, and cuts off whoever takes nothing."""
        slow, silent = self._settings.stream_slow_seconds, self._settings.stream_keep_alive_seconds
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = asyncio.get_running_loop().time()
            for done, stream in enumerate(list(self._open), 1):
                if stream.waiting:
                    if stream.touched < now - slow:
                        stream.abort()
                elif stream.touched < now - silent:
                    stream.write(COMMENT)
                if done % AT_ONCE == 0:
                    await asyncio.sleep(0)
