"""Plays bots against each other: `python -m tools.tournament` (`make tournament`); takes hours when an expert plays.

Each pair of bots plays a match at each table: one bot sits on every seat equally often, and bots of another kind on all
others. The results are saved in a file, so that a stopped tournament resumes.
"""

import argparse
import multiprocessing
import os
import sys
import time
from pathlib import Path

from engine.bots import BOTS
from engine.bots.expert.search import VERSION
from games.matches.setup import FRESH
from games.matches.standings import samples
from tools.players.bot_games import TABLES
from tools.tournament.playing import match_of, play
from tools.tournament.results import Results, report

STRENGTH = Path("games/bots/strength.json")
"""The figures of `GET /v1/bots` and docs/tournament.md."""
PAIRS = ("cautious:random", "expert:cautious")
NAMES = {f"{edition}-{seats}": (edition, seats) for edition, seats in TABLES}


def match(edition, seats, one, others, games):
    """Returns the match of one bot against another one on all other seats: with fresh decks, on each seat in turn."""
    body = {"edition": edition, "seats": seats, "entrants": [{"bot": one}], "against": [{"bot": others}]}
    return match_of({**body, "games": games, "deals": FRESH})


def work(task):
    """Plays a piece of a match; returns it with the sample of the shares that the single bot won."""
    (table, bots), numbers, think_ms = task
    setup = match(*table, *bots, numbers.stop)
    [sample] = samples(setup, play(setup, numbers, think_ms))
    return (table, bots), sample


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
            for one, sample in pool.imap_unordered(work, tasks(matches, results, asked, until)):
                results.add(one, sample)
    print(report(results))
    return 0


def tasks(matches, results, asked, until):
    """Yields pieces of the matches still to play, small enough to be lost without much harm."""
    for one in matches:
        piece = 2 * one[0][1]
        for first in range(results.sample(one).count, asked.games, piece):
            if until is None or time.monotonic() < until:
                yield one, range(first, min(first + piece, asked.games)), asked.think_ms


if __name__ == "__main__":
    sys.exit(main())
