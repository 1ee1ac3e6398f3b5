"""The archive: portable logs of ended games, each a compressed file in a directory or a bucket.

A file bears the digest of its bytes in its name and is never written anew: one that was cut off, or that the store
gives back as something else, is known for it and never taken for a log. What is archived, and what may be removed from
Redis for it, is for `retention` to say; what a log looks like for `portable`.
"""

import contextlib
import gzip
import hashlib
import logging
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from service.errors import ArchiveAway
from service.log_lines import kind_of
from service.portable import PortableLog, as_ndjson, digest_of, packed, parsed, portable, stored_in

CONNECT_SECONDS: Final = 2
ANSWER_SECONDS: Final = 5
"""How long a bucket is waited for; whoever reads is told then that the archive is away."""
AT_ONCE: Final = 4
"""How many threads of a process read at a time: if the archive is slow, the others must not all wait for it."""
AWAY_SECONDS: Final = 1.0
"""For how long nobody asks again a store that was away just now."""
CACHED_LOGS: Final = 16
"""How many logs that were read last a process keeps: whoever pages through one reads it once."""

_log = logging.getLogger(__name__)


class Garbled(Exception):
    """What the store gives back is not what was put there."""


class NoArchive(Exception):
    """No archive is set where there is something to read from one."""


class Store(Protocol):
    """Where files are kept."""

    def write(self, name: str, raw: bytes) -> None:
        """Puts a file there, so that it stays whatever happens to this machine."""

    def read(self, name: str) -> bytes:
        """Returns a file. Raises FileNotFoundError if there is none."""


class Directory:
    """Files below a directory, of this machine or mounted there."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def write(self, name: str, raw: bytes) -> None:
        """Writes a file under another name first, and waits for the disk before and after it gets its own."""
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        for folder in (path.parent, self._root, self._root.parent):  # each may have been made just now
            _sync(folder)

    def read(self, name: str) -> bytes:
        """Returns a file."""
        return (self._root / name).read_bytes()


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class Bucket:
    """Objects of a bucket, each of which is there whole or not at all; it connects when it is first used."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opened: tuple[Any, str] | None = None
        self._opening = threading.Lock()

    def write(self, name: str, raw: bytes) -> None:
        """Puts an object."""
        files, path = self._files()
        files.pipe_file(f"{path}/{name}", raw)

    def read(self, name: str) -> bytes:
        """Returns an object."""
        files, path = self._files()
        raw: bytes = files.cat_file(f"{path}/{name}")
        return raw

    def _files(self) -> tuple[Any, str]:
        with self._opening:
            if self._opened is None:
                import fsspec  # with s3fs an extra, which most do without

                waits = {"connect_timeout": CONNECT_SECONDS, "read_timeout": ANSWER_SECONDS}
                config = {**waits, "retries": {"total_max_attempts": 1}}
                files, path = fsspec.url_to_fs(self._url, config_kwargs=config, use_listings_cache=False)
                files.retries = 1  # whoever asks tries again, and knows how long
                self._opened = files, path
            return self._opened


class Archive:
    """The archive of an installation."""

    def __init__(self, url: str) -> None:
        """`url` is that of a bucket or the path of a directory; empty: there is no archive."""
        self._store = store_at(url)
        self._logs: OrderedDict[str, Sequence[dict[str, Any]]] = OrderedDict()
        self._keeping = threading.Lock()
        self._room = threading.BoundedSemaphore(AT_ONCE)
        self._away_until = 0.0

    # --- writing ---

    def put(self, log: PortableLog) -> str:
        """Puts a log into the archive and returns the digest by which it is found there.

        It is there when this returns: it has been read back, and it is this log.

        Raises:
            Garbled: the store gives back something else.
            Exception: whatever the store raises.
        """
        raw = packed(as_ndjson(log))
        digest = hashlib.sha256(raw).hexdigest()[:32]
        name = name_of(log["game"], digest)
        store = self._demanded()
        try:
            there = store.read(name) == raw
        except FileNotFoundError:
            there = False
        if not there:
            store.write(name, raw)
        check(store.read(name), digest, log)
        return digest

    # --- reading ---

    def stored(self, game: str, digest: str) -> Sequence[dict[str, Any]]:
        """Returns the events of an archived game as they were stored, in order, with what caused them.

        Raises:
            ArchiveAway: the archive is away, or does not have what was put there.
        """
        with self._keeping:
            known = self._logs.get(digest)
            if known is not None:
                self._logs.move_to_end(digest)
                return known
        with self._asking(game):
            raw = self._demanded().read(name_of(game, digest))
            if hashlib.sha256(raw).hexdigest()[:32] != digest:
                raise Garbled
            found = stored_in([orjson.loads(line) for line in gzip.decompress(raw).splitlines()[1:]])
        with self._keeping:
            self._logs[digest] = found
            if len(self._logs) > CACHED_LOGS:
                self._logs.popitem(last=False)
        return found

    def _demanded(self) -> Store:
        if self._store is None:
            raise NoArchive
        return self._store

    @contextlib.contextmanager
    def _asking(self, game: str) -> Iterator[None]:
        """Turns whatever goes wrong in it into `ArchiveAway`, and keeps others from waiting for the same."""
        if time.monotonic() < self._away_until or not self._room.acquire(timeout=ANSWER_SECONDS):
            raise ArchiveAway
        try:
            yield
        except Exception as error:
            _log.error("game %s cannot be read from the archive: %s", game, kind_of(error))
            if not isinstance(error, FileNotFoundError | Garbled):  # what one file lacks the others need not
                self._away_until = time.monotonic() + AWAY_SECONDS
            raise ArchiveAway from error
        finally:
            self._room.release()


def store_at(url: str) -> Store | None:
    """Returns the store at a path or an address; None if it is empty."""
    if not url:
        return None
    if url.startswith("s3://"):
        return Bucket(url.rstrip("/"))
    return Directory(Path(url.removeprefix("file://")).expanduser().absolute())


def name_of(game: str, digest: str) -> str:
    """Returns the name of a file: in one of some thousand folders, for a directory that lists them all is slow."""
    return f"{game[:2]}/{game}-{digest}.ndjson.gz"


def check(raw: bytes, digest: str, log: PortableLog) -> None:
    """Checks that a file is a log, by its bytes and by what they say.

    Raises:
        Garbled: it is not.
    """
    if hashlib.sha256(raw).hexdigest()[:32] != digest:
        raise Garbled
    found = parsed(gzip.decompress(raw))
    same = found == log and digest_of(found) == log["digest"] and portable(stored_in(found["events"])) == log
    if not same:
        raise Garbled
