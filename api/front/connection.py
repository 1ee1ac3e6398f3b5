"""One connection: reads requests one after the other, and sends the responses.

httptools parses. All limits on the size of requests, and on the time to send one or read a response, are here. The
reasons are in `docs/decisions/001-http-server-and-front.md`.
"""

import asyncio
import contextlib
import fcntl
import logging
import math
import re
import socket
import struct
import sys
import termios
import time
from collections import deque
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, Final, Protocol

import httptools

from api.front.bare import bare_problem
from api.front.body import ArrivingBody, Gone
from api.front.bridge import Answered
from api.front.head import (
    MOST_FIELDS,
    MOST_HEAD_BYTES,
    REQUEST,
    HeaderFields,
    Heads,
    NotTaken,
    ServerAddress,
    request_id,
)
from games.messages import Message

HEAD_SECONDS: Final = 20.0
"""How long the head of a request may take, and how long a new connection may stay silent."""
BODY_SECONDS: Final = 10.0
"""How long a body may take to arrive."""
IDLE_SECONDS: Final = 75.0
"""How long a connection may stay idle after a response."""
WRITE_SECONDS: Final = 30.0
"""How long a client may take to read a response, plus a second for each `SLOWEST` bytes of it."""
SLOWEST: Final = 32 * 1024
LEAVE_SECONDS: Final = 2.0
"""How long to drain what a client still sends after the last response, so that it can read the response."""
MOST_LEFT: Final = 1 << 20
KERNEL_BYTES: Final = 64 * 1024
"""The kernel's send buffer; by default it takes megabytes for each client that does not read."""
MOST_UNREAD: Final = 16 * 1024
"""Bytes that may arrive while a request is handled, before reading from the connection pauses."""
PIECE: Final = 4096
"""Bytes parsed at a time; every 18 of them may hold a request."""
MOST_FRAMING: Final = 16 * 1024
"""Bytes of overhead allowed in a chunked body: chunk extensions and trailers."""
REQUEST_BYTES: Final = 1000
"""Memory of a request that waits for an earlier one on its connection; the shortest takes 740 bytes."""

_METHOD: Final = re.compile(rb"[\r\n]*([A-Z-]{1,30})(?= )")  # no small letters: werkzeug takes `get` for GET
_STAND_IN: Final = b"UNLINK"
"""A method that the parser knows and no path supports: it stands for those that the parser does not know."""
_RESET: Final = struct.pack("ii", 1, 0)
_TOO_MANY_FIELDS: Final = ("malformed_request", Message("detail.too_many_fields", {"most": MOST_FIELDS}))

log = logging.getLogger(__name__)


class Handler(Protocol):
    """Handles requests."""

    heads: Heads

    def most_body(self, environ: dict[str, Any]) -> int:
        """Returns how long the body of a request may be, in bytes, when it arrives on a connection."""

    async def answer(self, request: "Request") -> None:
        """Responds to a request that a connection has parsed; without a response the connection is closed."""


class Request:
    """A request whose head has arrived."""

    __slots__ = ("answered", "begun", "body", "connection", "environ", "keep", "receiving")

    def __init__(self, connection: "Connection", environ: dict[str, Any], body: ArrivingBody, *, keep: bool) -> None:
        self.connection = connection
        self.environ = environ
        self.body = body
        self.keep = keep
        """Whether another request may follow on the connection."""
        self.receiving = False
        self.answered = False
        self.begun = time.perf_counter()


