"""Plays through failovers and counts lost answers: `python -m tools.failovers --help`."""

import argparse
import statistics
import sys

from service.settings import LOCAL, REPLICATED
from tools.failovers.run import cost, failovers

BOTH = (LOCAL, REPLICATED)


def main():
    """Runs what is asked for; returns 1 if `replicated` has lost an answered change."""
    parser = argparse.ArgumentParser(prog="python -m tools.failovers", description=__doc__)
    parser.add_argument("--count", type=int, default=30, help="failovers with each durability (default: %(default)s)")
    parser.add_argument("--people", type=int, default=8, help="games at a time (default: %(default)s)")
    parser.add_argument("--line-ms", type=float, default=5.0, help="delay to the replica (default: %(default)s)")
    parser.add_argument("--cluster", action="store_true", help="with a cluster of three primaries with a replica each")
    parser.add_argument("--durability", choices=BOTH, nargs="+", default=BOTH, help="default: both")
    parser.add_argument("--seconds", type=float, default=15.0, help="to measure what an action costs; 0: do not")
    given = parser.parse_args()
    status = 0
    for durability in given.durability if given.count else ():
        found = failovers(durability, given.count, given.people, given.line_ms / 1000, cluster=given.cluster)
        for way, one in found.items():
            if one.failovers:
                print(
                    f"{durability}{' on a cluster' * given.cluster}, {way}: {one.failovers} failovers, "
                    f"{one.answered} answered, {one.lost} lost in {one.losing} failovers, "
                    f"{one.back} versions back for players, {one.withdrawn} for bystanders, first answer after "
                    f"{statistics.median(one.away):.2f} s (median), {max(one.away):.2f} s (greatest)",
                    flush=True,
                )
            status |= durability == REPLICATED and one.lost + one.back > 0
    for people in (1, 16) if given.seconds else ():
        for durability in given.durability:
            median, most, rate = cost(durability, people, given.seconds)
            print(
                f"{durability}, {people} at a time: median {median:.1f} ms, p99 {most:.1f} ms, {rate:.0f} a second",
                flush=True,
            )
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
