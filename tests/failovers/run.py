"""Failovers under play: the primary is killed or frozen, the replica promoted, and what was answered looked for."""

import contextlib
import itertools
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.failovers.players import Crowd, lost
from tests.failovers.relay import Relay
from tests.installation import installed
from tests.service.store.cluster_nodes import wait_until
from tests.service.store.replica_pair import Server

LIMITS = ("ACTING", "READING", "CREATING", "JOINING", "REGISTERING")
SETTINGS = {f"LIMIT_{name}{address}": "0" for name in LIMITS for address in ("", "_ADDRESS")} | {
    "OPEN_GAMES": "0",
    "OPEN_GAMES_PER_ADDRESS": "0",
}
SETTINGS.pop("LIMIT_REGISTERING")
WAYS = ("killed", "frozen")


@dataclass
class Outcome:
    """What came of failovers."""

    failovers: int = 0
    answered: int = 0
    lost: int = 0
    repeated: int = 0
    """Calls that got no answer, or a 5xx, and were repeated."""
    losing: int = 0
    """Failovers that lost something."""
    away: list = field(default_factory=list)
    """For how many seconds of each failover nothing was answered."""


class Stand:
    """A primary and its replica, and the address that leads to the primary."""

    def __init__(self, folder, delay):
        self._folder, self._delay, self._number = folder, delay, itertools.count()
        self.servers = []
        self.primary = self._server()
        self.address = Relay(self.primary.port)
        self.line = self.replica = None
        self.add_replica()

    def _server(self):
        server = Server(self._folder / str(next(self._number)))
        self.servers.append(server)
        return server

    def add_replica(self):
        """Starts an empty replica, and returns when it confirms what the primary writes."""
        self.replica, self.line = self._server(), Relay(self.primary.port, self._delay)
        self.replica.follow(self.line.port)
        wait_until(self._confirms)

    def _confirms(self):
        self.primary.client.set("failovers", 1)
        if self.primary.knows_waitaof():
            return self.primary.client.execute_command("WAITAOF", 1, 1, 1000)[1] == 1
        return self.primary.client.wait(1, 1000) == 1

    def fail_over(self, way):
        """Loses the primary with all that is on the line, and promotes the replica."""
        old = self.primary
        if way == "killed":
            old.kill()
        else:
            old.freeze()
        self.line.lead(None)
        self.replica.promote()
        self.address.lead(self.replica.port)
        if way == "frozen":
            old.kill()
        self.line.close()
        self.primary = self.replica

    def close(self):
        """Ends everything."""
        self.line.close()
        self.address.close()
        for server in self.servers:
            server.kill()


@contextlib.contextmanager
def standing(durability, delay, *, direct=False):
    """Runs an installation on a primary with a replica; yields both."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        stand = Stand(folder, delay)
        stack.callback(stand.close)
        port = stand.primary.port if direct else stand.address.port
        settings = SETTINGS | {"REDIS_URL": f"redis://127.0.0.1:{port}", "DURABILITY": durability}
        yield stand, stack.enter_context(installed(folder / "data", folder / "log", **settings))


def failovers(durability, count, people=8, delay=0.005, seed=0, say=lambda text: None):
    """Plays through so many failovers."""
    rng, outcome = random.Random(seed), Outcome()
    with standing(durability, delay) as (stand, made), Crowd(made.port, people) as crowd:
        for number in range(count):
            wait_until(lambda: crowd.count() > 20 * people)
            time.sleep(rng.random())
            begun = time.monotonic()
            stand.fail_over(WAYS[number % 2])
            answered = crowd.taken()
            if durability == "replicated":
                stand.add_replica()  # before it nothing is answered
            wait_until(lambda: crowd.count() > 0)
            outcome.away.append(time.monotonic() - begun)
            gone = lost(made.port, answered)
            if durability != "replicated":
                stand.add_replica()
            outcome.failovers += 1
            outcome.answered += len(answered)
            outcome.lost += len(gone)
            outcome.losing += bool(gone)
            say(f"{durability}: primary {WAYS[number % 2]}, {len(answered)} answered, {len(gone)} lost")
        outcome.repeated = crowd.unanswered
    return outcome


def cost(durability, people, seconds):
    """Returns median and 99th percentile of an action's milliseconds, and actions a second, without failovers."""
    with standing(durability, 0.0, direct=True) as (_, made), Crowd(made.port, people) as crowd:
        wait_until(lambda: crowd.count() > 50)
        del crowd.seconds[:]
        begun = time.monotonic()
        time.sleep(seconds)
        taken, passed = list(crowd.seconds), time.monotonic() - begun
    cuts = statistics.quantiles(taken, n=100)
    return cuts[49] * 1000, cuts[98] * 1000, len(taken) / passed
