"""A rolling restart under play: processes of two versions of the code work on one Redis and are replaced one by one.

A balancer sends each request to any API process that runs, so each game is played with both versions. People play
through the Python package while calls are cut, lost and doubled on the way.
"""

import asyncio
import contextlib
import importlib
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import redis

from billet.redis import embedded
from tools.failovers.run import SETTINGS
from tools.players.calls import Client
from tools.players.crowd import Abandoned, Crowd, check_heard
from tools.players.ledger import (
    Ledger,
    check_answers,
    check_created,
    check_ended,
    check_whole,
    delays,
    read_logs,
)
from tools.players.retrying import Retrying
from tools.players.tables import CREATOR, EDITIONS, bot
from tools.testbed.bad_network import TWICE, BadNetwork, Cut, Mishap
from tools.testbed.installation import free_port, is_ready
from tools.testbed.installed import install, source_distribution

ROOT = Path(__file__).parents[2]
PARTS = ("worker --quick", "api", "worker", "api")
"""What an installation runs beside Redis, in the order in which it is replaced."""
FEWEST = ("worker", "api")
"""The same with one process of each kind: the new one starts before the old one is stopped."""
ROUGH = dict.fromkeys((Mishap.LOSE_ANSWER, Mishap.CUT_AMID, *TWICE), 0.02)
"""Mishaps that make clients repeat a call, mostly to another process than before."""
PATIENCE = 300
"""Seconds until it is an error that nothing happens."""


class Version(NamedTuple):
    """A version of the code, in a folder."""

    name: str
    folder: Path

    def command(self, *words):
        """Returns a command line of Python that runs its code."""
        return [sys.executable, "-P", *words]

    def environment(self, **settings):
        """Returns the environment of its code, which is found before the code that is installed."""
        found = {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        return {"PATH": os.environ["PATH"]} | found | SETTINGS | settings


PRESENT = Version("present", ROOT)


@contextlib.contextmanager
def checked_out(commit):
    """Yields the version of a commit, in a folder of its own.

    Raises:
        LookupError: this checkout has no such commit.
    """
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "-C", ROOT, "archive", commit], capture_output=True, check=False)
        if packed.returncode:
            raise LookupError(f"no commit {commit} in this checkout; a shallow one has few: git fetch --unshallow")
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Version(commit, Path(folder))


def client_of(version):
    """Returns the `billet_client` of a version, which people have who play while the service is upgraded.

    This process can import only one.
    """
    folder = version.folder / "build" / "client"
    distribution = source_distribution(version.folder / "clients" / "python", folder)
    install("--python", sys.executable, "--target", folder, distribution)
    sys.path.insert(0, str(folder))
    return importlib.import_module("billet_client")


class Balancer(BadNetwork):
    """Sends each request to any of the API processes that run."""

    def __init__(self) -> None:
        self.behind = {}
        """The versions of the processes, by port."""
        self.passed = Counter()
        """The requests that each version got."""
        self.pause = 0.0
        """Seconds that each request takes longer, so that less is played while processes start."""
        super().__init__(None, ROUGH)

    async def _connect(self):
        await asyncio.sleep(self.pause)
        behind = dict(self.behind)
        if not behind:
            raise Cut
        self._port = self._random.choice(list(behind))
        self.passed[behind[self._port]] += 1
        return await super()._connect()


