"""Asks for one path over many connections as fast as answers come, in a process of its own so that it disturbs nobody.

Reads one line of JSON: the port, the path, the tokens to use in turn (null for none), the number of connections. Says
`flooding` once all have been answered, and at the end of its input how often each status came.
"""

import asyncio
import re
import sys
from collections import Counter
from typing import Any

import orjson

STATUS = re.compile(rb"HTTP/1\.1 (\d+)")
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
END = b"\r\n\r\n"


class Poller(asyncio.Protocol):
    """One connection."""

    def __init__(self, path: str, token: str | None, answered: asyncio.Semaphore) -> None:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self.request = f"GET {path} HTTP/1.1\r\nHost: bench\r\n{bearer}\r\n".encode()
        self.answered = answered
        self.statuses: Counter[str] = Counter()
        self.received = b""

    def connection_made(self, transport: Any) -> None:
        """Asks for the first time."""
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Asks again when the answer is there."""
        self.received += data
        head, end, body = self.received.partition(END)
        length = LENGTH.search(head)
        if not end or length is None or len(body) < int(length[1]):
            return
        status = STATUS.match(head)
        assert status is not None, "an answer begins with its status"
        if not self.statuses:
            self.answered.release()
        self.statuses[status[1].decode()] += 1
        self.received = b""
        self.transport.write(self.request)


async def main() -> None:
    """Polls until the input ends."""
    loop = asyncio.get_running_loop()
    port, path, tokens, connections = orjson.loads(await loop.run_in_executor(None, sys.stdin.readline))
    answered = asyncio.Semaphore(0)
    pollers = [Poller(path, tokens[number % len(tokens)], answered) for number in range(connections)]
    for poller in pollers:
        await loop.create_connection(lambda one=poller: one, "127.0.0.1", port)
    for _ in pollers:
        await asyncio.wait_for(answered.acquire(), 30)
    print("flooding", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    total: Counter[str] = Counter()
    for poller in pollers:
        total += poller.statuses
    print(orjson.dumps(total).decode(), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
