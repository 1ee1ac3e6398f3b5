"""`billet check`: folds the logs of all games, names those that are damaged, and reports how far it has come."""

import os
import sys
import time
from typing import Final

from service.settings import Settings
from service.store.upkeep.checking import CheckPlace
from service.upkeep.check import check

PROGRESS_SECONDS: Final = 10.0
NICE: Final = 10
"""How far it steps back behind the processes that play."""


def run(settings: Settings, *, anew: bool) -> int:
    """Checks all games for `billet check`; returns the exit status: 1 if one is damaged."""
    os.nice(NICE)
    place, next_line = CheckPlace(), time.monotonic() + PROGRESS_SECONDS
    for game, fault, place, of in check(settings, anew=anew):
        if fault:
            _report(f"game {game} is damaged: {fault}")
        if time.monotonic() > next_line:
            _report(f"{place.games} of {of} games checked, {place.damaged} damaged")
            next_line = time.monotonic() + PROGRESS_SECONDS
    print(f"games: {place.games}")
    print(f"damaged: {place.damaged}")
    return 1 if place.damaged else 0


def _report(line: str) -> None:
    print(f"billet: {line}", file=sys.stderr, flush=True)
