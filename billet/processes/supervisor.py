"""Starts groups of children in order, keeps them running, and stops them in reverse order."""

import asyncio
import signal
from collections.abc import Callable, Iterable, Sequence

from billet.processes.child import ChildProcess, Spec
from billet.processes.console_log import ConsoleLog

# A terminal, make or timeout(1) may each pass on the same signal; a later one means impatience.
SAME_REQUEST = 0.5  # seconds
READY_CHECK = 0.05  # seconds between two readiness checks


class Supervisor:
    """A process tree: groups of children, each started when the groups before it are ready."""

    def __init__(self, groups: Sequence[Sequence[Spec]], log: ConsoleLog) -> None:
        self._groups = [[ChildProcess(spec, log) for spec in group] for group in groups]
        self._log = log
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._asked = 0.0
        self._keepers: list[asyncio.Task[None]] = []

    async def run(self, when_ready: Callable[[], None]) -> None:
        """Runs all processes of `billet serve` until SIGINT, SIGTERM or SIGHUP; a second signal stops at once.

        Calls `when_ready` once all groups are ready. If a child exits by itself before that, and no other was killed,
        stops everything and raises StartError.
        """
        self._listen()
        stopping = asyncio.ensure_future(self._stop.wait())
        starting = asyncio.ensure_future(self._start())
        try:
            await asyncio.wait([stopping, starting], return_when=asyncio.FIRST_COMPLETED)
            if not stopping.done():
                starting.result()
                when_ready()
                await stopping
        finally:
            starting.cancel()
            stopping.cancel()
            self._log.say("billet", "stopping")
            await self._stop_all()

    async def _start(self) -> None:
        for group in self._groups:
            keepers = [asyncio.ensure_future(child.keep_running(self._somebody_was_killed)) for child in group]
            self._keepers += keepers
            ready = asyncio.ensure_future(_wait_until_ready(child.spec for child in group))
            # A child of an earlier group may fail while a later one gets ready.
            await asyncio.wait([ready, *self._keepers], return_when=asyncio.FIRST_COMPLETED)
            if not ready.done():
                ready.cancel()
            for keeper in self._keepers:
                if keeper.done():
                    keeper.result()
        for child in self._children():
            child.settled = True

    async def _stop_all(self) -> None:
        for group in reversed(self._groups):
            await asyncio.gather(*(child.stop(self._hurry) for child in group))
        await asyncio.gather(*self._keepers, return_exceptions=True)

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._asked_to_stop)
        loop.add_signal_handler(signal.SIGCHLD, self._look_at_all)

    def _asked_to_stop(self) -> None:
        now = asyncio.get_running_loop().time()
        if not self._stop.is_set():
            self._asked = now
            self._stop.set()
        elif now - self._asked > SAME_REQUEST:
            self._hurry.set()

    def _look_at_all(self) -> None:
        for child in self._children():
            child.look()

    def _somebody_was_killed(self) -> bool:
        # A worker whose Redis was killed exits by itself, which does not mean that it cannot start.
        return any(child.killed for child in self._children())

    def _children(self) -> Iterable[ChildProcess]:
        return (child for group in self._groups for child in group)


async def _wait_until_ready(specs: Iterable[Spec]) -> None:
    for spec in specs:
        while spec.ready is not None and not await spec.ready():
            await asyncio.sleep(READY_CHECK)
