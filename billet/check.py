"""`billet check`: folds the logs of all games, names those that are damaged, and reports how far it has come."""

import os
import sys
import time
from typing import Final

from service.settings import Settings
from service.upkeep.check import check

PROGRESS_SECONDS: Final = 10.0
NICE: Final = 10
"""How far it steps back behind the processes that play."""


def run(settings: Settings) -> int:
    """Checks all games for `billet check`; returns the exit status: 1 if one is damaged."""
    os.nice(NICE)
    games = damaged = 0
    next_line = time.monotonic() + PROGRESS_SECONDS
    for game, fault, of in check(settings):
        games += 1
        if fault:
            damaged += 1
            _report(f"game {game} is damaged: {fault}")
        if time.monotonic() > next_line:
            _report(f"{games} of {of} games checked, {damaged} damaged")
            next_line = time.monotonic() + PROGRESS_SECONDS
    print(f"games: {games}")
    print(f"damaged: {damaged}")
    return 1 if damaged else 0


def _report(line: str) -> None:
    print(f"billet: {line}", file=sys.stderr, flush=True)
