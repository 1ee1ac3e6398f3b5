"""Predicts games from ratings that were made of the games before, and scores the predictions."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import Final, NamedTuple

from games.ratings.model import after_game, chances
from games.ratings.standing import NEW, Rating
from tools.backtest.games import Played

WARMTHS: Final = [0.25 * 1.1**n for n in range(40)]
"""By how much the differences of ratings are stretched; which fits best is found on the games that are not scored."""


def by_winner(game: Played) -> list[list[int]]:
    """Returns places that tell the winners from the rest."""
    return [[1 if seat in game.winners else 2 for seat in range(len(game.players))]]


def by_tokens(game: Played) -> list[list[int]]:
    """Returns places by who won, and among the rest by tokens."""
    return [[0 if seat in game.winners else 1000 - tokens for seat, tokens in enumerate(game.tokens)]]


def by_rounds(game: Played) -> list[list[int]]:
    """Returns places for each round: those who won a token in it, and the rest."""
    return [[1 if seat in won else 2 for seat in range(len(game.players))] for won in game.rounds]


INPUTS: Final[dict[str, Callable[[Played], list[list[int]]]]] = {
    "winner only": by_winner,
    "ranks by tokens": by_tokens,
    "rounds": by_rounds,
}
"""What of a game the ratings are made of, by name."""


class Prediction(NamedTuple):
    """Each seat's rating before a game, and the share of the game that it won."""

    ratings: list[Rating]
    shares: list[float]

    def chances(self, warmth: float) -> list[float]:
        """Returns each seat's chance to win, with the differences between the ratings stretched."""
        middle = sum(one.mean for one in self.ratings) / len(self.ratings)
        return chances([Rating(middle + warmth * (one.mean - middle), one.deviation) for one in self.ratings])


def predicted(games: Sequence[Played], rank: Callable[[Played], list[list[int]]]) -> Iterator[Prediction]:
    """Yields a prediction of each game, made of all games before it."""
    known: dict[int, Rating] = {}
    for game in games:
        before = [known.get(player, NEW) for player in game.players]
        share = 1 / len(game.winners)
        yield Prediction(before, [share if seat in game.winners else 0.0 for seat in range(len(before))])
        after = before
        for places in rank(game):
            after = after_game(after, places, 0)
        known.update(zip(game.players, after, strict=True))


def log_loss(predictions: Sequence[Prediction], warmth: float = 1.0) -> float:
    """Returns the mean log loss of predictions; a coin weighted by seats has the logarithm of their number."""
    total = 0.0
    for one in predictions:
        total -= sum(
            share * math.log(chance) for share, chance in zip(one.shares, one.chances(warmth), strict=True) if share
        )
    return total / len(predictions)


def fitted(predictions: Sequence[Prediction]) -> float:
    """Returns by how much to stretch the differences of ratings so that they predict these games best."""
    return min(WARMTHS, key=lambda warmth: log_loss(predictions, warmth))


def calibration(predictions: Sequence[Prediction], steps: int = 10) -> Iterator[tuple[float, float, int]]:
    """Yields for seats of similar chances the mean chance, the share that they won, and how many there are."""
    pairs = sorted(pair for one in predictions for pair in zip(one.chances(1.0), one.shares, strict=True))
    for begin, end in pairwise(range(0, len(pairs) + 1, max(1, len(pairs) // steps))):
        some = pairs[begin:end]
        yield sum(chance for chance, _ in some) / len(some), sum(share for _, share in some) / len(some), len(some)


def plot(bins: Sequence[tuple[float, float, int]], width: int = 50, height: int = 20) -> Iterator[str]:
    """Yields the lines of a plot of a calibration: `o` for what was won, `.` for where it would be as predicted."""
    grid = [[" "] * (width + 1) for _ in range(height + 1)]
    for column in range(width + 1):
        grid[round(column / width * height)][column] = "."
    for chance, won, _ in bins:
        grid[round(won * height)][round(chance * width)] = "o"
    for row in range(height, -1, -1):
        share = 100 * row / height
        label = f"{share:3.0f} %" if row % (height // 4) == 0 else ""
        yield f"{label:>5} |{''.join(grid[row])}".rstrip()
    marks = "".join(f"{100 * mark // 4:<{width // 4}}" for mark in range(4))
    yield f"      +{'-' * (width + 1)}"
    yield f"       {marks:<{width - 2}}100 %"


def histories(games: Sequence[Played]) -> list[list[Rating]]:
    """Returns the ratings of each player after one game after the other, made of places by tokens."""
    found: dict[int, list[Rating]] = {}
    for game in games:
        before = [found[player][-1] if player in found else NEW for player in game.players]
        [places] = by_tokens(game)
        for player, rating in zip(game.players, after_game(before, places, 0), strict=True):
            found.setdefault(player, []).append(rating)
    return [*found.values()]


def games_until_certain(history: Sequence[Rating], deviation: float) -> float:
    """Returns after how many games of a player the deviation of the rating is at most this; infinity if never."""
    return next((count for count, rating in enumerate(history, 1) if rating.deviation <= deviation), math.inf)


def games_until_near(of_players: Sequence[Sequence[Rating]], points: float) -> float:
    """Returns after how many games most players' ratings are so near to their means over the later halves of games."""
    settled = [fmean(rating.mean for rating in history[len(history) // 2 :]) for history in of_players]
    for count, ratings in enumerate(zip(*of_players, strict=False), 1):
        if median(abs(rating.mean - mean) for rating, mean in zip(ratings, settled, strict=True)) <= points:
            return count
    return math.inf
