"""Plays through failovers and counts lost answers: `python -m tests.failovers --help`."""

import argparse
import statistics
import sys

from service.settings import LOCAL, REPLICATED
from tests.failovers.run import cost, failovers


def main():
    """Runs what is asked for; returns 1 if `replicated` has lost an answered change."""
    parser = argparse.ArgumentParser(prog="python -m tests.failovers", description=__doc__)
    parser.add_argument("--count", type=int, default=30, help="failovers each way (default: %(default)s)")
    parser.add_argument("--people", type=int, default=8, help="games at a time (default: %(default)s)")
    parser.add_argument("--line-ms", type=float, default=5.0, help="delay to the replica (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=15.0, help="to measure what an action costs; 0: do not")
    given = parser.parse_args()
    status = 0
    for durability in (LOCAL, REPLICATED) if given.count else ():
        found = failovers(durability, given.count, given.people, given.line_ms / 1000, say=lambda text: print(text))
        print(
            f"{durability}: {found.failovers} failovers, {found.answered} answered, {found.lost} lost "
            f"in {found.losing} of them, {found.repeated} calls repeated, "
            f"away for {statistics.median(found.away):.2f} s",
            flush=True,
        )
        status |= durability == REPLICATED and found.lost > 0
    for people in (1, 16) if given.seconds else ():
        for durability in (LOCAL, REPLICATED):
            median, most, rate = cost(durability, people, given.seconds)
            print(
                f"{durability}, {people} at a time: median {median:.1f} ms, p99 {most:.1f} ms, {rate:.0f} a second",
                flush=True,
            )
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
