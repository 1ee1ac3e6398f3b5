"""Plays at random for long: `python -m tests.soak [engine] [http]`; `--help` says how to repeat a game.

Ends with status 1 at the first game that is not as it should be.
"""

import argparse
import sys

from tests.engine.random_games import TABLES
from tests.soak import engine


def table(text):
    """Reads a table: an edition and a number of seats, as in `premium-8`."""
    edition, _, seats = text.rpartition("-")
    if not seats.isdecimal() or (edition, int(seats)) not in TABLES:
        raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(f'{e}-{n}' for e, n in TABLES)}")
    return edition, int(seats)


def parsed(arguments):
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("what", choices=["engine"], nargs="?", default="engine")
    parser.add_argument("--tables", type=table, nargs="+", default=TABLES, metavar="EDITION-SEATS", help="default: all")
    parser.add_argument("--games", type=int, default=engine.GAMES, help="at each table (default: %(default)s)")
    parser.add_argument("--jobs", type=int, help="processes (default: as many as there are cores)")
    parser.add_argument("--seeds", type=int, nargs="+", help="play these seeds alone, with every check")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Runs what is asked for; returns the exit status."""
    asked = parsed(arguments)
    try:
        if asked.seeds:
            for edition, seats in asked.tables:
                engine.play(edition, seats, asked.seeds, closely_every=1)
                print(f"{edition}, {seats} seats, seeds {', '.join(map(str, asked.seeds))}: nothing broken")
        else:
            engine.run(asked.tables, asked.games, asked.jobs)
    except engine.Broken as broken:
        print(broken, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