class Part:
    """One process of an installation, now of one version, now of the other."""

    def __init__(self, words, redis_url, log, balancer) -> None:
        self.words, self.redis_url, self.log, self.balancer = words, redis_url, log, balancer
        self.process = self.port = self.version = None

    def start(self, version) -> None:
        """Starts it and waits until it works."""
        self.version, self.port = version, free_port()
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                version.command("-m", "billet", *self.words.split()),
                env=version.environment(REDIS_URL=self.redis_url, PORT=str(self.port)),
                stdout=stream,
                stderr=stream,
            )
        wait = self._api_is_ready if self.words == "api" else self._worker_is_ready
        self._until(wait)
        if self.words == "api":
            self.balancer.behind[self.port] = version.name

    def replace(self, version) -> None:
        """Takes it out of the balancer, stops it, and starts one of a version in its place."""
        self.retire()
        self.start(version)

    def beside(self):
        """Returns another one that has not been started."""
        return Part(self.words, self.redis_url, self.log, self.balancer)

    def retire(self) -> None:
        """Takes it out of the balancer and stops it."""
        self.balancer.behind.pop(self.port, None)
        self.stop()

    def stop(self) -> None:
        """Stops it, if it runs, and waits until it has ended."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            finally:
                self.process.kill()

    def _until(self, works) -> None:
        until = time.monotonic() + PATIENCE
        while not works():
            assert self.process.poll() is None, f"{self.words} of {self.version.name} has ended:\n{self.said()}"
            assert time.monotonic() < until, f"{self.words} of {self.version.name} does not start:\n{self.said()}"
            time.sleep(0.05)

    def _api_is_ready(self):
        with contextlib.closing(Client(f"http://127.0.0.1:{self.port}", timeout=10)) as client:
            return is_ready(client)

    def _worker_is_ready(self) -> bool:
        with redis.Redis.from_url(self.redis_url) as client:
            pids = [client.hget(name, "pid") for name in client.smembers("rq:workers")]
        return str(self.process.pid).encode() in pids

    def said(self):
        """Returns the end of its log."""
        return self.log.read_text(errors="replace")[-3000:]


class Rolling:
    """An installation in the middle of an upgrade, and those who play on it."""

    def __init__(self, folder, redis_url, balancer, package, clients, say, parts) -> None:
        self.folder, self.redis_url, self.balancer = folder, redis_url, balancer
        self.ledger = Ledger()
        self.crowd = Crowd(package, balancer, self.ledger, clients)
        self.say = say
        self.errors = []
        self.beside = [*itertools.product((self.play_alone, self.sleep), EDITIONS)]
        """The ways in which people play beside the crowd, each with the edition that is played so."""
        self.parts = [Part(words, redis_url, folder / f"{number}.log", balancer) for number, words in enumerate(parts)]

    def play(self, versions, actions):
        """Lets the crowd play while all processes become of each of the versions, one after the other.

        Before each step, and after the last, so many actions are answered.
        """
        first, *others = versions
        for part in sorted(self.parts, key=lambda part: part.words == "api"):  # an API is ready if a worker lives
            part.start(first)
        over = threading.Event()

        def roll(_) -> None:
            try:
                for version in others:
                    for number, part in enumerate(self.parts):
                        self._await(actions)
                        if self.crowd.failed.is_set():
                            return
                        if len(self.parts) == len(FEWEST):
                            self._overlap(number, version, actions)
                        else:
                            part.replace(version)
                        self.say(f"{len(self.ledger.taken)} actions answered; {part.words} is of {version.name}")
                self._await(actions)
            finally:
                over.set()
                self.balancer.heal()

        with ThreadPoolExecutor(len(self.beside)) as pool:
            for way, edition in self.beside:
                pool.submit(self._beside, way, edition, over)
            try:
                self.crowd.play(roll)
            except Abandoned:
                if not self.errors:
                    raise
        if self.errors:
            raise self.errors[0]

    def _overlap(self, number, version, actions) -> None:
        """Puts a process of a version in the place of another, which works beside it for so many actions."""
        old = self.parts[number]
        self.parts[number] = old.beside()
        try:
            self.parts[number].start(version)
            self._await(actions)
        finally:
            old.retire()

    def _await(self, actions) -> None:
        aim, until = len(self.ledger.taken) + actions, time.monotonic() + PATIENCE
        while len(self.ledger.taken) < aim and not self.crowd.failed.is_set():
            assert time.monotonic() < until, f"{actions} actions are not answered in {PATIENCE} s"
            time.sleep(0.02)

    def _beside(self, way, edition, over) -> None:
        """Plays one game after the other in a way, and resigns in the last one."""
        try:
            with contextlib.closing(Retrying(self.balancer.base, edition, self.ledger)) as person:
                while not over.is_set():
                    way(person, edition, over)
        except Exception as error:
            if not self.crowd.failed.is_set():
                self.errors.append(error)
                self.say(f"{edition}: {error}")
            self.crowd.failed.set()  # the others leave off too

    @staticmethod
    def play_alone(person, edition, over) -> None:
        """Plays with bots by a bank; asks for each answer again with the same key, of whichever version."""
        person.asks_again = 1
        clock = {"kind": "bank", "seconds": 60, "increment": 5, "on_timeout": "bot_plays"}
        seats = [CREATOR, bot("cautious"), bot("random")]
        game = person.create({"edition": edition, "seats": seats, "clock": clock})
        person.play(game, is_done=lambda view: over.is_set())
        person.resign(game)

    @staticmethod
    def sleep(person, edition, over) -> None:
        """Lets the clock run out at every turn, so that workers play."""
        clock = {"seconds": 1, "on_timeout": "bot_plays"}
        game = person.create({"edition": edition, "seats": [CREATOR, bot("random")], "clock": clock})
        version, until = 0, time.monotonic() + PATIENCE
        while (view := person.view(game))["status"] == "active" and not over.is_set():
            if view["version"] > version:
                version, until = view["version"], time.monotonic() + PATIENCE
            assert time.monotonic() < until, f"{game} hangs at version {version}"
            person.ask("GET", f"/v1/games/{game}/events?after={version}&wait=2")
        person.resign(game)

    def check(self, versions) -> str:
        """Checks everything that was answered, followed and stored; returns what it came to, in words."""
        with redis.Redis.from_url(self.redis_url) as client:
            logs = read_logs(client)
        check_ended(logs)
        check_whole(logs)
        check_created(self.ledger, logs)
        check_answers(self.ledger, logs)
        check_heard(self.crowd.heard, logs)
        assert {log.events[0]["data"]["edition"] for log in logs.values()} == set(EDITIONS)
        for part in self.parts:
            assert "Traceback" not in part.log.read_text(errors="replace"), f"{part.words}: {part.said()}"
        for version in versions:
            self._verify(version, len(logs))
        longest = Counter()
        for kind, _, delay in delays(logs, ()):
            longest[kind] = max(longest[kind], delay)
        waits = ", ".join(f"{kind} {delay:.1f} s" for kind, delay in sorted(longest.items()))
        passed = ", ".join(f"{name} {count}" for name, count in sorted(self.balancer.passed.items()))
        return (
            f"{len(logs)} games, {len(self.ledger.taken)} actions answered, "
            f"{len(self.ledger.lost)} never; "
            f"requests: {passed}; mishaps: {sum(self.balancer.befell.values())}; longest waits: {waits}"
        )

    def _verify(self, version, games) -> None:
        """Exports all games with the code of a version and verifies them with it."""
        with tempfile.TemporaryDirectory() as folder:
            for words in (["export", "-o", folder], ["verify", folder]):
                done = subprocess.run(
                    version.command("-m", "billet", *words),
                    env=version.environment(REDIS_URL=self.redis_url),
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, f"{version.name}, {words[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
            assert len(os.listdir(folder)) == games, (
                f"{version.name} exports {len(os.listdir(folder))} of {games} games"
            )


@contextlib.contextmanager
def prepared(folder, package, clients, say=print, parts=PARTS):
    """Yields an installation of some parts whose processes have not been started."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(embedded.running(folder / "data"))
        balancer = Balancer()
        stack.callback(balancer.close)
        made = Rolling(folder, server.url, balancer, package, clients, say, parts)
        stack.callback(lambda: [part.stop() for part in made.parts])
        yield made