class Connection(asyncio.Protocol):
    """A connection. Use it from one event loop only."""

    transport: asyncio.Transport

    def __init__(self, handler: Handler, everybody: "set[Connection]") -> None:
        """Makes a client's connection that feeds requests to a handler; `everybody` holds all open connections."""
        self._handler = handler
        self._everybody = everybody
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._server: ServerAddress = ("", 0)
        self.client = ""
        self._unread = bytearray()
        self._queue: deque[Request] = deque()
        """The requests whose heads have arrived; the first is being handled."""
        self._task: asyncio.Task[None] | None = None
        self._incoming: Request | None = None
        """The request whose body is being parsed."""
        self._refusal: tuple[str, Message] | None = None
        """The refusal to send after all earlier responses; parsing has stopped."""
        self._in_head = False
        self._target = b""
        self._fields: HeaderFields = []
        self._head_bytes = self._framing_bytes = self._chunked_bytes = self._left_bytes = 0
        self._until = math.inf
        """When the current timeout expires."""
        self._write_until = math.inf
        self._full = self._paused = self._leaving = self._stopping = self._half_closed = False
        self._gone: asyncio.Future[None] | None = None

    # --- called by the event loop ---

    def connection_made(self, transport: Any) -> None:
        """Starts the timeout for the first request of a client's new connection."""
        self.transport = transport
        self._everybody.add(self)
        self._server = (transport.get_extra_info("sockname") or ("", 0))[:2]
        self.client = (transport.get_extra_info("peername") or ("",))[0]
        made = transport.get_extra_info("socket")
        with contextlib.suppress(OSError, ValueError, AttributeError):  # it may be closed already, or is not TCP
            made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        bear(transport, WRITE_SECONDS)
        self._until = self._loop.time() + HEAD_SECONDS

    def data_received(self, data: bytes) -> None:
        """Parses bytes received on a client's connection."""
        if self._leaving or self._refusal is not None:
            self._left_bytes += len(data)
            if self._left_bytes > MOST_LEFT:
                self.transport.abort()
            return
        self._unread += data
        self._parse()

    def eof_received(self) -> bool:
        """Responds to a connection's last requests; ends waits and streams, as a closed one looks the same."""
        self._half_closed = True
        self._hang_up()
        if not self._queue or self._leaving:
            return False
        if self._queue[0].receiving:
            self._queue[0].body.lose()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Releases everything that a client's lost connection holds."""
        self._everybody.discard(self)
        self._leaving = True
        self._hang_up()
        for request in self._queue:
            request.body.lose()
        self._unread.clear()
        while len(self._queue) > 1:  # the first may be handled for long yet
            self._queue.pop()
        self._full = False

    def pause_writing(self) -> None:
        """Starts no further response while too much output is buffered on a client's connection."""
        self._full = True

    def resume_writing(self) -> None:
        """Continues with the next response on a client's connection when its buffer has room."""
        self._full = False
        if self._task is None:
            self._go_on()

    # --- called by the server ---

    @property
    def held(self) -> int:
        """How many bytes of memory a client's connection holds, roughly."""
        unsent = self.transport.get_write_buffer_size()
        return unsent + len(self._unread) + self._head_bytes + REQUEST_BYTES * len(self._queue)

    def enforce_timeouts(self, now: float) -> None:
        """Ends what has taken too long on a client's connection, by the clock of its event loop."""
        if not self.transport.get_write_buffer_size():
            self._write_until = math.inf
        elif now > self._write_until:
            self.cut()
        if now <= self._until:
            return
        self._until = math.inf
        if self._leaving:
            self.transport.abort()
        elif self._queue:
            if self._queue[0].receiving:  # or it is whole, and waits for the client to read an earlier response
                self._queue[0].body.give_up()
        elif self._in_head:
            self._refuse("request_timeout", Message("detail.head_late"))
        else:
            self._leave()

    @property
    def is_idle(self) -> bool:
        """Whether a client's connection has no request that is being handled."""
        return not self._queue

    @property
    def can_make_room(self) -> bool:
        """Whether a client's connection would begin to close at once, were it stopped for a new one."""
        return not self._queue and not self._leaving

    def stop(self) -> None:
        """Closes a client's connection after the outstanding responses."""
        self._stopping = True
        if not self._queue:
            self._leave()

    def cut(self) -> None:
        """Ends a client's connection at once."""
        cut(self.transport)

    def cancel(self) -> None:
        """Cancels a response that takes too long on a client's connection when the server stops."""
        if self._task is not None:
            self._task.cancel()

    # --- called by the front ---

    async def receive(self, request: Request) -> None:
        """Reads the rest of the body of a connection's current request.

        Raises:
            Gone: the client has disconnected before its end, or the body is invalid.
        """
        body, announced = request.body, request.environ.get("CONTENT_LENGTH")
        if body.is_wanted(int(announced) if announced is not None else None):
            request.receiving = True
            if request.environ.get("HTTP_EXPECT", "").lower() == "100-continue":
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._until = self._loop.time() + BODY_SECONDS
            self._parse()
            if self._half_closed and not body.whole:
                body.lose()
            if not body.whole and not body.broken:
                await body.changed()
            request.receiving = False
        if body.broken:
            raise Gone

    def send(self, request: Request, answered: Answered, *, last: bool = False) -> None:
        """Sends a whole response on its connection, which is closed after the `last` one."""
        self._until = math.inf
        last = last or self._stopping or not (request.keep and request.body.whole)
        parts = _head(answered.status, answered.fields, request.environ[REQUEST], close=last)
        bodiless = request.environ["REQUEST_METHOD"] == "HEAD" or answered.status in (204, 304)
        if not (bodiless or LENGTH in answered.fields):
            parts.append(b"%b%d" % (LENGTH, len(answered.data)))
        parts += (END_OF_HEAD,) if bodiless else (END_OF_HEAD, answered.data)
        request.answered = True
        self._write(b"".join(parts))
        if last:
            self._leave()

    def begin(self, request: Request, answered: Answered, slow: float) -> None:
        """Starts a response with a chunked body on its connection, for a stream cut off after `slow` seconds."""
        # The service, which looks once a second, is first and counts it.
        bear(self.transport, max(WRITE_SECONDS, slow + 2))
        fields = re.sub(LENGTH + rb"\d+", b"", answered.fields)
        self._until = self._write_until = math.inf
        head = _head(answered.status, fields, request.environ[REQUEST], close=not request.keep)
        request.answered = True
        self.transport.write(b"".join([*head, b"\r\ntransfer-encoding: chunked", END_OF_HEAD]))
        self.transport.write(b"%x\r\n%b\r\n" % (len(answered.data), answered.data))

    def finish(self, request: Request) -> None:
        """Ends the chunked body of a stream's response on its connection."""
        bear(self.transport, time.perf_counter() - request.begun + WRITE_SECONDS)  # what is left may be read slowly
        self._write(b"0\r\n\r\n")
        if self._stopping or not request.keep:
            self._leave()

    def hung_up(self) -> "asyncio.Future[None]":
        """Returns a future that is done when a connection's client has disconnected."""
        if self._gone is None:
            self._gone = self._loop.create_future()
            if self._half_closed or self.transport.is_closing():
                self._gone.set_result(None)
        return self._gone

    # --- called by the parser ---

    def on_message_begin(self) -> None:
        """Starts the timeout for the head of a request, as the connection's HTTP parser asks."""
        self._in_head = True
        self._target, self._fields = b"", []
        self._head_bytes = self._framing_bytes = self._chunked_bytes = 0
        if not self._queue:
            self._until = self._loop.time() + HEAD_SECONDS

    def on_url(self, part: bytes) -> None:
        """Adds a part of the request target, found by the connection's HTTP parser."""
        self._target += part

    def on_header(self, name: bytes, value: bytes) -> None:
        """Adds a header found by the connection's HTTP parser; drops trailers, which would count as headers."""
        if self._in_head and len(self._fields) <= MOST_FIELDS:
            self._fields.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Creates a connection's next request from its parsed head."""
        self._in_head = False
        if self._refusal is not None or self._parser.should_upgrade():
            return
        if len(self._fields) > MOST_FIELDS:
            self._refusal = _TOO_MANY_FIELDS
            return
        method, version = self._parser.get_method().decode("ascii"), self._parser.get_http_version()
        heads = self._handler.heads
        try:
            environ = heads.environ(method, self._target, version, self._fields, self._server, self.client)
        except NotTaken as fault:
            self._refusal = "malformed_request", fault.message
            return
        keep = version != "1.0" and self._parser.should_keep_alive()
        self._incoming = Request(self, environ, ArrivingBody(self._handler.most_body(environ)), keep=keep)
        self._queue.append(self._incoming)

    def on_body(self, part: bytes) -> None:
        """Adds a part of the request's body, found by the connection's HTTP parser."""
        self._framing_bytes = 0
        if self._incoming is not None:
            self._incoming.body.take(part)

    def on_message_complete(self) -> None:
        """Marks a request's body as complete, as the connection's HTTP parser says."""
        if self._incoming is not None:
            self._incoming.body.end()
            self._incoming = None

    # --- in turn ---

    def _parse(self) -> None:
        """Parses the bytes received on a connection, up to the next complete request."""
        while self._unread and self._wants_more():
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            self._feed(piece)
            if self._refusal is not None:
                self._unread.clear()
                if self._incoming is not None:
                    self._incoming.body.lose()
                    self._incoming = None
        self._pace()
        if self._task is None:
            self._go_on()

    def _wants_more(self) -> bool:
        if self._refusal is not None or self._leaving:
            return False
        return not self._queue or (self._queue[0].receiving and not self._queue[0].body.whole)

    def _feed(self, piece: bytes) -> None:
        try:
            self._parser.feed_data(piece)
        except httptools.HttpParserUpgrade as offered:
            self._decline(piece[offered.args[0] :])
        except httptools.HttpParserError as error:
            if isinstance(error, httptools.HttpParserInvalidMethodError) and self._take_unknown_method(piece):
                return
            if self._refusal is None and (not self._queue or self._queue[-1].keep or self._incoming is not None):
                self._refusal = "malformed_request", Message("detail.not_http")
        if self._in_head:
            self._head_bytes += len(piece)
            if self._head_bytes > MOST_HEAD_BYTES:
                self._refusal = "malformed_request", Message("detail.head_too_long")
        elif self._incoming is not None:
            self._framing_bytes += len(piece)
            self._chunked_bytes += len(piece)
            in_chunks = self._chunked_bytes - 2 * self._incoming.body.size
            if max(self._framing_bytes, in_chunks - MOST_HEAD_BYTES) > MOST_FRAMING + PIECE:
                self._refusal = "malformed_request", Message("detail.framing_too_long")

    def _take_unknown_method(self, piece: bytes) -> bool:
        """Parses a request again whose method the parser does not know, so that its path refuses the method.

        A 405 with `Allow` says more than the 501 that RFC 9110 suggests. The head must have arrived at once, and not
        behind another request, also not an invalid one. Returns whether it has.
        """
        named = _METHOD.match(piece)
        is_first = not self._queue and self._refusal is None and not self._head_bytes
        if named is None or not is_first or b"\r\n\r\n" not in piece:
            return False
        self._parser = httptools.HttpRequestParser(self)
        self._feed(_STAND_IN + piece[named.end() :])
        if self._queue:
            self._queue[0].environ["REQUEST_METHOD"] = named[1].decode("ascii")
        return True

    def _decline(self, behind_head: bytes) -> None:
        """Parses a request again without its `Upgrade` header, which is how a server declines another protocol.

        The parser stops after the head of a request with that header, and would skip its body.
        """
        if len(self._fields) > MOST_FIELDS:  # a dropped field may be the length of the body
            self._refusal = _TOO_MANY_FIELDS
            return
        kept = [(name, value) for name, value in self._fields if name != b"upgrade"]
        if len(kept) == len(self._fields):  # CONNECT, which has no alternative
            self._refusal = "malformed_request", Message("detail.not_http")
            return
        version = self._parser.get_http_version().encode()
        head = [self._parser.get_method(), b" ", self._target, b" HTTP/", version, b"\r\n"]
        for name, value in kept:
            head += [name, b": ", value, b"\r\n"]
        self._parser = httptools.HttpRequestParser(self)
        self._unread[:0] = b"".join([*head, b"\r\n", behind_head])

    def _pace(self) -> None:
        """Pauses reading from a client's connection while enough data is buffered."""
        enough = len(self._unread) > MOST_UNREAD
        if enough != self._paused and not self.transport.is_closing():
            self._paused = enough
            if enough:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    def _go_on(self) -> None:
        """Handles a connection's next request; when there is none, sends the refusal or closes, if due."""
        if self._full or self._leaving:
            return
        if self._queue:
            self._until = math.inf
            self._task = self._loop.create_task(self._run(self._queue[0]))
        elif self._refusal is not None:
            self._refuse(*self._refusal)
        elif self._stopping or self._half_closed:
            self._leave()

    async def _run(self, request: Request) -> None:
        try:
            await self._handler.answer(request)
        except Exception:
            log.exception("a request has failed before the application")
        finally:
            self._task = None
            self._ended(request)

    def _ended(self, request: Request) -> None:
        """Continues on a connection after a finished request."""
        self._queue.popleft()
        if self._leaving:
            return
        if not request.answered and self._refusal is None:
            self._leave()
            return
        self._until = self._loop.time() + (HEAD_SECONDS if self._in_head else IDLE_SECONDS)
        if self._unread or self._paused:
            self._parse()
        else:
            self._go_on()

    # --- answering ---

    def _write(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self._write_until = self._loop.time() + WRITE_SECONDS + len(data) / SLOWEST
            self.transport.write(data)

    def _refuse(self, code: str, detail: Message) -> None:
        """Stops reading from a client's connection and responds with the reason."""
        refused = bare_problem(code, detail)
        self._refusal = code, detail
        head = _head(refused.status, refused.fields, request_id(), close=True)
        self._write(b"".join([*head, END_OF_HEAD, refused.data]))
        self._leave()

    def _leave(self) -> None:
        """Closes a connection once everything is sent and the client has had time to read it."""
        if self._leaving:
            return
        self._leaving = True
        self._until = math.inf
        self._unread.clear()
        unfinished = self._incoming is not None or self._refusal is not None
        if unfinished and not self._half_closed and self.transport.can_write_eof():
            # Closing with unread data resets the connection, and the client would lose the response.
            self._until = self._loop.time() + LEAVE_SECONDS
            self._pace()
            self.transport.write_eof()
        else:
            self.transport.close()

    def _hang_up(self) -> None:
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)


