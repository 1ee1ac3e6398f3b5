"""Runs the installation's own Redis on files below a data directory."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import redis

from billet.data_lock import in_use, using
from billet.errors import StartError
from billet.parent_death import dies_with
from billet.redis.binary import find_redis, major_version

# The kernel's limit is 107 bytes on Linux and 103 on macOS.
LONGEST_SOCKET_PATH = 100
STOP_TIMEOUT = 10.0  # seconds
MEGABYTE = 2**20
CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

# Settings any Redis of an installation should have: every answered write is on disk, and nothing is ever evicted.
DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "aof-use-rdb-preamble": "yes",
    "save": "",
    "maxmemory-policy": "noeviction",
}

Fsync = Literal["always", "everysec", "no"]


class EmbeddedRedis:
    """A Redis server on one data directory: starts it, finds its address, stops it.

    With `fsync="always"` an answered write survives a killed process and a lost machine; the other values of Redis'
    `appendfsync` are for tests that are not about durability.
    """

    def __init__(self, data_dir: Path, fsync: Fsync = "always", max_memory_mb: int = 0) -> None:
        """Prepares the embedded Redis; `max_memory_mb` limits its memory, and 0 means half of the machine's.

        The other half is for rewriting its files, which needs as much.
        """
        self.max_memory = max_memory_mb * MEGABYTE or machine_memory() // 2
        self.folder = data_dir.resolve() / "redis"
        self.fsync = fsync
        self.binary = find_redis()
        self._short_folder: Path | None = None
        self._log = self.folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._prepare()

    @property
    def url(self) -> str:
        """The address that clients of the embedded Redis connect to."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def command(self) -> list[str]:
        """The command line that runs the embedded Redis in the foreground, logging to its standard output."""
        options = {
            "dir": str(self.folder),
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "daemonize": "no",
            "loglevel": "warning",
            "logfile": "",
            **DURABLE,
            "appendfsync": self.fsync,
            "maxmemory": str(self.max_memory),
        }
        return [str(self.binary), *(word for name, value in options.items() for word in (f"--{name}", value))]

    def answers(self) -> bool:
        """Returns whether the embedded Redis answers, with all of its data loaded."""
        return _redis_answers(self.url)

    def start(self) -> int:
        """Starts the embedded Redis, logging to a file, waits until it answers, and returns its process id.

        It waits for as long as the server loads its data, which may be minutes.

        Raises StartError, with the last line of the log, when the server ends instead.
        """
        with using(self.folder):
            log = self._log.open("wb")
        with log:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=dies_with(os.getpid()),
            )
        self._process = process
        while not self.answers():
            if process.poll() is not None:
                printed = self._log.read_text(errors="replace").strip().splitlines()[-1:] or ["no word"]
                raise StartError(f"{self.binary} ended with status {process.returncode}: {printed[0]}")
            time.sleep(0.02)
        return process.pid

    def stop(self) -> None:
        """Stops the embedded Redis that `start` started, if it still runs, and removes its files outside its data."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        self.clean()

    def clean(self) -> None:
        """Removes the files that are useless without the embedded Redis, but keeps its data."""
        (self.folder / "url").unlink(missing_ok=True)
        if self._short_folder is not None:
            shutil.rmtree(self._short_folder, ignore_errors=True)
            self._short_folder = None

    @property
    def _socket(self) -> Path:
        beside = self.folder / "redis.sock"
        if len(os.fsencode(beside)) <= LONGEST_SOCKET_PATH:
            return beside
        if self._short_folder is None:
            self._short_folder = Path(tempfile.mkdtemp(prefix="billet-", dir=_short_socket_folder()))
        return self._short_folder / "redis.sock"

    def _prepare(self) -> None:
        with using(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            newer = (self.folder / "appendonlydir").exists()
        # Redis 7 moved the log into its own folder. An older server would not find it there and would start empty.
        if newer and major_version(self.binary) < 7:
            raise StartError(
                f"{self.folder} was written by Redis 7 or newer, {self.binary} is older: put a newer one on the PATH"
            )
        with using(self.folder):
            (self.folder / "url").write_text(self.url)


@contextlib.contextmanager
def running(data_dir: Path, fsync: Fsync = "always", max_memory_mb: int = 0) -> Iterator[EmbeddedRedis]:
    """Runs an embedded Redis on `data_dir` for the length of a `with` block."""
    server = EmbeddedRedis(data_dir, fsync, max_memory_mb)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def machine_memory() -> int:
    """Returns the memory of this machine or container, in bytes, half of which the embedded Redis may use."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for name in CGROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):  # the file is missing, or holds `max`
            limits.append(int(Path(name).read_text()))
    return min(limits)


def url_in(data_dir: Path, *, soon: bool = False) -> str | None:
    """Returns the address of the embedded Redis that runs on `data_dir` now, or None when none does.

    One that does not answer runs too, as long as the data directory is locked; `soon` does not wait for its answer, or
    whether it is about to end. Raises StartError if this user may not look.
    """
    file = data_dir.resolve() / "redis" / "url"
    try:
        url = file.read_text()
    except PermissionError:
        raise StartError(f"only the user of `billet serve`, or root, may read {file}") from None
    except OSError:
        return None
    # It is empty when a start has found the disk full.
    if soon and in_use(data_dir, now=True):
        return url or None
    return url if url and (_redis_answers(url) or in_use(data_dir)) else None


def has_data(data_dir: Path) -> bool:
    """Returns whether an embedded Redis has stored anything below `data_dir`."""
    return any((data_dir / "redis").glob("appendonly*"))


def _redis_answers(url: str) -> bool:
    try:
        with contextlib.closing(redis.Redis.from_url(url, socket_timeout=1)) as client:
            return bool(client.ping())
    except (redis.ConnectionError, redis.TimeoutError):  # a server that is still loading is a ConnectionError too
        return False


def _short_socket_folder() -> str:
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= LONGEST_SOCKET_PATH // 2 else "/tmp"
