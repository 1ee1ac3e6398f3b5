"""Buffers the body of a request, up to one byte more than allowed, so that the reader notices when it is too long."""

import asyncio
from typing import Final

READ_OUT: Final = 1 << 20
"""Bytes read of a body that is too long, before the front responds and closes the connection."""


class Gone(Exception):
    """The client has disconnected, or has sent an invalid body."""


class ArrivingBody:
    """The received part of a request's body."""

    __slots__ = ("_changed", "_most", "_read_out", "broken", "data", "late", "size", "whole")

    def __init__(self, most: int) -> None:
        """`most` is the longest allowed body, in bytes."""
        self._most = most
        self._read_out = max(READ_OUT, most)
        self._changed: asyncio.Future[None] | None = None
        self.data = bytearray()
        self.size = 0
        """Bytes received, including those that were not kept."""
        self.whole = False
        """Whether the body has ended. If not, the connection cannot be reused after the response."""
        self.late = False
        self.broken = False

    def take(self, part: bytes) -> None:
        """Adds received bytes."""
        self.size += len(part)
        room = self._most + 1 - len(self.data)
        if room > 0:
            self.data += part[:room]
        if self.size > self._read_out:
            self._wake()

    def end(self) -> None:
        """Marks the body as complete."""
        self.whole = True
        self._wake()

    def give_up(self) -> None:
        """Marks the body as timed out."""
        self.late = True
        self.data.clear()
        self._wake()

    def lose(self) -> None:
        """Marks the body as lost: the rest never arrives."""
        self.broken = True
        self._wake()

    def is_wanted(self, announced: int | None) -> bool:
        """Whether to read more before responding; `announced` is the length of the body, if known."""
        if self.whole or self.late or self.broken or self.size > self._read_out:
            return False
        return announced is None or announced <= self._read_out

    async def changed(self) -> None:
        """Waits until the body is complete, too long, timed out or lost."""
        self._changed = asyncio.get_running_loop().create_future()
        try:
            await self._changed
        finally:
            self._changed = None

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)
