"""What stays in Redis of a game that is in the archive: the events from which it is read and listed as it ended.

They are those that a reading of any game begins with, so that nobody needs the archive to see a table as it was left,
to find a game in a list, to open it to whoever may see it, or to play again. What happened before is in the archive.
"""

import zlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import orjson

from service.snapshot import Snapshot

Numbered: TypeAlias = tuple[int, dict[str, Any]]
"""The version of an event, and the event as it is stored."""


def remains_of(ended: Snapshot, stored: Sequence[Numbered]) -> bytes:
    """Returns what stays of a game, from its events as they are stored."""
    begins = ended.entries[0].version
    prefix = [1, ended.started.version] if ended.started is not None else []
    parts = (
        [one for one in stored if one[0] in prefix],
        [one for one in stored if one[0] >= begins],
    )
    return zlib.compress(orjson.dumps([[_without_cause(one) for one in part] for part in parts]), 9)


def read_remains(raw: bytes) -> tuple[list[Numbered], list[Numbered]]:
    """Returns the events that say what the table is, if it has started, and those since its last round."""
    prefix, tail = orjson.loads(zlib.decompress(raw))
    return prefix, tail


def _without_cause(one: Numbered) -> Numbered:
    version, stored = one
    return version, {name: stored[name] for name in ("v", "type", "at", "data")}
