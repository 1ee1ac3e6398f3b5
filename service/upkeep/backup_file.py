"""Writes and reads the lines of a backup file: each holds a game or a player, or a single key.

The last line has the digest of those before it, signed with the operator's key. Reading accepts only what a backup
writes, and holds no more than a line of bounded length, whatever the file is.
"""

import gzip
import hashlib
import hmac
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from service.inputs.clock import now_ms
from service.store.upkeep.saved_keys import SavedKey, is_saved

FORMAT: Final = "billet-backup-1"
LONGEST_LINE: Final = 4 << 20
"""The most bytes of a line, unpacked, as of a log to verify; a game of 1,100 events takes 220 kB."""


class BackupError(Exception):
    """A backup cannot be read, or not be restored here. The text says why."""


class SavedLine(NamedTuple):
    """The keys that a line of a backup holds, and its length in bytes."""

    saved: Sequence[SavedKey]
    size: int


class WholeBackup(NamedTuple):
    """A backup file that is neither damaged nor cut off."""

    path: Path
    digest: str
    """That of its lines."""
    at: int
    """When it was begun, in milliseconds since 1970."""
    signature: str | None
    """None if it is not signed."""

    def is_signed(self, key: str) -> bool:
        """Returns whether the backup was signed with a key; "" is none."""
        return bool(key) and hmac.compare_digest((self.signature or "").encode(), _signature(key, self.digest).encode())


class BackupWriter:
    """Writes the lines of a backup."""

    def __init__(self, file: gzip.GzipFile, key: str) -> None:
        """Begins a backup in a file, to be signed with a key unless that is empty."""
        self._file = file
        self._key = key
        self._digest = hashlib.sha256()
        self._put({"format": FORMAT, "at": now_ms()})

    def put(self, saved: Sequence[SavedKey]) -> bool:
        """Writes a line; returns False if it would be too long for a backup."""
        return self._put({"keys": [list(one) for one in saved]})

    def end(self) -> None:
        """Writes the last line, which says that the backup is whole, and signs it."""
        digest = self._digest.hexdigest()
        self._put({"sha256": digest, "signature": _signature(self._key, digest) if self._key else None})

    def _put(self, record: dict[str, Any]) -> bool:
        line = orjson.dumps(record) + b"\n"
        if len(line) > LONGEST_LINE:
            return False
        self._digest.update(line)
        self._file.write(line)
        return True


def whole(path: Path) -> WholeBackup:
    """Reads a backup file to its end and returns it, to be restored.

    Raises:
        BackupError: it is no backup, damaged or cut off, or holds what no backup does.
        OSError: the file cannot be read.
    """
    reading = _Reading(path)
    for _ in reading.lines():
        pass
    return reading.found()


def contents(saved: WholeBackup) -> Iterator[SavedLine]:
    """Yields the lines of a backup file with keys.

    Raises:
        BackupError: the file is not what it was when it was read as a whole.
        OSError: the file cannot be read.
    """
    reading = _Reading(saved.path)
    yield from reading.lines()
    if reading.found() != saved:
        raise BackupError(f"{saved.path} has changed while it was restored: restore it again")


class _Reading:
    """Reads a backup file once, from its beginning."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        self._at = 0
        self._signature: str | None = None

    def lines(self) -> Iterator[SavedLine]:
        """Yields the lines of the backup with keys; what was yielded before an error may be wrong."""
        try:
            with gzip.open(self._path) as packed:
                yield from self._lines(packed)
        except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, LookupError, TypeError) as error:
            raise BackupError(f"{self._path} is not a whole backup: {error}") from error

    def found(self) -> WholeBackup:
        """Returns the backup, once all its lines have been read."""
        return WholeBackup(self._path, self._digest.hexdigest(), self._at, self._signature)

    def _lines(self, packed: gzip.GzipFile) -> Iterator[SavedLine]:
        line = self._line(packed)
        begun = orjson.loads(line)
        if begun["format"] != FORMAT or type(begun["at"]) is not int:
            raise ValueError("it has another format")
        self._at = begun["at"]
        while True:
            self._digest.update(line)
            line = self._line(packed)
            record = orjson.loads(line)
            if "keys" not in record:
                break
            saved = [SavedKey(*one) for one in record["keys"]]
            if not all(map(is_saved, saved)):
                raise ValueError("it holds what no backup does")
            yield SavedLine(saved, len(line))
        if record["sha256"] != self._digest.hexdigest() or packed.read(1):
            raise ValueError("it was changed, or cut off")
        self._signature = record["signature"]
        if not isinstance(self._signature, str | None):
            raise TypeError("its signature is no text")

    def _line(self, packed: gzip.GzipFile) -> bytes:
        line = packed.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise ValueError("it has a line that is too long")
        if not line.endswith(b"\n"):
            raise EOFError("it was cut off")
        return line


def _signature(key: str, digest: str) -> str:
    return hmac.digest(key.encode(), f"billet backup\n{digest}".encode(), "sha256").hex()
