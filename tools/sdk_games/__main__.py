"""Plays many games of every edition through generated clients: `python -m tools.sdk_games --games 20`.

Prints a line for each client and edition, and which of the clients in other languages compile. Ends with status 1 if
the types of a client or a game are not right.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.sdk_games.compilers import COMPILERS, NotHere
from tools.sdk_games.programs import PROGRAMS, TABLES
from tools.sdk_games.workshop import ProgramFailed, Workshop, faults
from tools.testbed.installation import Installation

ROW = "{:<24}{:<12}{:>6}{:>9}{:>8}{:>10}{:>9}{:>10}"


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.sdk_games", description=__doc__)
    names = [program.client for program in PROGRAMS]
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"{', '.join(names)} (default: all)")
    parser.add_argument("--games", type=int, default=20, help="of each edition (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen (default: %(default)s)")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.clients) - set(names):
        parser.error(f"nothing plays through {', '.join(sorted(unknown))}")
    return asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays what is asked for; returns the exit status."""
    asked = parsed(arguments)
    chosen = [program for program in PROGRAMS if program.client in asked.clients or not asked.clients]
    with tempfile.TemporaryDirectory() as folder:
        workshop, served = Workshop(Path(folder) / "sdk"), Installation(Path(folder) / "served", WORKERS="2")
        print(ROW.format("client", "edition", "games", "actions", "events", "calls", "refused", "seconds"), flush=True)
        served.start()
        try:
            for program in chosen:
                if said := workshop.built(program):
                    raise ProgramFailed(said)
                for edition, seats in TABLES.items():
                    told = workshop.play(program, served.base, edition, seats, asked.games, asked.seed)
                    print(row(program.client, edition, told), flush=True)
            for client in [] if asked.clients else COMPILERS:
                print(f"{client:<24}{compiled(workshop, client)}", flush=True)
        except ProgramFailed as failed:
            print(failed, file=sys.stderr)
            return 1
        finally:
            served.close()
    return 0


def compiled(workshop: Workshop, client: str) -> str:
    """Generates and compiles a client in another language; returns what came of it.

    Raises:
        ProgramFailed: it does not compile.
    """
    folder = workshop.generated(client) / client
    try:
        command = COMPILERS[client](folder)
    except NotHere as lacking:
        return f"only generated: {lacking}"
    if said := faults(command):
        raise ProgramFailed(said)
    return "compiles"


def row(client: str, edition: str, told: dict[str, Any]) -> str:
    """Puts into a line what a program tells of the games it has played."""
    games = told["games"]
    actions, events = (sum(game[member] for game in games) for member in ("actions", "version"))
    return ROW.format(client, edition, len(games), actions, events, told["calls"], told["refusals"], told["seconds"])


if __name__ == "__main__":
    sys.exit(main())
