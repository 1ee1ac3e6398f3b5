"""Reads all that Redis holds of a game at one moment, and folds its whole log, wherever that lies.

Checks, backups and rebuilding find damage with it, also where no reader looks.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import orjson

from games.errors import ArchiveAway, ArchivedFileDamaged, Damaged, Unavailable, kind_of
from games.snapshot import Snapshot
from service.store import keys
from service.store.archive import Archive
from service.store.log.event_log import entry_of, snapshot_of
from service.store.log.packed import Numbered, read_packed, read_summary, summary_events
from service.store.log.stored_events import (
    PACKED,
    SUMMARY,
    decoded,
    sound_events,
    sound_value,
)
from service.store.redis.client import RedisClient, hash_of
from service.store.scripts import COPY

KINDS: Final = ("hash", "stream", "string", "string")
"""The types of what is stored of a game, as in `StoredGame`."""


class StoredGame(NamedTuple):
    """What Redis holds of a game, as it returns it; None for what is not there."""

    meta: Sequence[bytes] | None = None
    log: Sequence[Any] | None = None
    packed: bytes | None = None
    summary: bytes | None = None


def names_of(game: str) -> list[str]:
    """Returns the Redis keys of a whole game, in the order of `StoredGame`."""
    return [keys.meta(game), keys.log(game), keys.packed(game), keys.summary(game)]


def read_whole(redis: RedisClient, game: str) -> StoredGame:
    """Reads all that Redis holds of a whole game, at one moment.

    Raises:
        Damaged: something is of another type.
        Unavailable: Redis cannot be reached.
    """
    found = redis.run(COPY, names_of(game), [])
    return stored_game([(kind.decode(), held) for kind, _, held in found])


def stored_game(found: Sequence[tuple[str, Any]]) -> StoredGame:
    """Returns a whole game from the types and contents of its keys, in the order of `StoredGame`.

    Raises:
        Damaged: something is of another type.
    """
    parts: list[Any] = []
    for (kind, held), wanted, name in zip(found, KINDS, StoredGame._fields, strict=True):
        if kind not in (wanted, "none"):
            raise Damaged(f"`{name}` is a {kind}")
        parts.append(held if kind == wanted else None)
    return StoredGame(*parts)


def fold_whole(game: str, stored: StoredGame, archive: Archive | None) -> Snapshot | None:
    """Folds the whole log of a game and returns it; None if nothing is stored of it.

    Without an `archive`, of an archived game only what Redis keeps of it is folded.

    Raises:
        Damaged: an event is missing, doubled or changed, or what is stored beside the log does not follow from it.
        Unavailable: the archive cannot be reached.
    """
    if stored == StoredGame():
        return None
    try:
        return _folded(game, stored, archive)
    except (Damaged, Unavailable):
        raise
    except Exception as error:  # what is sound raises none
        raise Damaged(kind_of(error)) from error


def fold_copied(game: str, stored: StoredGame, archive: Archive) -> Snapshot | None:
    """Folds a whole game for what copies or lists all games, which no archive must hold up.

    The file of an archived game is folded too if the archive is a directory that can be read.

    Raises:
        Damaged: as for `fold_whole`.
    """
    with suppress(ArchiveAway):
        return fold_whole(game, stored, archive if archive.is_folder else None)
    return fold_whole(game, stored, None)


def _folded(game: str, stored: StoredGame, archive: Archive | None) -> Snapshot:
    if stored.meta is None:
        raise Damaged("the hash beside its log is missing")
    meta = hash_of(stored.meta)
    is_replaced = SUMMARY in meta
    if is_replaced == bool(stored.log) or is_replaced != (stored.summary is not None):
        raise Damaged("its log is missing, or stored twice")
    if not is_replaced:
        events = [(number, decoded(orjson.loads(raw))) for number, raw in sound_events(game, stored.log or (), 1)]
        return snapshot_of(game, meta, [], [entry_of(*one) for one in events])
    summary = read_summary(sound_value(game, SUMMARY, stored.summary, meta[SUMMARY]))
    snapshot = snapshot_of(game, meta, *[[entry_of(*one) for one in part] for part in summary])
    if not snapshot.ended:
        raise Damaged("its log is put away, but the game has not ended")
    whole = _replaced(game, meta, stored.packed, archive)
    if whole is not None:
        snapshot = snapshot_of(game, meta, [], [entry_of(*one) for one in whole])
        if summary_events(snapshot, whole) != summary:
            raise Damaged("its summary does not follow from its log")
    return snapshot


def _replaced(
    game: str, meta: Mapping[str, str], packed: bytes | None, archive: Archive | None
) -> list[Numbered] | None:
    """Returns the events of a packed or archived whole game with their versions; None if the archive is not asked."""
    if ("archive" in meta) == (packed is not None):
        raise Damaged("its log is missing, or stored twice")
    if packed is not None:
        stored: Sequence[dict[str, Any]] = read_packed(sound_value(game, PACKED, packed, meta.get(PACKED)))
    elif archive is None:
        return None
    else:
        try:
            stored = archive.stored(game, meta["archive"])
        except ArchivedFileDamaged as error:
            raise Damaged("its file in the archive is missing or damaged") from error
    return list(enumerate(stored, 1))
