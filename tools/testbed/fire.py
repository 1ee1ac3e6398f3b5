"""Kills the processes of an installation at random moments, and notes when there was no Redis or no new worker yet."""

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import redis

from tools.testbed import kill_on_append
from tools.testbed.installation import Installation
from tools.testbed.processes import Process, kill, wait_until_gone
from tools.testbed.waiting import wait_until

AIMED = 0.7
"""How many of the kills are aimed at the moment in which a log is written; the others come at random."""
WHOLE_TREE, SUPERVISOR, PAUSE = "whole tree", "supervisor", "pause of "
"""What a plan may name beside the parts of an installation; the name of a part follows `PAUSE`."""
ALLOWED = 3.0
"""How many times as long a bot or a clock may take as in peace: what was killed starts again beside the games."""
RETURN_SECONDS = 90
"""Until a part that was killed is back; a busy machine takes some of them."""


class Fire:
    """Kills the parts of an installation at random moments and notes how long nothing can be expected of it.

    Each kill is one of a process that ran: if all of a part had ended by themselves, the next ones are killed.
    """

    def __init__(self, installation: Installation, seed: int | None = None) -> None:
        self.installation = installation
        self.random = random.Random(seed)
        self.outages: list[tuple[float, float]] = []
        """When there was no Redis, or no worker yet for those that were killed: pairs of seconds since 1970."""
        self.killed: list[str] = []
        self.watching: list[threading.Thread] = []
        """Threads that wait for a worker to be back."""

    def run(self, plan: Iterable[str], playing: Sequence[Future[Any]]) -> None:
        """Kills what a plan names, one after the other, until its end or until somebody who plays has failed.

        Returns when everything is back.
        """
        try:
            self._run(plan, playing)
        finally:
            self.wait_for_all()

    def wait_for_all(self) -> None:
        """Waits until every worker that was killed has been followed by another one."""
        for thread in self.watching:
            thread.join(RETURN_SECONDS)

    def _run(self, plan: Iterable[str], playing: Sequence[Future[Any]]) -> None:
        for target in plan:
            if any(thread.done() for thread in playing):
                return
            # Sometimes the next one is killed while the last one is still starting.
            time.sleep(self.random.choice([0, 0.2, 0.5, 0.8, 1.2]) * self.random.random() * 2)
            if target.startswith(PAUSE):
                self.pause_one(target.removeprefix(PAUSE))
                continue
            if target in (WHOLE_TREE, SUPERVISOR):
                self.kill_all(target)
            else:
                self.kill_one(target)
            self.killed.append(target)

    def kill_one(self, part: str) -> None:
        """Kills one process of a part and waits until it is back."""
        known = self.workers()
        until = time.monotonic() + RETURN_SECONDS
        while True:
            running = self.wait_for_part(part)
            begun = time.time()
            if self.random.random() < AIMED:
                hit = self.aim(running)
            else:
                hit = kill(self.random.choice(running), signal.SIGKILL)
            if hit:
                break
            assert time.monotonic() < until, f"{part} ends by itself again and again"
        if part == "redis":
            self.note_outage(begun, self.wait_for_redis)
        elif part == "worker":
            self.watch_for_worker(begun, known)

    def pause_one(self, part: str) -> None:
        """Has one process of a part stand still for a moment."""
        paused = self.random.choice(self.wait_for_part(part))
        begun = time.time()
        if kill(paused, signal.SIGSTOP):
            time.sleep(self.random.uniform(0.3, 1.5))
            kill(paused, signal.SIGCONT)
        if part == "redis":
            self.note_outage(begun, self.wait_for_redis)

    def aim(self, processes: Iterable[Process]) -> int:
        """Kills all processes of a part while a log is written; how many there were still."""
        command = [sys.executable, "-I", "-S", kill_on_append.__file__, str(self.socket), "2"]
        command += [str(process.pid) for process in processes]
        return int(subprocess.run(command, check=True, timeout=RETURN_SECONDS, stdout=subprocess.PIPE).stdout)

    def wait_for_part(self, part: str) -> list[Process]:
        """Returns the processes of a part, once there are some."""
        return wait_until(lambda: self.installation.part(part), self.installation.said, RETURN_SECONDS)

    @property
    def socket(self) -> Path:
        """Returns the socket of Redis."""
        return self.installation.data_dir / "redis" / "redis.sock"

    def kill_all(self, target: str) -> None:
        """Kills the supervisor, alone or with all that it started, and starts it again."""
        begun = time.time()
        if target == WHOLE_TREE:
            self.installation.kill_tree()
        else:
            tree = self.installation.tree()
            self.installation.kill_supervisor()
            # They end with it; one that is still ending would hold the port or the data, and the next start fail.
            assert wait_until_gone(tree, RETURN_SECONDS) == []
        self.note_outage(begun, self.installation.start)

    def note_outage(self, begun: float, wait: Callable[[], object]) -> None:
        """Notes how long it took until something is back."""
        wait()
        self.outages.append((begun, time.time()))

    def wait_for_redis(self) -> None:
        """Waits until Redis answers."""
        until = time.monotonic() + RETURN_SECONDS
        with self.installation.redis() as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError:
                    assert time.monotonic() < until, self.installation.said()[-2000:]
                    time.sleep(0.05)

    def watch_for_worker(self, begun: float, known: set[bytes]) -> None:
        """Notes, as soon as it is over, how long there has been no worker but those that were known."""
        back = partial(self.wait_for_another_worker, known)
        self.watching.append(threading.Thread(target=self.note_outage, args=(begun, back)))
        self.watching[-1].start()

    def wait_for_another_worker(self, known: set[bytes]) -> None:
        """Waits for a worker that was not known."""
        until = time.monotonic() + RETURN_SECONDS
        while not self.workers() - known and time.monotonic() < until:
            time.sleep(0.1)

    def workers(self) -> set[bytes]:
        """The names that workers have given themselves when they began to work; each has one of its own."""
        with suppress(redis.RedisError, OSError, ValueError), self.installation.redis() as client:
            return set(client.smembers("rq:workers"))
        return set()
