"""One connection of the HTTP server: bounds on the head of a request, and problems for what is no request at all."""

import asyncio
import sys
from http import HTTPStatus
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.bare import bare_problem
from service.said import Said

HEAD_SECONDS: Final = 20.0
"""How long the head of a request may take, and how long a new connection may say nothing."""
MOST_HEAD_BYTES: Final = 64 * 1024


class Connection(HttpToolsProtocol):
    """A connection that does not wait for a request for ever, and that the front may write to."""

    _limit: asyncio.TimerHandle | None = None
    _in_head = False
    _head_bytes = 0
    _received = b""
    _again = b""

    def connection_made(self, transport: Any) -> None:
        """Begins with a limit on how long nothing may come."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(HEAD_SECONDS, self._too_late)

    def data_received(self, data: bytes) -> None:
        """Takes in what has come, unless it is a head without end."""
        while data:
            self._received, self._again = data, b""
            super().data_received(data)
            if self._in_head:
                self._head_bytes += len(data)
                if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
                    self._refuse("malformed_request", Said("detail.head_too_long"))
            self._received, data = b"", self._again

    def on_message_begin(self) -> None:
        """Limits the time for the head; the server's own limit ends with the first byte after an answer."""
        super().on_message_begin()
        self.scope["billet.connection"] = self  # type: ignore[typeddict-unknown-key]  # ours, beside those of ASGI
        self._in_head, self._head_bytes = True, 0
        if self._limit is None:
            self._limit = self.loop.call_later(HEAD_SECONDS, self._too_late)

    def on_headers_complete(self) -> None:
        """Ends the limits: the body has its own."""
        self._in_head = False
        self._unlimited()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the limits."""
        self._unlimited()
        super().connection_lost(exc)

    def _should_upgrade(self) -> bool:
        """Tells whether the client offers another protocol, as Java's does with every request."""
        return any(name == b"upgrade" for name, _ in self.headers)

    def handle_websocket_upgrade(self) -> None:
        """Has a request read again without the offer of another protocol, which is how a server declines it.

        The parser stops behind the head of a request with an offer and would leave out its body.
        """
        offered = sys.exception()
        assert isinstance(offered, httptools.HttpParserUpgrade)
        behind_head = offered.args[0]
        head = [self.parser.get_method(), b" ", self.url, b" HTTP/", self.parser.get_http_version().encode(), b"\r\n"]
        for name, value in self.headers:
            if name != b"upgrade":
                head += [name, b": ", value, b"\r\n"]
        self.parser = httptools.HttpRequestParser(self)
        self._again = b"".join([*head, b"\r\n", self._received[behind_head:]])

    def send_400_response(self, msg: str) -> None:
        """Says as a problem that something is not HTTP."""
        self._refuse("malformed_request", Said("detail.not_http"))

    def _refuse(self, code: str, detail: Said) -> None:
        self._unlimited()
        status, headers, body = bare_problem(code, detail)
        head = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()]
        head += [name + b": " + value + b"\r\n" for name, value in headers]
        if self._is_next():
            self.transport.write(b"".join([*head, b"\r\n", body]))
        self.transport.close()

    def _is_next(self) -> bool:
        """Whether an answer would be taken for that to what has come, and not for one to a request before or a part.

        A request that breaks off in its body gets no other answer from then on.
        """
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return True
        if not cycle.more_body or cycle.response_started or self.pipeline:
            return False
        cycle.disconnected = True
        return True

    def _too_late(self) -> None:
        if self._in_head:
            self._refuse("request_timeout", Said("detail.head_late"))
        else:
            self.transport.close()

    def _unlimited(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
