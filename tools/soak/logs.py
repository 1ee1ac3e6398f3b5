"""Whole games as portable logs, and a change to each: true ones are valid for both verifiers, and no other is.

A change is to one value anywhere, the secret and the digest too, or to the order: events or steps dropped, doubled,
swapped. It is made as an accident would, with the digest as it was, and as a forger would, with a new one. What
`docs/logs.md` says that a log cannot prove is left out of the latter. The verifier in JavaScript checks the deals
alone, so it must find the former; how many of the latter it finds is counted.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from games.records.portable import as_json, parsed
from games.records.verification import verify
from tests.games.records.mutations import changed, is_testimony, kind_of, mixed_up, sampled, sealed
from tests.games.whole_logs import TABLES, whole_log
from tests.verifier.verifier import judged as judged_by_script

GAMES = 1000
"""In all, at all tables evenly."""
CHUNK = 10


class Broken(Exception):
    """A true log is called false, or a false one true."""


def changes(log: dict[str, Any], rng: random.Random) -> tuple[str, dict[str, Any], bool]:
    """Returns what was done to a log, the log that came of it, and whether a new digest can hide it."""
    if rng.random() < 0.3:
        what, made = rng.choice([one for one in mixed_up(log, rng) if one[1]["events"] != log["events"]])
        return what, made, False
    (path,) = sampled(log, 1, rng.random())
    return f"{path}", changed(log, path, rng), is_testimony(log, path) or kind_of(log, path) == ("digest",)


def play(edition: str, seats: int, seeds: Sequence[int]) -> Counter[str]:
    """Plays, changes and verifies games; returns what came of it.

    Raises:
        Broken: at the first log that is not judged as it should be.
    """
    return judge((f"{edition}, {seats} seats, seed {seed}", as_json(whole_log(edition, seats, seed))) for seed in seeds)


def judge(logs: Iterable[tuple[str, bytes]]) -> Counter[str]:
    """Changes and verifies logs that are true, each with what it is to be called; returns what came of it.

    Raises:
        Broken: at the first log that is not judged as it should be.
    """
    came: Counter[str] = Counter()
    judged: list[tuple[str, dict[str, Any], bool, bool]] = []
    for called, raw in logs:
        log = parsed(raw)
        what, made, hidden = changes(log, random.Random(called))
        judged += [(called, log, True, True), (f"{called}, {what}", made, False, True)]
        if not hidden:
            judged.append((f"{called}, {what}, with a new digest", sealed(made), False, False))
    by_script = judged_by_script([log for _, log, *_ in judged])
    for (called, log, true, by_both), script in zip(judged, by_script, strict=True):
        if verify(log).valid is not true:
            raise Broken(f"BROKEN: {called}: the service calls it {'false' if true else 'true'}")
        if by_both and script["valid"] is not true:
            raise Broken(f"BROKEN: {called}: verify.mjs: {script['text']}")
        came["valid" if true else "found by both" if by_both else "forged"] += 1
        came["forged, found by verify.mjs"] += not by_both and not script["valid"]
        came["events"] += len(log["events"]) if true else 0
    return came


def run(games: int = GAMES, tables: Sequence[tuple[str, int]] = TABLES, jobs: int | None = None) -> None:
    """Plays so many games in all and prints what they came to.

    Raises:
        Broken: a log is not judged as it should be.
    """
    begun = time.monotonic()
    jobs = jobs or os.cpu_count()
    seeds = {table: [seed for seed in range(games) if tables[seed % len(tables)] == table] for table in tables}
    chunks = [(*table, own[i : i + CHUNK]) for table, own in seeds.items() for i in range(0, len(own), CHUNK)]
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        came: Counter[str] = sum(pool.map(play, *zip(*chunks, strict=True)), Counter())
    print(f"logs: {summary(came)}; {time.monotonic() - begun:.0f} s", flush=True)


def summary(came: Counter[str]) -> str:
    """Returns in words what came of logs."""
    return (
        f"{came['valid']:,} games with {came['events']:,} events, valid by both verifiers; "
        f"{came['found by both']:,} changes found by both; of {came['forged']:,} with a new digest all found, "
        f"{came['forged, found by verify.mjs']:,} by verify.mjs"
    )
