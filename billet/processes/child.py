"""Keeps one child process running, and stops it with everything it started."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from billet.errors import StartError
from billet.parent_death import dies_with
from billet.processes.console_log import ConsoleLog, LineSplitter

FIRST_DELAY = 0.1  # seconds before a restart; doubles while the child keeps dying early
LONGEST_DELAY = 0.8  # if it is killed
PATIENT_DELAY = 12.8  # if it ends by itself: haste does not help what cannot run, such as a Redis whose disk is full
GROWN_UP = 2.0  # seconds of life after which an exit does not count as early


@dataclass(frozen=True, slots=True)
class Spec:
    """The command to run, its additions to the environment, and its readiness check."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    ready: Callable[[], Awaitable[bool]] | None = None
    inherited: tuple[int, ...] = ()  # file descriptors the child keeps open
    patience: float = 5.0  # seconds between SIGTERM and SIGKILL


class ChildProcess:
    """One process in a session of its own, restarted whenever it ends unexpectedly."""

    def __init__(self, spec: Spec, log: ConsoleLog) -> None:
        self.spec = spec
        self.settled = False  # until then, an exit of its own counts as a failed start
        self.killed = False  # whether a signal has ever ended it unexpectedly
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = asyncio.Event()
        self._stopping = asyncio.Event()

    async def keep_running(self, excused: Callable[[], bool]) -> None:
        """Runs one process of `billet serve` and restarts it until `stop`.

        Raises StartError when it exits by itself before it is settled, unless `excused`.
        """
        delay = FIRST_DELAY
        while not self._stopping.is_set():
            born = time.monotonic()
            status = await self._run_once()
            if self._stopping.is_set():
                return
            if not self.settled and status >= 0 and not excused():
                raise StartError(f"{self.spec.name} ended with status {status} while starting; its last lines say why")
            longest = PATIENT_DELAY if status >= 0 else LONGEST_DELAY
            delay = FIRST_DELAY if time.monotonic() - born > GROWN_UP else min(delay * 2, longest)
            when = f" in {delay:.0f} s" if delay > LONGEST_DELAY else ""
            self._log.say("billet", f"{self.spec.name} {_child_exit_text(status)}; starting it again{when}")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), delay)

    def look(self) -> None:
        """Checks whether a process of `billet serve` has ended (called on SIGCHLD)."""
        if self._process is not None and self._process.poll() is not None:
            self.killed = self.killed or (self._process.returncode < 0 and not self._stopping.is_set())
            self._ended.set()

    async def stop(self, hurry: asyncio.Event) -> None:
        """Ends a process of `billet serve` with a signal; kills it after the spec's patience or when `hurry` is set."""
        self._stopping.set()
        process = self._process
        if process is None:
            return
        process.terminate()
        waits = [asyncio.ensure_future(event.wait()) for event in (self._ended, hurry)]
        await asyncio.wait(waits, timeout=self.spec.patience, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if not self._ended.is_set():
            self._log.say("billet", f"{self.spec.name} does not stop; killing it")
            self._kill_group(process.pid)
        await self._ended.wait()

    async def _run_once(self) -> int:
        self._ended.clear()
        reading, writing = os.pipe()
        try:
            process = subprocess.Popen(
                self.spec.command,
                env={**os.environ, **self.spec.environment},
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                pass_fds=self.spec.inherited,
                # In its own session, Ctrl-C reaches only the supervisor, which then stops the parts in order.
                start_new_session=True,
                preexec_fn=dies_with(os.getpid()),
            )
        except OSError as error:
            os.close(reading)
            self._log.say("billet", f"{self.spec.name} cannot be run: {error}")
            return 127
        finally:
            os.close(writing)
        self._process = process
        splitter = LineSplitter(self._log, self.spec.name)
        loop = asyncio.get_running_loop()
        os.set_blocking(reading, False)
        loop.add_reader(reading, self._read_output, reading, splitter)
        self.look()  # it may have ended before `_process` was set
        await self._ended.wait()
        self._process = None
        self._kill_group(process.pid)
        self._read_output(reading, splitter)
        loop.remove_reader(reading)
        os.close(reading)
        splitter.end()
        return process.returncode

    def _read_output(self, descriptor: int, splitter: LineSplitter) -> None:
        while True:
            try:
                chunk = os.read(descriptor, 65536)
            except BlockingIOError:
                return
            if not chunk:
                # End of file: without this the loop would call again at once, forever.
                asyncio.get_running_loop().remove_reader(descriptor)
                return
            splitter.feed(chunk)

    def _kill_group(self, group: int) -> None:
        # Otherwise processes that the child started, such as an API server's, would hold the port and the log open.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def _child_exit_text(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-status).name}"
    return f"was killed by signal {-status}"
