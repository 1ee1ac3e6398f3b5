"""Copies into a file, while games go on, what an installation cannot make again.

Each line holds a game or a player, read at one moment, or a single key. Games come first: what follows may be newer
than a game, never older. So a stored answer may belong to an action that the game has not seen; `restore` skips it.
"""

import gzip
import hashlib
import os
import secrets
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from service.inputs.clock import now_ms
from service.settings import Settings
from service.store.archive import sync_folder
from service.store.exchange.cluster import exchange_at
from service.store.exchange.connection import Exchange
from service.store.upkeep.copies import SavedKey, copied, groups_to_copy

FORMAT: Final = "billet-backup-1"


class BackupError(Exception):
    """A backup cannot be read, or not be restored here. The text says why."""


class WholeBackup(NamedTuple):
    """A backup file that is neither damaged nor cut off, and the digest of its bytes."""

    path: Path
    digest: str


def backup(settings: Settings, path: Path) -> Counter[str]:
    """Writes a backup to a file that must not exist and appears when it is whole; returns what it holds, counted.

    Raises:
        BackupError: the file exists.
        OSError: the file cannot be written.
        Unavailable: Redis cannot be reached.
    """
    if path.exists():
        raise _exists(path)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")  # of its own: two may run at once
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with gzip.GzipFile(path.name, "wb", fileobj=file) as packed:
                counts = _write_backup(exchange_at(settings.redis_url, settings.redis_cluster), packed)
            file.flush()
            os.fsync(file.fileno())
        _give_name(part, path)
    finally:
        part.unlink(missing_ok=True)
    return counts


def _give_name(part: Path, path: Path) -> None:
    """Gives a whole backup its name, unless a file has it, and syncs its folder."""
    try:
        try:
            os.link(part, path)  # unlike renaming, this overwrites nothing
        except FileExistsError:
            raise
        except OSError:  # this disk has no hard links
            path.open("xb").close()
            part.replace(path)
    except FileExistsError:
        raise _exists(path) from None
    with suppress(OSError):  # some network disks sync no folders
        sync_folder(path.parent)


def _exists(path: Path) -> BackupError:
    return BackupError(f"{path} exists already, and a backup replaces no file: name another")


def whole(path: Path) -> WholeBackup:
    """Reads a backup file to its end and returns it, to be restored.

    Raises:
        BackupError: it is no backup, damaged or cut off.
        OSError: the file cannot be read.
    """
    for _ in contents(path):
        pass
    with path.open("rb") as file:
        return WholeBackup(path, hashlib.file_digest(file, "sha256").hexdigest())


def contents(path: Path) -> Iterator[list[SavedKey]]:
    """Yields the lines of a backup file.

    Raises:
        BackupError: it is no backup, damaged or cut off. Lines that were yielded before may be wrong.
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with gzip.open(path) as packed:
            if orjson.loads(beginning := packed.readline())["format"] == FORMAT:
                digest.update(beginning)
                for line in packed:
                    record = orjson.loads(line)
                    if "sha256" in record:
                        if record["sha256"] == digest.hexdigest() and not packed.read(1):
                            return
                        break
                    digest.update(line)
                    yield [SavedKey(*one) for one in record["keys"]]
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, LookupError, TypeError) as error:
        raise BackupError(f"{path} is not a whole backup: {error}") from error
    raise BackupError(f"{path} is not a whole backup")


def _write_backup(exchange: Exchange, packed: gzip.GzipFile) -> Counter[str]:
    digest = hashlib.sha256()
    counts = Counter(games=0, players=0, others=0)

    def put(record: dict[str, Any]) -> None:
        line = orjson.dumps(record) + b"\n"
        digest.update(line)
        packed.write(line)

    put({"format": FORMAT, "at": now_ms()})
    for what, names in groups_to_copy(exchange):
        if found := copied(exchange, names):
            counts[what] += 1
            put({"keys": [list(one) for one in found]})
    put({"sha256": digest.hexdigest()})
    return counts
