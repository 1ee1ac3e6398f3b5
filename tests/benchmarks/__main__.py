"""Runs all benchmarks, or those that are named: `python -m tests.benchmarks [engine] [http_action] ...`."""

import sys

from tests.benchmarks import engine, flood, http_action, limits, service_latency, streams

BENCHMARKS = {
    "engine": engine.run,
    "http_action": http_action.run,
    "limits": limits.run,
    "flood": flood.run,
    "service_latency": service_latency.run,
    "streams": streams.run,
}


def main() -> None:
    """Runs them one after the other: beside each other their figures would mean nothing."""
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
