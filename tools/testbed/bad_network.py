"""A network that fails: an HTTP/1.1 proxy before an installation that cuts, delays, doubles and falls silent.

What befalls a request is drawn from a seed by rates, or ordered for one that is to come; what befell is counted. That a
server cannot be reached is no mishap of the network's: the connection is closed then, as it would be without it.
"""

import asyncio
import random
import threading
from asyncio import StreamReader, StreamWriter
from collections import Counter, deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import h11

DELAY_SECONDS = 0.3
"""The longest delay of a request, and of its answer."""
MOST_PIECES = 5
"""How many pieces of a stream come through at most before it is cut."""
READ_BYTES = 65536


class Mishap(StrEnum):
    """What may befall a request."""

    CUT_BEFORE = "cut before the request has gone on"
    CUT_AFTER = "cut as soon as it has gone on"
    LOSE_ANSWER = "cut when the answer is there, of which nothing comes back"
    CUT_AMID = "cut in the middle of the answer"
    DELAY = "delayed, both ways"
    SILENCE = "passed on, and never a word again"
    TWICE_FIRST = "passed on twice, one after the other; the first answer comes back"
    TWICE_SECOND = "passed on twice, one after the other; the second answer comes back"
    TWICE_AT_ONCE = "passed on twice at the same time; either answer comes back"


TWICE = (Mishap.TWICE_FIRST, Mishap.TWICE_SECOND, Mishap.TWICE_AT_ONCE)
"""What befalls only calls that change something."""
CHANGING = (b"POST", b"DELETE")
ROUGH = dict.fromkeys(Mishap, 0.02) | {Mishap.DELAY: 0.1, Mishap.SILENCE: 0.003}
"""The share of requests that each mishap befalls on a bad day."""


class Cut(Exception):
    """The connection to the client is to be cut."""


@dataclass(frozen=True)
class Message:
    """A whole request or a whole answer."""

    head: Any
    """What h11 has read: an `h11.Request` or an `h11.Response`."""
    body: bytes

    def events(self) -> list[h11.Event]:
        """Returns the message as h11 sends it."""
        return [self.head, *([h11.Data(data=self.body)] if self.body else []), h11.EndOfMessage()]


