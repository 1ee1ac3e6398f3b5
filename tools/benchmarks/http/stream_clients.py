"""Opens many event streams and notes when each event arrives, in a process of its own so that it disturbs nobody.

Reads one line of JSON: the port and, for each stream, its path and token. Says `open` when each has got its first
event, and at the end of its input the versions and times of all that came, on the clock that all processes share, and
how late its own timers were meanwhile: no event can be noticed sooner.
"""

import asyncio
import re
import resource
import sys
import time
from typing import Any

import orjson

ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)
TICK = 0.01
"""Seconds between two looks at how late this process is."""
AT_ONCE = 50
"""How many connections are made at a time."""


class Stream(asyncio.Protocol):
    """One stream."""

    def __init__(self, path: str, token: str | None, address: str, opened: asyncio.Semaphore) -> None:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self.request = f"GET {path} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: {address}\r\n{bearer}\r\n".encode()
        self.opened = opened
        self.rest = b""
        self.seen: list[tuple[int, float]] = []

    def connection_made(self, transport: Any) -> None:
        """Asks for the events."""
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Notes the versions in what has come, up to its last whole line."""
        now = time.monotonic()
        whole, _, self.rest = (self.rest + data).rpartition(b"\n")
        found = [(int(version), now) for version in ID.findall(whole)]
        if found and not self.seen:
            self.opened.release()
        self.seen += found


async def look(late: list[float]) -> None:
    """Notes how late a timer fires, again and again."""
    while True:
        due = time.monotonic() + TICK
        await asyncio.sleep(TICK)
        late.append(time.monotonic() - due)


async def main() -> None:
    """Opens the streams, and tells what came."""
    loop = asyncio.get_running_loop()
    port, wanted = orjson.loads(await loop.run_in_executor(None, sys.stdin.readline))
    opened = asyncio.Semaphore(0)
    streams = [Stream(path, token, f"192.0.2.{i % 100}", opened) for i, (path, token) in enumerate(wanted)]
    began = time.monotonic()
    for at in range(0, len(streams), AT_ONCE):
        some = streams[at : at + AT_ONCE]
        await asyncio.gather(*(loop.create_connection(lambda s=s: s, "127.0.0.1", port) for s in some))
        for _ in some:
            await asyncio.wait_for(opened.acquire(), 30)
    print(f"{time.monotonic() - began}", flush=True)
    late: list[float] = []
    looking = loop.create_task(look(late))
    await loop.run_in_executor(None, sys.stdin.read)
    looking.cancel()
    sys.stdout.buffer.write(orjson.dumps([[stream.seen for stream in streams], late]) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if hard > 0 else 8192, hard))
    asyncio.run(main())
