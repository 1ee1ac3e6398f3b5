"""Sends requests for long: `python -m tools.fuzz`; ends with status 1 if one is not answered as documented."""

import argparse
import sys

from tools.fuzz import runs


def main():
    """Runs with one seed after the other until enough requests are sent; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000, help="at least so many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: %(default)s)")
    asked = parser.parse_args()
    sent, seed, failures = 0, asked.seed, []
    while sent < asked.requests:
        with runs.unlimited() as one:
            outcome = runs.run(one, 100, seed)
        sent += outcome.requests
        failures += outcome.failures
        print(f"seed {seed}: {outcome.requests} requests, {len(outcome.failures)} failures", flush=True)
        if outcome.failures:
            print(outcome.said)
        seed += 1
    print(f"{sent} requests, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
