"""The arguments of `billet match`."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.settings import Settings

Add = Callable[..., argparse.ArgumentParser]

DEALS = ("fresh", "rotated", "reference")
"""As in `games.matches`, which takes longer to import than `billet --help` to print."""
TOKEN = Path("billet-match.token")


def add(commands: Any, add_command: Add) -> None:
    """Adds the command to the command line."""
    summary = "let programs and bots play a match, wait for its end, and print who is stronger"
    match = add_command(commands, "match", _match_command, summary, ("host", "port"))
    match.add_argument("match", metavar="MATCH", nargs="?", help="follow this match; without it: make one")
    match.add_argument("--url", help="of the service (default: that of `billet serve` here)")
    match.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        default=TOKEN,
        help="whose match it is; written if it is not there (default: %(default)s)",
    )
    printed = match.add_mutually_exclusive_group()
    printed.add_argument("--json", action="store_true", help="print the match as the service describes it")
    printed.add_argument("--csv", action="store_true", help="print a line for each seat of each game")
    steps = match.add_mutually_exclusive_group()
    for step, says in (("pause", "open no game until it is resumed"), ("resume", "go on"), ("end", "open no game")):
        steps.add_argument(f"--{step}", dest="step", action="store_const", const=step, help=f"{says}, and return")
    made = match.add_argument_group("a match to make")
    made.add_argument("--entrants", nargs="+", metavar="WHO", help="ids of programs, and names of the service's bots")
    made.add_argument("--name", metavar="TEXT", help="what others see (default: the entrants)")
    made.add_argument("--edition", default="standard", help="default: %(default)s")
    made.add_argument("--option", dest="options", action="append", default=[], metavar="NAME=CHOICE", help="house rule")
    made.add_argument("--seats", type=int, default=2, metavar="N", help="default: %(default)s")
    made.add_argument("--games", type=int, default=100, metavar="N", help="default: %(default)s")
    made.add_argument("--deals", choices=DEALS, default=DEALS[0], help="which games are dealt the same cards")
    made.add_argument("--against", nargs="+", metavar="BOT", help="who takes the seats that no entrant takes")
    made.add_argument("--at-once", type=int, metavar="N", help="how many games run at once at most")
    made.add_argument("--clock", type=int, metavar="SECONDS", help="for each action; needed if programs play")
    made.add_argument("--rated", action="store_true", help="count it for the ratings of programs")


def _match_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.matches import command

    return command.run(settings, options)
