"""Whether `billet check` of a large installation delays actions: actions alone and beside it, in turn, in one run."""

import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from billet.redis import embedded as embedded_redis
from service import build
from service.settings import Settings
from tests.benchmarks.http.action import served
from tests.benchmarks.http.flood import latencies
from tests.benchmarks.http.scripted import scripted_game
from tests.games.whole_logs import stored_log
from tests.service.stored import put_game

GAMES = 20_000
BATCH = 200
REPEATS = 6
COURSES = 4
"""Games that are played for each figure."""


def run() -> None:
    """Prints the times of actions, alone and beside a check, their ratios, and how fast games are checked."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings = Settings(redis_url=own.url)
        service = build(settings)
        events = _fill(own.url)
        with served(["-m", "billet", "api"], settings, "/healthz") as server:
            latencies(server, scripted_game(service, 4, 1))
            alone: list[list[float]] = []
            beside: list[list[float]] = []
            for repeat in range(REPEATS):
                courses = [scripted_game(service, 4, 400_000 + 10 * repeat + n) for n in range(2 * COURSES)]
                alone.append([one for course in courses[:COURSES] for one in latencies(server, course)])
                with _checking(own.url):
                    beside.append([one for course in courses[COURSES:] for one in latencies(server, course)])
            for name, share in (("median", 0.5), ("p99", 0.99)):
                pairs = [(_quantile(a, share), _quantile(b, share)) for a, b in zip(alone, beside, strict=True)]
                ratio = statistics.median(b / a for a, b in pairs)
                one, other = (1000 * statistics.median(values) for values in zip(*pairs, strict=True))
                print(f"check: {name} of an action {other:.2f} ms beside it, {one:.2f} ms alone: {ratio:.2f} times")
        began = time.monotonic()
        with _checking(own.url, "--anew") as check:
            said = check.communicate()[0].decode().split()
        assert (int(said[1]) > GAMES, said[2:]) == (True, ["damaged:", "0"])
        rate = int(said[1]) / (time.monotonic() - began)
        print(f"check: {said[1]} games of about {events:.0f} events, {rate:,.0f} a second, resting half of the time")


def _fill(url: str) -> float:
    """Writes ended games into a Redis, short ones of few kinds; returns how many events they have, on average."""
    rng = random.Random(1)
    logs = [stored_log("classic", 2, seed) for seed in (25, 29, 33)]
    with redis.Redis.from_url(url) as client:
        for begin in range(0, GAMES, BATCH):
            with client.pipeline(transaction=False) as pipe:
                for number in range(begin, begin + BATCH):
                    first, *events = rng.choice(logs)
                    put_game(pipe, [{**first, "data": {**first["data"], "game": f"game{number}"}}, *events])
                pipe.execute()
    return statistics.mean(map(len, logs))


def _checking(url: str, *words: str) -> "subprocess.Popen[bytes]":
    """Begins a check; as a context it ends with it."""
    return _Check(
        [sys.executable, "-P", "-m", "billet", "check", *words],
        env=os.environ | {"REDIS_URL": url, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


class _Check(subprocess.Popen):  # type: ignore[type-arg]
    """A check that is interrupted at the end of a `with` block, and goes on with the next one."""

    def __exit__(self, *error: object) -> None:
        self.terminate()
        super().__exit__(*error)  # type: ignore[arg-type]


def _quantile(taken: list[float], share: float) -> float:
    return sorted(taken)[int(len(taken) * share)]
