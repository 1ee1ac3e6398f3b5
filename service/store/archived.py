"""Defines what replaces the stream of an ended game: the whole log packed, and the events needed to list and view it.

Reading any game begins with the latter. So nobody needs to unpack a log or to ask the archive to see the final table,
to find the game in a list, to check who may see it, or to start a rematch.
"""

import zlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import orjson

from games.snapshot import Snapshot

Numbered: TypeAlias = tuple[int, dict[str, Any]]
"""The version of an event, and the event as it is stored."""


def packed(stored: Sequence[dict[str, Any]]) -> bytes:
    """Returns a whole log in its stored form, compressed."""
    return zlib.compress(orjson.dumps(stored), 9)


def read_packed(raw: bytes) -> list[dict[str, Any]]:
    """Returns the events of a packed log in their stored form."""
    stored: list[dict[str, Any]] = orjson.loads(zlib.decompress(raw))
    return stored


def remains_of(ended: Snapshot, stored: Sequence[Numbered]) -> bytes:
    """Returns the events that stay in Redis, encoded, from the events of a game in their stored form."""
    begins = ended.entries[0].version
    prefix = [1, ended.started.version] if ended.started is not None else []
    parts = (
        [one for one in stored if one[0] in prefix],
        [one for one in stored if one[0] >= begins],
    )
    return zlib.compress(orjson.dumps([[_without_cause(one) for one in part] for part in parts]), 9)


def read_remains(raw: bytes | None) -> tuple[list[Numbered], list[Numbered]]:
    """Returns the events that define the table, if it has started, and those since its last round; none of nothing."""
    if raw is None:
        return [], []
    prefix, tail = orjson.loads(zlib.decompress(raw))
    return prefix, tail


def _without_cause(one: Numbered) -> Numbered:
    version, stored = one
    return version, {name: stored[name] for name in ("v", "type", "at", "data")}
