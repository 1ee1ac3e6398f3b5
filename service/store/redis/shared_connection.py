"""One pipelined connection to Redis for all calls that are under way on an event loop (decision 033).

What calls send in one turn of the loop is written at once. Replies come in the order of the commands. A connection that
breaks, or a Redis that does not answer in time, fails exactly the calls that wait for replies.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Final

import hiredis
import redis.asyncio
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.store.redis.greenlets import CallGreenlet

STOPS: Final = "the process stops"
LOOK_SECONDS: Final = 0.25
"""How often to look whether a reply is overdue."""
AGAIN_SECONDS: Final = 1.0
"""How long to keep a connection to a server that turns out to be a replica."""
_KINDS: Final = {
    redis.Connection: redis.asyncio.Connection,
    redis.SSLConnection: redis.asyncio.SSLConnection,
    redis.UnixDomainSocketConnection: redis.asyncio.UnixDomainSocketConnection,
}
"""redis-py's connections for event loops, by those for threads."""
_OF_THREADS: Final = frozenset({"retry", "himport_registry", "redis_connect_func"})
"""Options that only connections for threads take."""


def loop_connection(pool: redis.ConnectionPool, **more: Any) -> Any:
    """Returns redis-py's connection for an event loop to where a pool's connections lead, which is not open yet."""
    options = {name: value for name, value in pool.connection_kwargs.items() if name not in _OF_THREADS}
    options |= {"driver_info": None, **more}  # without `CLIENT SETINFO`
    return _KINDS[pool.connection_class](**options)


class PendingReplies:
    """What a call has asked for on a connection, and in the end the replies, or why there are none."""

    __slots__ = ("_call", "_is_waited_for", "count", "error", "received", "until")

    def __init__(self, call: CallGreenlet, count: int, until: float) -> None:
        self._call = call
        self.received: list[Any] = []
        """The replies so far."""
        self._is_waited_for = False
        self.count = count
        self.until = until
        self.error: RedisError | None = None

    def replies(self) -> list[Any]:
        """Returns a reply of Redis or an error for each command; the call gives way until they are there.

        Raises:
            redis.ConnectionError, redis.TimeoutError: it is unknown which of the commands were executed.
        """
        while self.error is None and len(self.received) < self.count:
            self._is_waited_for = True
            self._call.wait()
            self._is_waited_for = False
        if self.error is not None:
            raise self.error
        return self.received

    def wake(self) -> None:
        """Resumes the call that waits for these replies of Redis, unless it waits for another connection."""
        if self._is_waited_for:
            self._call.switch()


