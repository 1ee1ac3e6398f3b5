"""Runs all benchmarks, or those that are named: `python -m tests.benchmarks [engine] [http_action] ...`."""

import sys

from tests.benchmarks import bot_turns, check, costs, engine, finished_games, logs, replay, search, timeouts
from tests.benchmarks.http import action, calls, flood, limits, scale, streams

BENCHMARKS = {
    "engine": engine.run,
    "search": search.run,
    "replay": replay.run,
    "http_action": action.run,
    "http_calls": calls.run,
    "limits": limits.run,
    "costs": costs.run,
    "flood": flood.run,
    "bot_turns": bot_turns.run,
    "timeouts": timeouts.run,
    "streams": streams.run,
    "scale": scale.run,
    "logs": logs.run,
    "finished_games": finished_games.run,
    "check": check.run,
}


def main() -> None:
    """Runs them one after the other: beside each other their figures would mean nothing."""
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
