"""Plays for long: `python -m tools.soak [WHAT]`; `--help` says what there is and how to repeat a game.

Ends with status 1 at the first game that is not as it should be.
"""

import argparse
import sys
from typing import Any

from tests.engine.random_games import TABLES
from tools.soak import bots, engine, export, http, logs, matches, network, queue, replay, tests


def table(text: str) -> tuple[str, int]:
    """Reads a table: an edition and a number of seats, as in `premium-8`."""
    edition, _, seats = text.rpartition("-")
    if not seats.isdecimal() or (edition, int(seats)) not in TABLES:
        raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(f'{e}-{n}' for e, n in TABLES)}")
    return edition, int(seats)


def parsed(arguments: Any) -> Any:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument(
        "what",
        choices=["engine", "http", "network", "bots", "logs", "queue", "matches", "export", "replay", "tests", "all"],
        nargs="?",
        default="all",
        help="default: %(default)s",
    )
    parser.add_argument("--tables", type=table, nargs="+", default=TABLES, metavar="EDITION-SEATS", help="default: all")
    parser.add_argument(
        "--games",
        type=int,
        help=f"at each table (default: engine {engine.GAMES}, http {http.GAMES}), or in all "
        f"(default: bots {bots.GAMES}, logs {logs.GAMES}, matches {matches.GAMES}, "
        f"export {export.GAMES}, replay {replay.GAMES})",
    )
    parser.add_argument(
        "--jobs", type=int, help="processes of engine, logs, export and tests (default: as many as there are cores)"
    )
    parser.add_argument("--seconds", type=int, default=network.SECONDS, help="of network (default: %(default)s)")
    parser.add_argument(
        "--clients", type=int, help=f"of network (default: {network.CLIENTS}) and queue (default: {queue.PLAYERS})"
    )
    parser.add_argument("--tickets", type=int, default=queue.TICKETS, help="of queue (default: %(default)s)")
    parser.add_argument("--seeds", type=int, nargs="+", help="of engine: play these seeds alone, with every check")
    return parser.parse_args(arguments)


def main(arguments: Any = None) -> int:
    """Runs what is asked for; returns the exit status."""
    asked = parsed(arguments)
    try:
        if asked.seeds:
            for edition, seats in asked.tables:
                engine.play(edition, seats, asked.seeds, closely_every=1)
                print(f"{edition}, {seats} seats, seeds {', '.join(map(str, asked.seeds))}: nothing broken")
            return 0
        if asked.what in ("engine", "all"):
            engine.run(asked.tables, asked.games or engine.GAMES, asked.jobs)
        if asked.what in ("http", "all"):
            http.run(asked.tables, asked.games or http.GAMES)
        if asked.what in ("network", "all"):
            network.run(asked.seconds, asked.clients or network.CLIENTS)
        if asked.what in ("bots", "all"):
            bots.run(asked.games or bots.GAMES)
        if asked.what in ("logs", "all"):
            logs.run(asked.games or logs.GAMES, asked.tables, asked.jobs)
        if asked.what in ("queue", "all"):
            queue.run(asked.clients or queue.PLAYERS, asked.tickets)
        if asked.what in ("matches", "all"):
            matches.run(asked.games or matches.GAMES)
        if asked.what in ("export", "all"):
            export.run(asked.tables, asked.games or export.GAMES, asked.jobs)
        if asked.what in ("replay", "all"):
            replay.run(asked.tables, asked.games or replay.GAMES)
        if asked.what in ("tests", "all"):
            tests.run(asked.jobs)
    except (
        *(engine.Broken, http.Broken, network.Broken, bots.Broken),
        *(logs.Broken, matches.Broken, queue.Broken, replay.Broken, tests.Broken),
    ) as broken:
        print(broken, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