def cut(transport: Any) -> None:
    """Ends a connection at once, and drops what the kernel still holds for its client."""
    made = transport.get_extra_info("socket")
    if made is not None:
        with contextlib.suppress(OSError, ValueError):  # it may be closed already
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    transport.abort()


def bear(transport: Any, seconds: float) -> None:
    """Sets how long the kernel keeps a connection whose client reads nothing.

    Only this limits the data in the kernel's buffer, which stays even after the connection has ended. Linux counts from
    when the client first had no room, even if it has read a little since.
    """
    made = transport.get_extra_info("socket")
    milliseconds = min(int(seconds * 1000), 2**31 - 1)  # which a stream exceeds after some weeks
    with contextlib.suppress(OSError, ValueError, AttributeError):  # it may be closed already, or is not TCP
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)


def unread(transport: Any) -> int:
    """Returns how many bytes sent on a connection its client has not taken yet; on Linux with those in the kernel."""
    size: int = transport.get_write_buffer_size()
    made = transport.get_extra_info("socket")
    if made is not None:
        with contextlib.suppress(OSError, ValueError):  # it may be closed already
            size += int.from_bytes(fcntl.ioctl(made.fileno(), termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    return size


_LINES: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}".encode() for status in HTTPStatus if status >= 200
}
LENGTH: Final = b"\r\ncontent-length: "
END_OF_HEAD: Final = b"\r\n\r\n"
_date: tuple[int, bytes] = (0, b"")


def _head(status: int, fields: bytes, request: str, *, close: bool) -> list[bytes]:
    """Returns the parts of a response's head for a connection; each field has the end of the line before it."""
    global _date
    now = int(time.time())
    if now != _date[0]:
        _date = now, b"\r\ndate: %b\r\nx-request-id: " % formatdate(now, usegmt=True).encode()
    parts = [_LINES[status], _date[1], request.encode(), fields]
    if close and b"\r\nconnection: " not in fields:
        parts.append(b"\r\nconnection: close")
    return parts
