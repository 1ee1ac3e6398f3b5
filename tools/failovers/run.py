"""Failovers under play: the primary is lost, its replica promoted, and what was answered looked for."""

import contextlib
import itertools
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tools.failovers.on_cluster import ClusterStand
from tools.failovers.players import Crowd, lost
from tools.testbed.installation import installed
from tools.testbed.relay import Relay
from tools.testbed.replica_pair import Server
from tools.testbed.waiting import wait_until

SETTINGS = dict.fromkeys(("LIMIT_ACTING", "LIMIT_READING", "LIMIT_CREATING", "LIMIT_REGISTERING", "OPEN_GAMES"), "0")
WAYS = ("killed", "frozen", "cut")
"""To lose a primary. A `cut` one goes on, reached by nobody."""


@dataclass
class Outcome:
    """What came of failovers."""

    answered: int = 0
    lost: int = 0
    losing: int = 0
    """Failovers that lost something."""
    back: int = 0
    """Times that players read a version before one that they had been answered."""
    withdrawn: int = 0
    """Times that a bystander read a version before one that it had read."""
    away: list = field(default_factory=list)
    """How many seconds it took after each failover until a change was answered by those who had to change over."""

    @property
    def failovers(self):
        """How many there were."""
        return len(self.away)


class Stand:
    """A primary and its replica, and the address that leads to the primary."""

    def __init__(self, folder, delay) -> None:
        self._folder, self._delay, self._number = folder, delay, itertools.count()
        self.servers = []
        self.primary = self._server()
        self.address = Relay(self.primary.port)
        self.settings = {"REDIS_URL": f"redis://127.0.0.1:{self.address.port}"}
        self.line = self.replica = None
        self.add_replica()

    def _server(self):
        server = Server(self._folder / str(next(self._number)))
        self.servers.append(server)
        return server

    def add_replica(self) -> None:
        """Starts an empty replica, and returns when it confirms what the primary writes."""
        self.replica, self.line = self._server(), Relay(self.primary.port, self._delay)
        self.replica.follow(self.line.port)
        wait_until(self._confirms)

    def _confirms(self):
        self.primary.client.set("failovers", 1)
        if self.primary.knows_waitaof():
            return self.primary.client.execute_command("WAITAOF", 1, 1, 1000)[1] == 1
        return self.primary.client.wait(1, 1000) == 1

    def place(self, _game) -> int:
        """Returns that each game is in the same place."""
        return 0

    def fail_over(self, way, _place) -> None:
        """Loses the primary with all that is on the line, and promotes the replica.

        Who cuts a primary cuts it from its replica first: until clients are led elsewhere, it takes what they write.
        """
        old = self.primary
        if way == "killed":
            old.kill()
        elif way == "frozen":
            old.freeze()
        self.line.lead(None)
        self.replica.promote()
        self.address.lead(self.replica.port)
        if way == "cut":
            assert old.client.wait(1, 20) == 0, "cut off, and yet it confirms"
        self.primary = self.replica

    def restore(self, _way, _place) -> None:
        """Starts a new replica in place of the lost primary, which ends."""
        self.line.close()
        self.servers.pop(0).kill()
        self.add_replica()

    def close(self) -> None:
        """Ends everything."""
        self.line.close()
        self.address.close()
        for server in self.servers:
            server.kill()


@contextlib.contextmanager
def standing(durability, delay, *, direct=False, cluster=False, **settings):
    """Runs an installation on a primary with a replica, or on a cluster; yields both."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        stand = (ClusterStand if cluster else Stand)(folder, delay)
        stack.callback(stand.close)
        settings = SETTINGS | stand.settings | {"DURABILITY": durability} | settings
        if direct:
            settings["REDIS_URL"] = stand.primary.url
        made = stack.enter_context(installed(folder / "data", **settings))
        assert not (made.data_dir / "redis").exists(), "it runs a Redis of its own beside the one that it was given"
        yield stand, made


def failovers(durability, count, people=8, delay=0.005, seed=0, cluster=False, watched=True, **settings):
    """Plays through so many failovers, and returns what came of each way to lose a primary."""
    rng, outcomes, batches = random.Random(seed), {way: Outcome() for way in WAYS}, []
    with standing(durability, delay, cluster=cluster, **settings) as (stand, made):
        with Crowd(made.port, people, watched) as crowd:
            for number in range(count):
                wait_until(lambda: len(crowd.waiting()) > 10 * people)
                time.sleep(rng.random() / 2)
                crowd.way = way = WAYS[number % len(WAYS)]
                place = stand.place(rng.choice(list(crowd.playing.values()))[0])
                begun = time.monotonic()
                stand.fail_over(way, place)
                over = time.monotonic()
                stand.restore(way, place)
                outcomes[way].away.append(_first(crowd, stand, place, over) - begun)
                batches.append((way, crowd.taken()))  # with what a primary answered that came back too early
        for way, answered in batches:
            gone = len(lost(made.port, answered))
            outcomes[way].answered += len(answered)
            outcomes[way].lost += gone
            outcomes[way].losing += bool(gone)
        for way, outcome in outcomes.items():
            outcome.back, outcome.withdrawn = crowd.back.count(way), crowd.withdrawn.count(way)
    return outcomes


def _first(crowd, stand, place, since):
    """Waits until a change is answered in a place, and returns when the first one was since a time."""
    found = []

    def answered():
        found.extend(
            one.at for one in crowd.waiting() if one.game and one.at > since and stand.place(one.game) == place
        )
        return found

    wait_until(answered)
    return found[0]


def cost(durability, people, seconds):
    """Returns median and 99th percentile of an action's milliseconds, and actions a second, without failovers."""
    with standing(durability, 0.0, direct=True) as (_, made), Crowd(made.port, people) as crowd:
        wait_until(lambda: len(crowd.waiting()) > 50)
        del crowd.seconds[:]
        begun = time.monotonic()
        time.sleep(seconds)
        taken, passed = list(crowd.seconds), time.monotonic() - begun
    cuts = statistics.quantiles(taken, n=100)
    return cuts[49] * 1000, cuts[98] * 1000, len(taken) / passed
