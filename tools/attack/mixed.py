"""Attacks at random beside ten people who play through the Python client, and what these notice of it."""

import contextlib
import multiprocessing
import random
import threading
import time
from collections import Counter
from typing import Any

from tools.attack.runner import ATTACKS, MOST_MB
from tools.attack.target import Noticed, Target
from tools.testbed.installed import imported

BY_CLIENTS = sorted({*ATTACKS} - {"full_redis"})
"""What clients can do; nobody but the machine can have Redis take nothing in."""
PEOPLE = 10
MOST_MS = 250.0
_PROCESSES = multiprocessing.get_context("spawn")


def mixed(target: Target, seconds: float) -> int:
    """Attacks for so long, prints what people noticed and what is held; returns whether it was too much."""
    imported()  # installs the client, if need be, before time is taken
    here, there = _PROCESSES.Pipe()
    process: Any = _PROCESSES.Process(target=_people, args=(target.installation.base, there), daemon=True)
    process.start()
    here.recv()
    begin, rng, made = target.memory(), random.Random(4), 0
    until, half = time.monotonic() + seconds, None
    while time.monotonic() < until:
        if half is None and time.monotonic() > until - seconds / 2:
            half = target.memory()
        with contextlib.suppress(AssertionError):
            ATTACKS[rng.choice(BY_CLIENTS)](target)
        made += 1
    here.send("stop")
    took, refused, ended = here.recv()
    noticed = Noticed(took)
    print(f"{made} attacks in {seconds:.0f} s beside {PEOPLE} people: {len(took)} actions, {ended} games ended")
    print(f"their actions: median {noticed.median():.1f} ms, p99 {noticed.p99():.1f} ms; refused: {refused or 'none'}")
    end, half = target.memory(), half or begin
    print(f"memory of API/workers/Redis: {begin} MB at the start, {half} MB at half time, {end} MB at the end")
    grown = max(getattr(end, part) - getattr(half, part) for part in ("api", "workers", "redis"))
    return int(bool(refused) or noticed.p99() > MOST_MS or grown > MOST_MB)


def _people(url: str, told: Any) -> None:
    stop, took, refused, ended = threading.Event(), list[float](), Counter[str](), Counter[str]()
    people = [threading.Thread(target=_play, args=(url, stop, took, refused, ended)) for _ in range(PEOPLE)]
    for person in people:
        person.start()
    told.send("ready")
    told.recv()
    stop.set()
    for person in people:
        person.join(60)
    told.send((took, dict(refused), ended["games"]))


class _Stopped(Exception):
    """It is time to go."""


def _play(url: str, stop: threading.Event, took: list[float], refused: "Counter[str]", ended: "Counter[str]") -> None:
    """Plays one game against a bot after the other, an action a moment."""
    billet: Any = imported()
    client, rng = billet.Billet(url).register("Ann"), random.Random()
    act = client.act

    def timed(*given: Any, **more: Any) -> Any:
        begun = time.perf_counter()
        try:
            return act(*given, **more)
        finally:
            took.append((time.perf_counter() - begun) * 1000)

    def choose(view: Any) -> Any:
        if stop.wait(0.3):
            raise _Stopped
        return rng.choice(view.legal_actions)

    client.act = timed
    while not stop.is_set():
        try:
            client.play(client.create("standard", ["creator", "cautious"]), choose)
            ended["games"] += 1
        except _Stopped:
            return
        except billet.BilletError as error:
            refused[f"{type(error).__name__}: {error}"[:100]] += 1
            time.sleep(1)
