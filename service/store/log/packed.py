"""Defines what replaces the stream of an ended game: the whole log packed, and the events needed to list and view it.

Reading any game begins with the latter. So nobody needs to unpack a log or to ask the archive to see the final table,
to find the game in a list, to check who may see it, or to start a rematch.
"""

import bz2
import zlib
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import orjson

from games.snapshot import Snapshot
from service.store.log.stored_events import NamedEvent, decoded, encoded

Numbered: TypeAlias = tuple[int, dict[str, Any]]
"""The version of an event, and the event as it is stored."""

BLOCK: Final = 2
"""Blocks of 200 kB, so that nearly every log is one block. Larger ones take more memory and pack none better."""


def packed(stored: Sequence[NamedEvent]) -> bytes:
    """Packs the log of an ended game: compressed, each event with the time since the last (decision 032)."""
    events, last = [encoded(one) for one in stored], 0
    for one in events:
        one[2], last = one[2] - last, one[2]
    return bz2.compress(orjson.dumps(events), BLOCK)


def read_packed(raw: bytes, begin: int = 0, end: int | None = None) -> list[dict[str, Any]]:
    """Returns events of a packed log from one place to another, as objects."""
    events, last = orjson.loads(bz2.decompress(raw)), 0
    for one in events:
        one[2] = last = last + one[2]
    return [decoded(one) for one in events[begin:end]]


def summary_events(ended: Snapshot, stored: Sequence[Numbered]) -> tuple[list[Numbered], list[Numbered]]:
    """Returns what the summary of a packed or archived game holds, as `read_summary` does, from its whole log."""
    begins = ended.entries[0].version
    prefix = [1, ended.started.version] if ended.started is not None else []
    return (
        [_without_cause(one) for one in stored if one[0] in prefix],
        [_without_cause(one) for one in stored if one[0] >= begins],
    )


def summary_of(ended: Snapshot, stored: Sequence[Numbered]) -> bytes:
    """Returns the summary that stays in Redis of a packed or archived game, from its events."""
    kept = [[(version, encoded(one)) for version, one in part] for part in summary_events(ended, stored)]
    return zlib.compress(orjson.dumps(kept), 9)


def read_summary(raw: bytes | None) -> tuple[list[Numbered], list[Numbered]]:
    """Returns a stored summary: events that define the table, if started, and since the last round; none of nothing."""
    if raw is None:
        return [], []
    prefix, tail = ([(version, decoded(one)) for version, one in part] for part in orjson.loads(zlib.decompress(raw)))
    return prefix, tail


def _without_cause(one: Numbered) -> Numbered:
    version, stored = one
    return version, {name: stored[name] for name in ("v", "type", "at", "data")}
