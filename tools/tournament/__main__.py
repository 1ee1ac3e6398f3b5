"""Plays bots against each other: `python -m tools.tournament` (`make tournament`); takes hours when an expert plays.

One bot sits at a table whose other seats are all of another kind, in every seat equally often. The results are saved
in a file, so that a stopped tournament resumes.
"""

import argparse
import multiprocessing
import os
import sys
import time
from pathlib import Path

from engine.bots import BOTS
from engine.bots.expert.search import VERSION
from tools.tournament.games import TABLES, winners
from tools.tournament.results import Results, report

STRENGTH = Path("games/bots/strength.json")
"""The figures of `GET /v1/bots` and docs/tournament.md."""
PAIRS = ("cautious:random", "expert:cautious")
NAMES = {f"{edition}-{seats}": (edition, seats) for edition, seats in TABLES}


def work(task):
    """Plays a piece of a match; returns it with the sums of the shares that the single bot won and of their squares."""
    match, first, count, think_ms = task
    (edition, seats), (one, others) = match
    total = squares = 0.0
    for number in range(first, first + count):
        seat = number % seats
        bots = [BOTS[others]] * seats
        bots[seat] = BOTS[one]
        won = winners(edition, bots, number, think_ms)
        share = 1 / len(won) if seat in won else 0.0
        total += share
        squares += share * share
    return match, count, total, squares


def pair(text: str) -> tuple[str, str]:
    """Returns the two bots of ONE:OTHERS.

    Raises:
        ArgumentTypeError: these are not two bots.
    """
    one, _, others = text.partition(":")
    if one not in BOTS or others not in BOTS:
        raise argparse.ArgumentTypeError(f"{text!r} is not ONE:OTHERS with two of {', '.join(BOTS)}")
    return one, others


def main(words: list[str] | None = None) -> int:
    """Runs the tournament that the command line asks for, and saves the results."""
    parser = argparse.ArgumentParser(prog="python -m tools.tournament", description=__doc__)
    parser.add_argument("--tables", nargs="*", choices=NAMES, metavar="TABLE", help="such as standard-2 (default: all)")
    parser.add_argument("--pairs", nargs="*", type=pair, metavar="ONE:OTHERS", help=f"default: {' '.join(PAIRS)}")
    parser.add_argument("--games", type=int, default=2000, help="per table and pair (default: %(default)s)")
    parser.add_argument("--think-ms", type=int, default=10, help="for each action (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=STRENGTH, help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    parser.add_argument("--minutes", type=float, help="stop after so long")
    parser.add_argument("--report", action="store_true", help="print what has been played and play nothing")
    asked = parser.parse_args(words)
    results = Results(asked.results, version=VERSION, think_ms=asked.think_ms)
    until = time.monotonic() + 60 * asked.minutes if asked.minutes else None
    if not asked.report:
        tables = [table for name, table in NAMES.items() if not asked.tables or name in asked.tables]
        matches = [(table, bots) for bots in asked.pairs or map(pair, PAIRS) for table in tables]
        with multiprocessing.Pool(asked.jobs) as pool:
            for match, count, total, squares in pool.imap_unordered(work, tasks(matches, results, asked, until)):
                results.add(match, count, total, squares)
    print(report(results))
    return 0


def tasks(matches, results, asked, until):
    """Yields pieces of the matches still to play, small enough to be lost without much harm."""
    for match in matches:
        piece = 2 * match[0][1]
        for first in range(results.games(match), asked.games, piece):
            if until is None or time.monotonic() < until:
                yield match, first, min(piece, asked.games - first), asked.think_ms


if __name__ == "__main__":
    sys.exit(main())
