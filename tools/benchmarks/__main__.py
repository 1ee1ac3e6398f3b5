"""Runs all benchmarks, or those that are named: `python -m tools.benchmarks [engine] [http_action] ...`."""

import sys

from tools.benchmarks import bot_turns, costs, engine, timeouts
from tools.benchmarks.http import action, calls, scale, streams

BENCHMARKS = {
    "engine": engine.run,
    "http_action": action.run,
    "http_calls": calls.run,
    "costs": costs.run,
    "bot_turns": bot_turns.run,
    "timeouts": timeouts.run,
    "streams": streams.run,
    "scale": scale.run,
}


def main() -> None:
    """Runs them one after the other: beside each other their figures would mean nothing."""
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