class SharedConnection:
    """A connection that is made when it is needed, for the calls of one event loop at a time."""

    MORE_REPLIES = 0
    """How many replies a call gets beyond those to its commands."""

    def __init__(self, client: "redis.Redis", connect_seconds: float, answer_seconds: float) -> None:
        """`client` is redis-py's, which says where Redis is and how it is reached."""
        self._pool = client.connection_pool
        self._connect_seconds = connect_seconds
        self._answer_seconds = answer_seconds
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: _Connection | None = None
        self._opening: asyncio.Task[None] | None = None
        self._out: list[bytes] = []
        self._waiting: deque[PendingReplies] = deque()
        self._looking = False
        self._is_closed = False

    def send(self, call: CallGreenlet, commands: Sequence[tuple[Any, ...]]) -> PendingReplies:
        """Sends commands to Redis, at least one, for a call at the end of this turn of the event loop.

        Raises:
            redis.ConnectionError: the loop has closed the connection; nothing is sent.
        """
        loop = call.loop
        if self._loop is not loop:
            self._loop, self._connection, self._opening, self._looking = loop, None, None, False
            self._out, self._waiting, self._is_closed = [], deque(), False
        if self._is_closed:
            raise RedisConnectionError(STOPS)
        if not self._out and self._connection is not None:
            loop.call_soon(self._flush)
        pending = PendingReplies(call, len(commands) + self.MORE_REPLIES, loop.time() + self._answer_seconds)
        self._out.append(b"".join(map(hiredis.pack_command, commands)))
        self._waiting.append(pending)
        if self._connection is None and self._opening is None:
            self._opening = loop.create_task(self._open(loop))
        if not self._looking:
            self._looking = True
            loop.call_later(LOOK_SECONDS, self._look, loop)
        return pending

    def close(self) -> None:
        """Closes the connection to Redis for the rest of the loop's life; calls that still wait get an error."""
        self._is_closed = True  # first, because who is told may ask again
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None
        self.fail(RedisConnectionError, STOPS)

    async def _open(self, loop: asyncio.AbstractEventLoop) -> None:
        opened = loop_connection(self._pool)
        try:
            async with asyncio.timeout(self._connect_seconds):
                await opened.connect()
        except asyncio.CancelledError:
            await opened.disconnect(nowait=True)
            raise
        except (OSError, TimeoutError, RedisError) as error:
            self._opening = None
            await opened.disconnect(nowait=True)
            # A TimeoutError has no text.
            self.fail(RedisConnectionError, f"cannot connect to Redis: {str(error) or 'no answer in time'}")
            return
        self._opening, self._connection = None, _Connection(self, opened)
        self._flush()

    def _flush(self) -> None:
        if self._connection is not None and self._out and not self._connection.is_demoted:
            data, self._out = b"".join(self._out), []
            self._connection.transport.write(data)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Looks whether a reply of Redis is overdue, as long as calls wait."""
        if self._loop is not loop:
            return
        self._looking = bool(self._waiting)
        if not self._looking:
            return
        if self._waiting[0].until < loop.time():
            self.fail(RedisTimeoutError, "Redis does not answer")
        loop.call_later(LOOK_SECONDS, self._look, loop)

    def take(self, connection: "_Connection") -> None:
        """Takes the replies that have come on a connection to Redis."""
        if connection is not self._connection:
            return
        gets, waiting, done = connection.reader.gets, self._waiting, []
        try:
            while waiting and (reply := gets()) is not False:
                first = waiting[0]
                received = first.received
                received.append(reply)
                if len(received) == first.count:
                    done.append(waiting.popleft())
        finally:  # what cannot be read ends the connection, which fails those that wait for more
            for pending in done:
                pending.wake()
        self._leave_replica(connection)

    def _leave_replica(self, connection: "_Connection") -> None:
        """Reconnects once a Redis that is now a replica has sent all its replies; nothing more is sent to it.

        The same address may lead to the new primary.
        """
        if connection is self._connection and connection.is_demoted and len(self._waiting) == len(self._out):
            self._connection = None
            connection.abort()
            if self._waiting:
                loop = asyncio.get_running_loop()
                self._opening = loop.create_task(self._open(loop))

    def fail(self, kind: type[RedisError], why: str, connection: "_Connection | None" = None) -> None:
        """Fails all calls that wait for Redis, each with an error of its own, and drops the connection."""
        if connection is not None and connection is not self._connection:
            return  # an earlier one, which nobody waits for
        failed, self._waiting, self._out = self._waiting, deque(), []
        dropped, self._connection = self._connection, None
        if dropped is not None:
            dropped.abort()
        for pending in failed:
            pending.error = kind(why)
        for pending in failed:
            pending.wake()


class ConfirmingConnection(SharedConnection):
    """A connection whose calls wait for replicas in groups, because such a wait blocks its connection (decision 045).

    A flush ends with commands that wait, and each call of the flush gets the reply of the last one as the last of its
    own. What is asked meanwhile goes with the next flush.
    """

    MORE_REPLIES = 1
    waits: tuple[tuple[Any, ...], ...] = ()
    """The commands that end a flush."""

    def _flush(self) -> None:
        connection = self._connection
        if connection is None or connection.group or not self._out or connection.is_demoted:
            return
        connection.group = len(self._waiting)
        connection.expected.extend(pending for one in self._waiting for pending in repeat(one, one.count - 1))
        connection.expected.extend([None] * (len(self.waits) - 1))
        data, self._out = b"".join([*self._out, *map(hiredis.pack_command, self.waits)]), []
        connection.transport.write(data)

    def take(self, connection: "_Connection") -> None:
        """Takes the replies that have come on a connection to Redis on which calls wait for replicas."""
        while connection is self._connection and connection.group and (reply := connection.reader.gets()) is not False:
            if connection.expected:
                if (one := connection.expected.popleft()) is not None:
                    one.received.append(reply)
                continue
            done = [self._waiting.popleft() for _ in range(connection.group)]
            connection.group = 0
            for pending in done:
                pending.received.append(reply)
            self._flush()
            for pending in done:
                pending.wake()
        self._leave_replica(connection)


class _Connection(asyncio.Protocol):
    """One connection, which redis-py has opened, encrypted and logged in; what comes over it is read here."""

    def __init__(self, shared: SharedConnection, opened: Any) -> None:
        self._shared = shared
        # Its writer is kept: both would close the transport when they go.
        self._writer, opened._writer, opened._reader = opened._writer, None, None
        self.group = 0
        """How many calls wait for replicas together; of a `ConfirmingConnection` only, as is the next."""
        self.expected: deque[PendingReplies | None] = deque()
        """Whose the next replies are, before that of the last wait; None: nobody's."""
        self.reader = hiredis.Reader(replyError=self._refused)
        self.is_demoted = False
        """Whether the server has said that it is a replica, and the connection is not new."""
        self._again = asyncio.get_running_loop().time() + AGAIN_SECONDS
        self.transport = self._writer.transport
        self.transport.set_protocol(self)

    def data_received(self, data: bytes) -> None:
        self.reader.feed(data)
        self._shared.take(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._shared.fail(RedisConnectionError, "Redis has closed the connection", self)

    def abort(self) -> None:
        """Closes a connection to Redis at once."""
        self.transport.abort()

    def _refused(self, text: str) -> Exception:
        error: Exception = DefaultParser.parse_error(text)  # type: ignore[no-untyped-call]  # redis-py gives it no types
        if is_demoted(error) and asyncio.get_running_loop().time() >= self._again:
            self.is_demoted = True
        return error


def is_demoted(error: Exception) -> bool:
    """Returns whether an error says that a Redis is a replica, so that another may have become the primary."""
    # Before Redis 7, an error in a script has its code in the middle of the text.
    return isinstance(error, ReadOnlyError) or (isinstance(error, ResponseError) and "-READONLY" in str(error))
