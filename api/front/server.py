"""Serves the front on a listening socket until a signal."""

import asyncio
import contextlib
import signal
import socket
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from api.front.connection import Connection
from api.front.front import Front

try:
    from uvloop import new_event_loop
except ImportError:  # not available on this system
    from asyncio import new_event_loop  # type: ignore[assignment]  # both make a loop

STOP_SECONDS = 3.0  # for requests in progress to finish
CANCEL_SECONDS = 1.0  # for longer ones to respond that they were cut short
BACKLOG = 2048
TICK_SECONDS = 1.0  # between two checks of the timeouts
MOST_CONNECTIONS = 8192  # of one process
LOOKED_AT = 64  # idle connections among which one to close is chosen
MOST_HELD = 256 << 20  # bytes that all connections hold together: unread responses, requests that wait


class Server:
    """A server of one process."""

    def __init__(self, front: Front, most: int = MOST_CONNECTIONS) -> None:
        """Makes the server of a front; `most` is the highest number of open connections."""
        self._front = front
        self._most = most
        self._asked = False
        self.connections: set[Connection] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()

    def run(self, listening: socket.socket) -> None:
        """Serves the front's connections until `stop`, lets requests in progress finish, and returns."""
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(self._serve(listening))

    def stop(self) -> None:
        """Asks the server of the front's connections to stop, from any thread."""
        self._asked = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self, listening: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        server = await self._loop.create_server(self._connected, sock=listening, backlog=BACKLOG)
        watching = self._loop.create_task(self._watch_connections())
        if not self._asked:
            await self._stopping.wait()
        server.close()
        await self._front.close()
        for connection in list(self.connections):
            connection.stop()
        await self._until(lambda: all(one.is_idle for one in self.connections), STOP_SECONDS)
        for connection in list(self.connections):
            connection.cancel()
        await self._until(lambda: not self.connections, CANCEL_SECONDS)
        watching.cancel()
        await self._front.end()

    def _connected(self) -> asyncio.Protocol:
        if len(self.connections) >= self._most and not self._make_room():
            return _Full()
        return Connection(self._front, self.connections)

    def _make_room(self) -> bool:
        """Closes an idle connection of the client with the most connections; returns whether there was one.

        It considers only some connections; otherwise each excess connection would cost a millisecond.
        """
        idle = list(islice((one for one in self.connections if one.can_make_room), LOOKED_AT))
        if not idle:
            return False
        held = Counter(one.client for one in idle)
        max(idle, key=lambda one: held[one.client]).stop()
        return True

    async def _watch_connections(self) -> None:
        held = 0
        while True:
            # While much is held, more comes too fast for whole seconds.
            await asyncio.sleep(TICK_SECONDS if held < MOST_HELD // 2 else TICK_SECONDS / 10)
            now = asyncio.get_running_loop().time()
            for one in list(self.connections):
                one.enforce_timeouts(now)
            held = self._shed({one: one.held for one in self.connections})

    def _shed(self, held: dict[Connection, int]) -> int:
        """Cuts connections while all hold too much, first those of the client with the most; returns what they hold."""
        rest = sum(held.values())
        if rest <= MOST_HELD:
            return rest
        clients: Counter[str] = Counter()
        for one, size in held.items():
            clients[one.client] += size
        for one in sorted(held, key=lambda one: (clients[one.client], held[one]), reverse=True):
            one.cut()
            rest -= held[one]
            if rest <= MOST_HELD:
                break
        return rest

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not done():
                    await asyncio.sleep(0.02)


class _Full(asyncio.Protocol):
    """A connection over the limit, closed at once."""

    def connection_made(self, transport: Any) -> None:
        transport.abort()


def serve(front: Front, listening: socket.socket, most_connections: int = MOST_CONNECTIONS) -> None:
    """Serves the front's connections until SIGINT or SIGTERM, lets requests in progress finish, and returns."""
    server = Server(front, most_connections)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.stop())
    server.run(listening)
