"""Tries the attacks against a service of its own: `python -m tests.attack --help`."""

import argparse
import sys
import tempfile

from tests.attack.mixed import mixed
from tests.attack.runner import ATTACKS, HEAD, SETTINGS, attacked, line
from tests.attack.target import Target
from tests.installation import installed


def main() -> int:
    """Runs what is asked for and returns whether something was not as it must be."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument(
        "--only", choices=ATTACKS, action="append", help="this attack alone; may be given several times"
    )
    parser.add_argument("--mixed", action="store_true", help="all attacks at random beside ten people who play")
    parser.add_argument("--minutes", type=float, default=10.0, help="for how long, at most 60 (with --mixed)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, installed(folder, **SETTINGS) as made:
        target = Target(made)
        if given.mixed:
            return mixed(target, min(given.minutes, 60.0) * 60)
        print("Memory of API/workers/Redis in MB; calls of another client, median/p99; what was left in Redis.")
        print(HEAD)
        faults = 0
        for name in given.only or ATTACKS:
            outcome = attacked(target, ATTACKS[name])
            faults += len(outcome.faults())
            print(line(outcome), flush=True)
        return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
