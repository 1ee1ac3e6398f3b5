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
        """Begins an empty body of a request that the front receives; `most` is its longest length in bytes."""
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
        """Adds bytes from the connection to the body of a request, as far as it may be kept."""
        self.size += len(part)
        room = self._most + 1 - len(self.data)
        if room > 0:
            self.data += part[:room]
        if self.size > self._read_out:
            self._wake()

    def end(self) -> None:
        """Marks a request's body as completely received from its connection."""
        self.whole = True
        self._wake()

    def give_up(self) -> None:
        """Marks a request's body as timed out on its way into the front."""
        self.late = True
        self.data.clear()
        self._wake()

    def lose(self) -> None:
        """Marks a request's body as lost: its connection never brings the rest."""
        self.broken = True
        self._wake()

    def is_wanted(self, announced: int | None) -> bool:
        """Whether the front reads more of a body before it responds; `announced` is its length, if known."""
        if self.whole or self.late or self.broken or self.size > self._read_out:
            return False
        return announced is None or announced <= self._read_out

    async def changed(self) -> None:
        """Waits in the front until a request's body is complete, too long, timed out or lost."""
        self._changed = asyncio.get_running_loop().create_future()
        try:
            await self._changed
        finally:
            self._changed = None

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)
