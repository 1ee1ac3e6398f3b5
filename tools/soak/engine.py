"""Random games in memory at every table, on all cores, with the invariants of `tests.engine.rules.invariants`.

The first game that breaks one ends the run; its edition, seats and seed repeat it.
"""

import os
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait
from contextlib import nullcontext

from tests.engine.random_games import TABLES, of_all_kinds
from tests.engine.rules.invariants import cheaply, closely

GAMES = 20_000
CHUNK = 500
CLOSELY_EVERY = 49
"""Neither a multiple of 2 nor of 3: games of every kind (`of_all_kinds`) are looked at closely."""


class Broken(Exception):
    """A game breaks an invariant."""

    def __init__(self, edition: str, seats: int, seed: int | None, why: object) -> None:
        super().__init__(edition, seats, seed, why)
        self.edition, self.seats, self.seed, self.why = edition, seats, seed, why

    def __str__(self) -> str:
        again = f"python -m tools.soak engine --tables {self.edition}-{self.seats} --seeds {self.seed}"
        return f"{self.why}\nBROKEN: {self.edition}, {self.seats} seats, seed {self.seed}; again: {again}"


def play(edition: str, seats: int, seeds: Sequence[int], closely_every: int = CLOSELY_EVERY) -> Counter[str]:
    """Plays a game for each seed; returns how often each event happened, in one process.

    Raises:
        Broken: at the first game that breaks an invariant.
    """
    happened: Counter[str] = Counter()
    for seed in seeds:
        check = closely if seed % closely_every == 0 else cheaply
        try:
            _, log = check(edition, seats, seed, **of_all_kinds(edition, seed))
        except Exception:
            raise Broken(edition, seats, seed, traceback.format_exc()) from None
        happened.update([event.type for event in log])
    return happened


def run(
    tables: Sequence[tuple[str, int]] = TABLES, games: int = GAMES, jobs: int | None = None, first: int = 0
) -> None:
    """Plays so many games at every table and prints what they came to.

    Raises:
        Broken: at the first game that breaks an invariant.
    """
    begun = time.monotonic()
    jobs = jobs or os.cpu_count() or 1
    print(f"engine: {games:,} games at each of {len(tables)} tables, {jobs} processes", flush=True)
    by_edition: dict[str, Counter[str]] = {edition: Counter() for edition, _ in tables}
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        for edition, seats in tables:
            since = time.monotonic()
            last = first + games
            chunks = [range(seed, min(seed + CHUNK, last)) for seed in range(first, last, CHUNK)]
            happened = together(pool, [(edition, seats, chunk) for chunk in chunks])
            by_edition[edition] += happened
            took = time.monotonic() - since
            print(f"  {edition:<9} {seats} seats: {summary(happened)}, {took:.0f} s", flush=True)
    for edition, happened in by_edition.items():
        print(f"  {edition}: {', '.join(f'{name} {count:,}' for name, count in sorted(happened.items()))}")
    everything: Counter[str] = sum(by_edition.values(), Counter())
    took = time.monotonic() - begun
    print(f"engine: {summary(everything)}, {took:.0f} s; no invariant is broken", flush=True)


def summary(happened: Counter[str]) -> str:
    """Returns in words what a row of games came to."""
    counted = {"games": "game_finished", "rounds": "round_started", "plays": "card_played", "answers": "decision_taken"}
    return ", ".join(f"{happened[event]:,} {name}" for name, event in counted.items())


def together(pool: ProcessPoolExecutor | None, calls: Sequence[tuple[str, int, range]]) -> Counter[str]:
    """Plays rows of games and adds them up, in a pool's processes if there is one; the first that fails ends it all."""
    if pool is None:
        return sum((play(*call) for call in calls), Counter())
    futures = [pool.submit(play, *call) for call in calls]
    done, _ = wait(futures, return_when=FIRST_EXCEPTION)
    for future in done:
        if (error := future.exception()) is not None:
            pool.shutdown(wait=False, cancel_futures=True)
            raise error
    return sum((future.result() for future in futures), Counter())
