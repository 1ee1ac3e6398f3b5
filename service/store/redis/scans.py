"""Finds keys by patterns, on all nodes, a bounded number in each round trip. It may yield a key twice.

Every call may raise `Unavailable`.
"""

from collections.abc import Iterator
from typing import Final

from service.store.redis.client import RedisClient
from service.store.redis.cluster import nodes_of

SCANNED: Final = 1000
"""About how many keys are looked at in one round trip."""


def scan(client: RedisClient, pattern: str, kind: str | None = None) -> Iterator[str]:
    """Yields the keys of Redis that fit a pattern, of one type or of all."""
    for names in scan_pages(client, pattern, kind):
        yield from names


def scan_pages(
    client: RedisClient, pattern: str, kind: str | None = None, scanned: int = SCANNED
) -> Iterator[list[str]]:
    """Yields the keys of Redis that fit a pattern by what one round trip has found, which may be nothing."""
    for node in nodes_of(client):
        at, begun = 0, False
        while at or not begun:
            begun = True
            at, names = scan_page(node, at, pattern, kind, scanned)
            yield names


def scan_page(node: RedisClient, at: int, pattern: str, kind: str | None, scanned: int) -> tuple[int, list[str]]:
    """Returns where to go on after one round trip with a Redis node, 0 at its end, and the keys that were found."""
    of_kind = ("TYPE", kind) if kind is not None else ()
    following, names = node.send(("SCAN", at, "MATCH", pattern, "COUNT", scanned, *of_kind))[0]
    return int(following), [name.decode() for name in names]
