"""Keeps a data directory to one installation at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from billet.errors import StartError

# A Redis whose supervisor was killed holds the lock until the kernel has killed it too.
PATIENCE = 2.0  # seconds


@contextmanager
def locked(data_dir: Path) -> Iterator[int]:
    """Locks `data_dir` for one `billet` process at a time, creating it, and yields the lock's file descriptor.

    Children that inherit the descriptor hold the lock as well. Raises StartError when another process holds it for
    longer than `PATIENCE`, or the directory is unusable.
    """
    with using(data_dir):
        data_dir.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire_data_lock(descriptor, data_dir)
        with using(data_dir):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Raises StartError if the system refuses what a `with` block does with a data directory, or a folder in it."""
    try:
        yield
    except OSError as error:
        raise StartError(f"cannot use the data directory {folder}: {error.strerror}") from error


def in_use(data_dir: Path, *, now: bool = False) -> bool:
    """Returns whether a `billet` process, or the Redis that it started, holds the lock of `data_dir` for `PATIENCE`.

    With `now` it may be about to end.
    """
    try:
        descriptor = os.open(data_dir / "lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _taken(descriptor, fcntl.LOCK_SH, 0.0 if now else PATIENCE)
    finally:
        os.close(descriptor)


def _acquire_data_lock(descriptor: int, data_dir: Path) -> None:
    if not _taken(descriptor, fcntl.LOCK_EX, PATIENCE):
        holder = os.pread(descriptor, 20, 0).decode().strip() or "unknown"
        raise StartError(
            f"{data_dir} is in use by another billet (process {holder}): stop it, or choose another DATA_DIR"
        )


def _taken(descriptor: int, kind: int, patience: float) -> bool:
    """Takes a lock of a `kind`; returns whether that succeeded within so many seconds."""
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