class Side:
    """The connection to one side, the client or the server."""

    def __init__(self, role: Any, reader: StreamReader, writer: StreamWriter) -> None:
        self.http = h11.Connection(role, max_incomplete_event_size=READ_BYTES)
        self.reader, self.writer = reader, writer

    async def fill(self) -> bool:
        """Takes in what comes next; whether the other side is still there."""
        data = await self.reader.read(READ_BYTES)
        self.http.receive_data(data)
        return bool(data)

    async def event(self) -> Any:
        """Returns the next event, once it has come."""
        while (event := self.http.next_event()) is h11.NEED_DATA:
            await self.fill()
        return event

    async def message(self) -> Message | None:
        """The next whole message; None if the other side has hung up instead."""
        head = await self.event()
        if isinstance(head, h11.ConnectionClosed):
            return None
        body = b""
        while isinstance(event := await self.event(), h11.Data):
            body += event.data
        assert isinstance(event, h11.EndOfMessage), event
        return Message(head, body)

    async def send(self, *events: Any) -> None:
        """Sends events."""
        self.writer.write(b"".join(self.http.send(event) or b"" for event in events))
        await self.writer.drain()

    async def send_half(self, data: h11.Data) -> None:
        """Sends the first half of what is due, so that whoever reads it waits for the rest."""
        raw = self.http.send(data)
        self.writer.write(raw[: len(raw) // 2])
        await self.writer.drain()

    def is_open(self) -> bool:
        """Whether another message may follow on this connection."""
        if self.http.our_state is not h11.DONE or self.http.their_state is not h11.DONE:
            return False
        self.http.start_next_cycle()
        return True


class BadNetwork:
    """The way to an installation at a port of this machine: `port` and `base` take the place of its own."""

    def __init__(self, port: int, rates: Any = None, seed: int | None = None, without: Any = ()) -> None:
        """`rates` are shares of requests by mishap; `without` are headers, in lower case, that get lost on the way."""
        self._port = port
        self._random = random.Random(seed)
        self._without = {name.encode() for name in without}
        self._orders: deque[tuple[Mishap, str]] = deque()
        self._failures: list[Exception] = []
        self.rates = dict(rates or {})
        self.requests = 0
        self.befell: Counter[Mishap] = Counter()
        self._started = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(),))
        self._thread.start()
        self._started.wait()

    def order(self, mishap: Mishap, call: str) -> None:
        """Lets a mishap befall the next request whose method and path end with a text."""
        self._orders.append((mishap, call))

    def heal(self) -> None:
        """Lets nothing befall any request from now on, and breaks every silence."""
        self.rates = {}
        self._loop.call_soon_threadsafe(self._healed.set)

    def cut_off(self) -> None:
        """Cuts everything and lets nothing through any more."""
        self.rates = {Mishap.CUT_BEFORE: 1}
        self._loop.call_soon_threadsafe(self._cut_all)

    def close(self) -> None:
        """Cuts everything and ends; raises what went wrong here and not on the way."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)
        if self._failures:
            raise self._failures[0]
        assert not self._orders, f"never came: {list(self._orders)}"

    # --- connections ---

    async def _run(self) -> None:
        self._loop, self._over, self._healed = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        self._connections: set[Any] = set()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._started.set()
        await self._over.wait()
        server.close()
        self._cut_all()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _cut_all(self) -> None:
        for connection in self._connections:
            connection.cancel()

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._connections.add(asyncio.current_task())
        try:
            await self._serve(Side(h11.SERVER, reader, writer))
        except (Cut, OSError, h11.RemoteProtocolError, asyncio.CancelledError):
            pass
        except Exception as failure:
            self._failures.append(failure)
        finally:
            self._connections.discard(asyncio.current_task())
            writer.close()

    async def _serve(self, client: Any) -> None:
        while (request := await client.message()) is not None:
            self.requests += 1
            await while_there(client, self._pass(request, client))
            if not client.is_open():
                return

    # --- what befalls a request ---

    def _fate(self, request: Message) -> Mishap | None:
        call = f"{request.head.method.decode()} {request.head.target.decode()}"
        for order in self._orders:
            if call.endswith(order[1]):
                self._orders.remove(order)
                return order[0]
        changes = request.head.method in CHANGING
        drawn = self._random.random()
        for mishap, rate in self.rates.items():
            drawn -= rate
            if drawn < 0:
                return mishap if changes or mishap not in TWICE else None
        return None

    async def _pass(self, request: Any, client: Any) -> None:
        request = self._thinned(request)
        fate = self._fate(request)
        if fate is not None:
            self.befell[fate] += 1
        if fate is Mishap.CUT_BEFORE:
            raise Cut
        if fate in TWICE:
            await client.send(*(await self._twice(request, fate)).events())
            return
        if fate is Mishap.DELAY:
            await self._pause()
        server = await self._connect()
        try:
            await server.send(*request.events())
            if fate is Mishap.CUT_AFTER:
                raise Cut
            if fate is Mishap.SILENCE:
                await self._healed.wait()
                raise Cut
            await self._answer(server, client, fate)
        finally:
            server.writer.close()

    async def _answer(self, server: Any, client: Any, fate: Any) -> None:
        """Passes on the answer piece by piece, as far as it comes."""
        head = await server.event()
        if isinstance(head, h11.ConnectionClosed) or fate is Mishap.LOSE_ANSWER:
            raise Cut
        if fate is Mishap.DELAY:
            await self._pause()
        await client.send(head)
        whole = any(name == b"content-length" for name, _ in head.headers)
        left = (0 if whole else self._random.randint(0, MOST_PIECES)) if fate is Mishap.CUT_AMID else None
        while isinstance(event := await server.event(), h11.Data):
            if left == 0:
                await client.send_half(event)
                raise Cut
            await client.send(event)
            left = left - 1 if left is not None else None
        await client.send(event)

    async def _twice(self, request: Message, fate: Mishap | None) -> Message:
        if fate is Mishap.TWICE_AT_ONCE:
            answers = await asyncio.gather(self._fetch(request), self._fetch(request))
            return self._random.choice(answers)
        first, second = await self._fetch(request), await self._fetch(request)
        return first if fate is Mishap.TWICE_FIRST else second

    async def _fetch(self, request: Message) -> Message:
        server = await self._connect()
        try:
            await server.send(*request.events())
            answer = await server.message()
        finally:
            server.writer.close()
        if answer is None:
            raise Cut
        return answer

    async def _connect(self) -> Side:
        return Side(h11.CLIENT, *await asyncio.open_connection("127.0.0.1", self._port))

    async def _pause(self) -> None:
        await asyncio.sleep(self._random.random() * DELAY_SECONDS)

    def _thinned(self, request: Message) -> Message:
        if not self._without:
            return request
        headers = [(name, value) for name, value in request.head.headers if name not in self._without]
        head = h11.Request(method=request.head.method, target=request.head.target, headers=headers)
        return Message(head, request.body)


async def while_there(client: Any, work: Any) -> None:
    """Works for a client, and leaves off when the client hangs up."""
    working, watching = asyncio.ensure_future(work), asyncio.ensure_future(client.fill())
    try:
        await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done() and not watching.result():
            raise Cut
        await working
    finally:
        working.cancel()
        watching.cancel()
        await asyncio.gather(working, watching, return_exceptions=True)
