"""A storm: a crowd plays through the Python package while processes are killed and the network fails.

At its end the logs hold exactly the accepted actions, every game has ended, and whoever followed one has heard of each
of its events once and in order.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tools.players.crowd import Crowd, check_heard
from tools.players.ledger import (
    Ledger,
    Log,
    check_answers,
    check_created,
    check_delays,
    check_ended,
    check_whole,
    delays,
    read_logs,
)
from tools.testbed.bad_network import ROUGH, BadNetwork
from tools.testbed.fire import PAUSE, Fire
from tools.testbed.installation import Installation
from tools.testbed.installed import imported

SECONDS = 600
CLIENTS = 50
ACTIONS_BETWEEN = 25
"""How many actions are answered between one kill and the next."""
ALLOWED = 4.0
"""How many times as long as with a few players a bot or a clock may take, for fifty leave the machine no time."""
PATIENCE = 200
"""How many seconds longer than it should a storm may rage until enough has happened."""
TARGETS = ["redis"] * 3 + ["worker"] * 2 + ["api-process"] * 3 + ["api", f"{PAUSE}redis", f"{PAUSE}api-process"]


class Broken(Exception):
    """The logs are not what the crowd was told, or a client has failed."""


class Storm:
    """An installation, the network before it, a crowd, and what is killed meanwhile."""

    def __init__(self, installation: Installation, network: Any, clients: int, seed: int | None = None) -> None:
        self.installation, self.network = installation, network
        with installation.redis() as client:
            self.others = set(read_logs(client))
        self.ledger = Ledger()
        self.crowd = Crowd(imported(), network, self.ledger, clients, seed)
        self.fire = Fire(installation, seed)
        self.random = random.Random(seed)

    def rage(self, seconds: float, enough: Callable[[], bool] = lambda: True) -> None:
        """Lets the crowd play under fire for so many seconds and until it is enough, and its last games in peace."""
        until = time.monotonic() + seconds

        def fire(threads: Any) -> None:
            self.fire.run(self._targets(until, enough), threads)
            self.network.heal()

        self.crowd.play(fire)

    def _targets(self, until: float, enough: Callable[[], bool]) -> Iterator[str]:
        """Yields what is to be killed next, each time when there has been some play since the last one."""
        while True:
            aim = len(self.ledger.taken) + ACTIONS_BETWEEN
            while len(self.ledger.taken) < aim:
                late = time.monotonic() - until
                if (late > 0 and enough()) or self.crowd.failed.is_set():
                    return
                assert late < PATIENCE, f"not enough has happened, {PATIENCE} s too late"
                time.sleep(0.05)
            yield self.random.choice(TARGETS)

    def check(self) -> str:
        """Checks everything; returns what it came to, in words."""
        with self.installation.redis() as client:
            logs = read_logs(client, self.others)
        check_ended(logs)
        check_told(self.ledger, self.crowd.heard, logs)
        longest = check_delays(delays(logs, sorted(self.fire.outages)), ALLOWED)
        return (
            f"{len(logs)} games, {len(self.ledger.taken)} actions answered, {len(self.ledger.lost)} never,"
            f" {self.crowd.given_up} calls given up; {self.network.requests} requests,"
            f" {sum(self.network.befell.values())} mishaps, {len(self.fire.killed)} kills;"
            f" longest: {', '.join(f'{kind} {delay:.1f} s' for kind, delay in sorted(longest.items()))}"
        )


def check_told(ledger: Ledger, heard: Mapping[str, list[int]], logs: Mapping[str, Log]) -> None:
    """Checks that the logs are whole and hold what the crowd was told and has heard, and nothing else."""
    check_whole(logs)
    check_created(ledger, logs)
    check_answers(ledger, logs)
    check_heard(heard, logs)


@contextmanager
def prepared(folder: Path, clients: int, seed: int | None = None) -> Iterator["Storm"]:
    """A storm that has not begun yet, over an installation of its own."""
    installation = Installation(folder, API_PROCESSES="2", WORKERS="2")
    installation.start()
    with closing(installation), over(installation, clients, seed) as storm:
        yield storm


@contextmanager
def over(installation: Installation, clients: int, seed: int | None = None) -> Iterator["Storm"]:
    """A storm that has not begun yet, over an installation that runs."""
    with closing(BadNetwork(installation.port, ROUGH, seed)) as network:
        yield Storm(installation, network, clients, seed)


def run(seconds: float, clients: int) -> None:
    """Lets a storm rage.

    Raises:
        Broken: something is not as it should be afterwards, or a client has failed.
    """
    print(f"network: {clients} clients for {seconds} s", flush=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, prepared(Path(folder), clients) as storm:
        try:
            storm.rage(seconds)
            print(f"network: {storm.check()}, {time.monotonic() - begun:.0f} s", flush=True)
        except Exception as error:
            raise Broken(f"network: {error!r}") from error
