"""Copies into a file, while games go on, what an installation cannot make again.

Each game or player is read at one moment. Matches come before games, so that a match counts no game that is called off
in the copy. What follows may be newer than a game, never older. So a stored answer may belong to an action that the
game has not seen; `restore` skips it.
"""

import gzip
import logging
import os
import secrets
from collections import Counter
from contextlib import suppress
from pathlib import Path

from service.settings import Settings
from service.store.archive import Archive, sync_folder
from service.store.redis.client import RedisClient
from service.store.redis.cluster import client_at
from service.store.upkeep.copies import copied, fault_of, game_of, groups_to_copy
from service.upkeep.backup_file import BackupError, BackupWriter

_log = logging.getLogger(__name__)


def backup(settings: Settings, path: Path) -> Counter[str]:
    """Writes a backup to a file that must not exist and appears when it is whole; returns what it holds, counted.

    Each game is folded as it was copied. Damaged ones are logged, counted and in the file, as they are.

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
                writer = BackupWriter(packed, settings.backup_key)
                redis = client_at(settings.redis_url, settings.redis_cluster)
                counts = _copy_all(redis, Archive(settings.archive_url), writer)
            file.flush()
            os.fsync(file.fileno())
        _give_name(part, path)
    finally:
        part.unlink(missing_ok=True)
    return counts


def _copy_all(redis: RedisClient, archive: Archive, writer: BackupWriter) -> Counter[str]:
    counts = Counter(games=0, players=0, others=0, damaged=0)
    for what, names in groups_to_copy(redis):
        saved, left_out = copied(redis, names)
        fault = fault_of(saved, archive) if what == "games" and saved else ""
        if fault:
            _log.error("game %s is damaged, and so is its copy: %s", game_of(saved), fault)
        if saved and writer.put(saved):
            counts[what] += 1
        elif saved:
            fault = fault or "it is too large"
            _log.error("%s and what belongs to it is too large for a backup, and left out", names[0])
        counts["damaged"] += bool(fault or left_out) if what == "games" else left_out + bool(fault)
    writer.end()
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
