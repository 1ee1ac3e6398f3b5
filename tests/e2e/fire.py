"""Kills the processes of an installation at random moments, and notes when there was no Redis."""

import random
import signal
import subprocess
import sys
import time

import redis

from tests.e2e import sniper
from tests.e2e.processes import kill

AIMED = 0.7
"""How many of the kills are aimed at the moment in which a log is written; the others come at random."""
WHOLE_TREE, SUPERVISOR, PAUSE = "whole tree", "supervisor", "pause of "
"""What a plan may name beside the parts of an installation; the name of a part follows `PAUSE`."""


class Fire:
    """Kills the parts of an installation at random moments and notes when there was no Redis."""

    def __init__(self, installation, seed=None):
        self.installation = installation
        self.random = random.Random(seed)
        self.outages = []
        self.killed = []

    def run(self, plan, playing):
        """Kills what a plan names, one after the other, until its end or until somebody who plays has failed."""
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

    def kill_one(self, part):
        running = self.wait_for_part(part)
        begun = time.time()
        if self.random.random() < AIMED:
            self.aim(running)
        else:
            kill(self.random.choice(running), signal.SIGKILL)
        if part == "redis":
            self.note_outage(begun, self.wait_for_redis)

    def pause_one(self, part):
        paused = self.random.choice(self.wait_for_part(part))
        begun = time.time()
        if kill(paused, signal.SIGSTOP):
            time.sleep(self.random.uniform(0.3, 1.5))
            kill(paused, signal.SIGCONT)
        if part == "redis":
            self.note_outage(begun, self.wait_for_redis)

    def aim(self, processes):
        """Kills all processes of a part while a log is written."""
        command = [sys.executable, "-I", "-S", sniper.__file__, str(self.socket), "2"]
        subprocess.run(command + [str(process.pid) for process in processes], check=True, timeout=10)

    def wait_for_part(self, part):
        until = time.monotonic() + 15
        while not (running := self.installation.part(part)):
            assert time.monotonic() < until, f"{part} is not started again:\n{self.installation.said()[-2000:]}"
            time.sleep(0.02)
        return running

    @property
    def socket(self):
        return self.installation.data_dir / "redis" / "redis.sock"

    def kill_all(self, target):
        begun = time.time()
        if target == WHOLE_TREE:
            self.installation.kill_tree()
        else:
            self.installation.kill_supervisor()
        self.note_outage(begun, self.installation.start)

    def note_outage(self, begun, wait):
        wait()
        self.outages.append((begun, time.time()))

    def wait_for_redis(self):
        until = time.monotonic() + 15
        with self.installation.redis() as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError:
                    assert time.monotonic() < until, self.installation.said()[-2000:]
                    time.sleep(0.01)
