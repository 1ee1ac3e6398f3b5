"""Stores portable logs of ended games in the archive: one compressed file each, in a directory or a bucket.

The name of a file contains the digest of its bytes, and files are never rewritten. So a truncated or altered file is
detected and never taken for a log. `retention` decides what to archive and to remove from Redis; `portable` defines the
format.
"""

import contextlib
import gzip
import hashlib
import logging
import os
import queue
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import orjson

from games.errors import ArchiveAway, ArchivedFileDamaged, kind_of
from games.records.portable import PortableLog, as_ndjson, digest_of, packed, parsed, portable, stored_in

CONNECT_SECONDS: Final = 2
ANSWER_SECONDS: Final = 5
"""How long to wait for a bucket before reporting that the archive is unavailable."""
AT_ONCE: Final = 4
"""How many threads of a process read at once, so that a slow archive does not block the others."""
BOUND_SECONDS: Final = 10.0
"""How long to wait for one file in all; a mounted directory may hang for ever."""
MARKER: Final = "billet-archive.json"
"""The file that names the archive (`service/store/archive_proof.py`)."""
AWAY_SECONDS: Final = 1.0
"""How long a store that just failed is not asked again."""
CACHED_LOGS: Final = 16
"""How many recently read logs a process caches, so that paging through a log reads it once."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Garbled(Exception):
    """The store returned other bytes than were written."""


class NoArchive(Exception):
    """A log must be read from the archive, but none is configured."""


class Directory:
    """Files in a directory, local or mounted."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def write(self, name: str, raw: bytes) -> None:
        """Writes a file of the archive under a temporary name and renames it, syncing the disk before and after."""
        path = self._root / name
        if path.parent != self._root:  # which is never made: it may be a disk that is not mounted
            path.parent.mkdir(exist_ok=True)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with open(
                os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640), "wb"
            ) as file:  # API and workers may share a group
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        for folder in (path.parent, self._root):
            sync_folder(folder)

    def read(self, name: str) -> bytes:
        """Returns a file of the archive's directory."""
        return (self._root / name).read_bytes()

    def remove(self, name: str) -> None:
        """Removes a file from the archive's directory, if it is there."""
        if not self._root.is_dir():  # a disk that is not mounted
            raise FileNotFoundError
        path = self._root / name
        path.unlink(missing_ok=True)
        if path.parent.is_dir():
            sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Syncs a folder to disk, so that an archive's or a backup's new file in it survives a crash of the machine."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class Bucket:
    """Objects in a bucket, each written whole or not at all. It connects on first use."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opened: tuple[Any, str] | None = None
        self._opening = threading.Lock()

    def write(self, name: str, raw: bytes) -> None:
        """Writes an object to the archive's bucket."""
        files, path = self._files()
        files.pipe_file(f"{path}/{name}", raw)

    def read(self, name: str) -> bytes:
        """Returns an object of the archive's bucket."""
        files, path = self._files()
        raw: bytes = files.cat_file(f"{path}/{name}")
        return raw

    def remove(self, name: str) -> None:
        """Removes an object from the archive's bucket, if it is there."""
        files, path = self._files()
        with contextlib.suppress(FileNotFoundError):
            files.rm_file(f"{path}/{name}")

    def _files(self) -> tuple[Any, str]:
        with self._opening:
            if self._opened is None:
                import fsspec  # with s3fs an extra, which most installations lack

                waits = {"connect_timeout": CONNECT_SECONDS, "read_timeout": ANSWER_SECONDS}
                config = {**waits, "retries": {"total_max_attempts": 1}}
                files, path = fsspec.url_to_fs(self._url, config_kwargs=config, use_listings_cache=False)
                files.retries = 1  # callers retry, and know how long they may
                self._opened = files, path
            return self._opened


Store: TypeAlias = Directory | Bucket
"""Stores files, which survive the loss of this machine once they are written.

Reading one that is not there raises FileNotFoundError.
"""


