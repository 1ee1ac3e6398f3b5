"""Compares the kinds of deals: how well each tells two entrants apart in the same number of games.

`python -m tools.tournament.deals --entrants cautious random --seats 2 4 --games 400`. Beside the service's bots,
`remembering` and `plain` may play: a program that remembers every deck, and the same one without a memory.
"""

import argparse
import multiprocessing
import os
import sys

from engine.bots import BOTS
from games.matches.setup import DEALS
from games.matches.standings import pairs, standings
from tools.tournament.playing import match_of, play
from tools.tournament.remembering import Remembering, plain

PROGRAMS = ("remembering", "plain")


def match(deals, seats, games, entrants, against):
    """Returns the match of two entrants."""
    body = {"edition": "standard", "deals": deals, "seats": seats, "games": games, "clock": {"seconds": 60}}
    named = [{"player" if one in PROGRAMS else "bot": one} for one in entrants]
    return match_of({**body, "entrants": named, "against": [{"bot": against}]})


def played(task):
    """Plays the games of one deal."""
    setup, deal, think_ms = task
    programs = {"remembering": Remembering(), "plain": plain}
    return play(setup, setup.slots_of(deal), think_ms, programs)


def compared(setup, think_ms, pool):
    """Returns the standings and the pair of a match of two that is played."""
    tasks = [(setup, deal, think_ms) for deal in range(setup.games // setup.of_deal)]
    outcomes = {number: one for found in pool.imap_unordered(played, tasks) for number, one in found.items()}
    return standings(setup, outcomes), pairs(setup, outcomes)[0]


def row(setup, stand, pair):
    """Returns a line of a table."""
    shares = [f"{100 * one['share']:.1f} %" for one in stand]
    low, high = pair["interval"]
    cells = [setup.deals, setup.seats, setup.games, pair["deals"], *shares, f"{100 * pair['difference']:.1f}"]
    return f"| {' | '.join(map(str, cells))} | {100 * low:.1f} to {100 * high:.1f} | {50 * (high - low):.1f} |"


def main(words: list[str] | None = None) -> int:
    """Plays a match of each kind for each number of seats, and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m tools.tournament.deals", description=__doc__)
    parser.add_argument("--entrants", nargs=2, choices=[*BOTS, *PROGRAMS], required=True)
    parser.add_argument("--against", choices=list(BOTS), default="cautious", help="default: %(default)s")
    parser.add_argument("--deals", nargs="*", choices=DEALS, default=DEALS, help="default: all")
    parser.add_argument("--seats", nargs="*", type=int, default=[2, 4])
    parser.add_argument("--games", type=int, default=400, help="of each match (default: %(default)s)")
    parser.add_argument("--think-ms", type=int, default=5, help="for each action (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    asked = parser.parse_args(words)
    one, other = asked.entrants
    print(f"| deals | seats | games | dealt | {one} | {other} | difference | 95 % interval | half its width |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with multiprocessing.Pool(asked.jobs) as pool:
        for seats in asked.seats:
            for deals in asked.deals:
                setup = match(deals, seats, asked.games, asked.entrants, asked.against)
                print(row(setup, *compared(setup, asked.think_ms, pool)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
