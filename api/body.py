"""Takes in the body of a request before anybody works on it; what it may hold is for the application to say.

A thread that waited for a body would be held by whoever announces one and never sends it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeAlias

Receive: TypeAlias = Callable[[], Awaitable[Any]]

SECONDS: Final = 10.0
"""How long a body may take to arrive."""
READ_OUT: Final = 1 << 20
"""Bytes that are read of a body that is too long: a connection with a body that nobody has read must be closed."""


class Arrived(NamedTuple):
    """What has come of a body: at most one byte more than it may have, so that whoever reads it notices."""

    data: bytes
    whole: bool
    """Whether nothing more of it is to come; if not, the connection is of no use after the answer."""
    late: bool = False


class Gone(Exception):
    """The client has hung up in the middle of its request."""


async def arrived(receive: Receive, announced: int | None, most: int) -> Arrived:
    """Returns the body of a request, of which `announced` is the length if it is known.

    Raises:
        Gone: the client has hung up.
    """
    read_out = max(READ_OUT, most)
    if announced is not None and announced > read_out:
        return Arrived(b"", whole=False)
    parts: list[bytes] = []
    size = kept = 0
    try:
        async with asyncio.timeout(SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                part = message.get("body", b"")
                if kept <= most:
                    parts.append(part[: most + 1 - kept])
                    kept += len(parts[-1])
                size += len(part)
                if not message.get("more_body", False):
                    return Arrived(b"".join(parts), whole=True)
                if size > read_out:
                    return Arrived(b"".join(parts), whole=False)
    except TimeoutError:
        return Arrived(b"", whole=False, late=True)
