"""Bounds what uvicorn leaves open: the size of a head and its time, trailers, requests sent ahead of answers."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES: Final = 64 * 1024
"""How much may come without a whole head or a part of a body. One more reading of the connection may come with it."""
MOST_HEADERS: Final = 100
MOST_QUEUED: Final = 16
"""How many requests may wait behind the one that is being answered."""
MOST_UNSENT: Final = 16 * 1024
"""In bytes: with uvicorn's 64 KiB, a stream would notice later that its client does not read."""
HEAD_SECONDS: Final = 20.0


class Guarded(HttpToolsProtocol):
    """uvicorn's connection, which is cut off when a client exceeds a bound."""

    _unparsed = 0
    _in_head = True
    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Starts the time for the first head."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(MOST_UNSENT)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the time for a head."""
        self._stop_awaiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Counts what comes, as the parser keeps a header to itself until it is whole; starts the time for a head."""
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > MOST_HEAD_BYTES:
            self.transport.abort()
        elif self._in_head and self._until is None:
            self._await_head()

    def on_message_begin(self) -> None:
        """Begins a head."""
        self._in_head = True
        if len(self.pipeline) >= MOST_QUEUED:
            self.transport.abort()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Ends a head."""
        self._in_head, self._unparsed = False, 0
        self._stop_awaiting()
        if len(self.headers) > MOST_HEADERS:
            self.transport.abort()
        if not self.transport.is_closing():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Takes a part of a body."""
        self._unparsed = 0
        super().on_body(body)

    def _await_head(self) -> None:
        self._until = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_awaiting(self) -> None:
        if self._until is not None:
            self._until.cancel()
            self._until = None
