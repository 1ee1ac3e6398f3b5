"""Defines what stays in Redis of an archived game: the events needed to list it and to view it as it ended.

Reading any game begins with these events. So nobody needs the archive to see the final table, to find the game in a
list, to check who may see it, or to start a rematch. Earlier events are in the archive.
"""

import zlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import orjson

from games.snapshot import Snapshot

Numbered: TypeAlias = tuple[int, dict[str, Any]]
"""The version of an event, and the event as it is stored."""


def remains_of(ended: Snapshot, stored: Sequence[Numbered]) -> bytes:
    """Returns the events that stay in Redis, encoded, from the events of a game in their stored form."""
    begins = ended.entries[0].version
    prefix = [1, ended.started.version] if ended.started is not None else []
    parts = (
        [one for one in stored if one[0] in prefix],
        [one for one in stored if one[0] >= begins],
    )
    return zlib.compress(orjson.dumps([[_without_cause(one) for one in part] for part in parts]), 9)


def read_remains(raw: bytes) -> tuple[list[Numbered], list[Numbered]]:
    """Returns the events that define the table, if it has started, and those since its last round."""
    prefix, tail = orjson.loads(zlib.decompress(raw))
    return prefix, tail


def _without_cause(one: Numbered) -> Numbered:
    version, stored = one
    return version, {name: stored[name] for name in ("v", "type", "at", "data")}