class Archive:
    """The archive of an installation.

    Unless they say otherwise, calls raise what the store raises, TimeoutError if it hangs, and NoArchive without one.
    """

    def __init__(self, url: str) -> None:
        """`url` is the archive: a bucket's address or a directory's path; empty: no archive."""
        self._store = store_at(url)
        self._logs: OrderedDict[str, Sequence[dict[str, Any]]] = OrderedDict()
        self._keeping = threading.Lock()
        self._room = threading.BoundedSemaphore(AT_ONCE)
        self._away_until = 0.0

    @property
    def is_folder(self) -> bool:
        """Returns whether the archive is a directory, whose files are read as fast as Redis."""
        return isinstance(self._store, Directory)

    # --- writing ---

    def put(self, log: PortableLog) -> str:
        """Writes a log to the archive and returns the digest under which it can be found.

        When this returns, the log has been read back and verified to be the same.

        Raises:
            Garbled: the store returned something else.
        """
        raw = packed(as_ndjson(log))
        digest = hashlib.sha256(raw).hexdigest()[:32]
        game = log["game"]
        try:
            self._file(game, digest)
        except (FileNotFoundError, Garbled):
            self._bounded(lambda store: store.write(name_of(game, digest), raw))
        check_same_log(self._file(game, digest), log)
        return digest

    def remove(self, game: str, digest: str) -> None:
        """Removes a log from the archive.

        Raises:
            ArchiveAway: the archive cannot be reached.
        """
        with self._asking(game):
            self._bounded(lambda store: store.remove(name_of(game, digest)))
        with self._keeping:
            self._logs.pop(digest, None)

    def mark(self, archive: str) -> None:
        """Writes the marker file of the archive, which names it."""
        raw = orjson.dumps({"archive": archive}) + b"\n"
        self._bounded(lambda store: store.write(MARKER, raw))

    def marked(self) -> str | None:
        """Returns the archive that the marker file in its store names; None if there is no marker.

        Raises:
            Garbled: the marker is damaged.
        """
        try:
            raw = self._bounded(lambda store: store.read(MARKER))
        except FileNotFoundError:
            return None
        try:
            return str(orjson.loads(raw)["archive"])
        except (LookupError, TypeError, ValueError):
            raise Garbled from None

    # --- reading ---

    def stored(self, game: str, digest: str) -> Sequence[dict[str, Any]]:
        """Returns the events of an archived game in their stored form, in order, with their causes.

        Raises:
            ArchiveAway: the archive cannot be reached.
            ArchivedFileDamaged: it can, but this file is missing or damaged.
        """
        with self._keeping:
            known = self._logs.get(digest)
            if known is not None:
                self._logs.move_to_end(digest)
                return known
        with self._asking(game):
            raw = self._file(game, digest)
            found = stored_in([orjson.loads(line) for line in gzip.decompress(raw).splitlines()[1:]])
        with self._keeping:
            self._logs[digest] = found
            if len(self._logs) > CACHED_LOGS:
                self._logs.popitem(last=False)
        return found

    def _file(self, game: str, digest: str) -> bytes:
        """Returns the file of the archive that holds a log.

        Raises:
            FileNotFoundError: there is none.
            Garbled: its bytes do not have this digest.
        """
        raw = self._bounded(lambda store: store.read(name_of(game, digest)))
        if hashlib.sha256(raw).hexdigest()[:32] != digest:
            raise Garbled
        return raw

    @contextlib.contextmanager
    def _asking(self, game: str) -> Iterator[None]:
        """Turns any failure of the archive into `ArchiveAway`, and keeps other callers from waiting for the same."""
        if time.monotonic() < self._away_until:
            raise ArchiveAway
        try:
            yield
        except Exception as error:
            _log.error("game %s cannot be read from the archive: %s", game, kind_of(error))
            # A call that took too long may have waited for others, and says nothing of the file.
            if isinstance(error, Garbled) or (not isinstance(error, TimeoutError) and self._answers()):
                raise ArchivedFileDamaged from error
            if not isinstance(error, FileNotFoundError):  # without a marker, one file says nothing of the others
                self._away_until = time.monotonic() + AWAY_SECONDS
            raise ArchiveAway from error

    def _answers(self) -> bool:
        """Returns whether the archive answers and has a marker."""
        try:
            return self.marked() is not None
        except Exception:
            return False

    def _bounded(self, call: Callable[[Store], T]) -> T:
        """Makes a call to the archive on a thread of its own, so that a store that hangs holds up nobody for long."""
        store = self._store
        if store is None:
            raise NoArchive
        if not self._room.acquire(timeout=ANSWER_SECONDS):
            raise TimeoutError
        outcome: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

        def run() -> None:
            try:
                outcome.put((call(store), None))
            except BaseException as error:
                outcome.put((None, error))
            finally:
                self._room.release()  # only now: calls that hang must not become ever more

        try:
            threading.Thread(target=run, name="archive", daemon=True).start()
        except RuntimeError:  # no thread is to be had for now; after any other error it may run, and releases its place
            self._room.release()
            raise
        try:
            value, error = outcome.get(timeout=BOUND_SECONDS)
        except queue.Empty:
            raise TimeoutError from None
        if error is not None:
            raise error
        return cast(T, value)


def store_at(url: str) -> Store | None:
    """Returns the archive's store at a path or an address; None if it is empty."""
    if not url:
        return None
    if url.startswith("s3://"):
        return Bucket(url.rstrip("/"))
    return Directory(Path(url.removeprefix("file://")).expanduser().absolute())


def name_of(game: str, digest: str) -> str:
    """Returns the name of a log's file in the archive, in one of some thousand folders: a single one is slow."""
    return f"{game[:2]}/{game}-{digest}.ndjson.gz"


def check_same_log(raw: bytes, log: PortableLog) -> None:
    """Checks that a file of the archive holds this log.

    Raises:
        Garbled: it does not.
    """
    found = parsed(gzip.decompress(raw))
    same = found == log and digest_of(found) == log["digest"] and portable(stored_in(found["events"])) == log
    if not same:
        raise Garbled
