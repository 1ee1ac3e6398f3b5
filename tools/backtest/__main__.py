"""Backtests ratings: `python -m tools.backtest --games 20000`; plays the games first, which takes some minutes.

Ratings are made of one game after the other. Each game of the second half is predicted from the ratings before it. The
log loss of a coin weighted by seats is the logarithm of their number: what is lower knows something.
"""

import argparse
import math
from statistics import median
from typing import Final

from engine.editions import EDITIONS
from games.ratings.standing import STEADY
from tools.backtest.games import play_games
from tools.backtest.predictions import (
    INPUTS,
    calibration,
    fitted,
    games_until_certain,
    games_until_near,
    histories,
    log_loss,
    plot,
    predicted,
)

NEAR: Final = 50.0
"""How many points from where it stays a rating may be to count as found."""


def main(words: list[str] | None = None) -> None:
    """Runs the backtest that the command line asks for, and prints its tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.backtest", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="for each table (default: %(default)s)")
    parser.add_argument("--players", type=int, default=40, help="made-up players (default: %(default)s)")
    parser.add_argument("--edition", choices=EDITIONS, default="standard", help="default: %(default)s")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 4], help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="of the first game (default: %(default)s)")
    given = parser.parse_args(words)
    for seats in given.seats:
        games = play_games(given.edition, seats, given.games, given.players, given.seed)
        print(f"\n{given.edition}, {seats} seats, {len(games)} games, {given.players} players")
        print(f"a coin: log loss {math.log(seats):.4f}\n")
        print("| made of | log loss | stretched | log loss |\n| --- | ---: | ---: | ---: |")
        for name, rank in INPUTS.items():
            predictions = list(predicted(games, rank))
            half = len(predictions) // 2
            warmth = fitted(predictions[half // 2 : half])
            plain, best = log_loss(predictions[half:]), log_loss(predictions[half:], warmth)
            print(f"| {name} | {plain:.4f} | {warmth:.2f} | {best:.4f} |")
        predictions = list(predicted(games, INPUTS["ranks by tokens"]))[len(games) // 2 :]
        print("\n| predicted | won | seats |\n| ---: | ---: | ---: |")
        bins = [*calibration(predictions)]
        for chance, won, count in bins:
            print(f"| {chance:.3f} | {won:.3f} | {count} |")
        print("\nwon (up) by predicted (across):\n", *plot(bins), sep="\n")
        of_players = histories(games)
        certain = median(games_until_certain(history, STEADY) for history in of_players)
        print(f"\ngames of a player until the deviation is {STEADY:.0f}: {certain:.0f}")
        near = games_until_near(of_players, NEAR)
        print(f"games until the ratings of most are within {NEAR:.0f} points of where they stay: {near:.0f}")


if __name__ == "__main__":
    main()
