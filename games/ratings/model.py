"""How one game changes ratings: the Plackett-Luce model of openskill, in points.

Equal games lead to equal ratings, to the last digit. `python -m tools.backtest` shows how well they predict games; the
constants are what predicts best there.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from openskill.models import PlackettLuce

from games.ratings.standing import NEW, Rating

LUCK: Final = 300.0
"""The deviation of how well a player does in one game: these games are as much of luck as of skill."""
DRIFT: Final = 2.0
"""How uncertain a rating becomes with each game: players change."""
FADING: Final = {"people": 0.8, "programs": 0.99}
"""What each further game between the same players on one day counts, times the one before, by the pool's kind.

Together that is at most five games of people, and a hundred of programs: they play a match in a day, which is to make a
rating steady. Whoever trades wins between programs could as well register one more for each game (decision 057).
"""


def _undamped(*_: Any) -> float:
    """Returns by how much openskill is to slow down the decrease of deviations: not at all."""
    return 1.0


_MODEL: Final = PlackettLuce(mu=NEW.mean, sigma=NEW.deviation, beta=LUCK, tau=DRIFT, gamma=_undamped)


def after_game(before: Sequence[Rating], places: Sequence[int], earlier: int, kind: str = "people") -> list[Rating]:
    """Returns the ratings after a game in which players with these ratings came to these places.

    Equal places are a tie. `earlier` is how many games the same players had already played that day, `kind` that of the
    pool.
    """
    teams = [[_MODEL.rating(mu=one.mean, sigma=one.deviation)] for one in before]
    weight = FADING[kind] ** earlier
    return [
        Rating(old.mean + weight * (new.mu - old.mean), old.deviation + weight * (new.sigma - old.deviation))
        for old, [new] in zip(before, _MODEL.rate(teams, ranks=[float(place) for place in places]), strict=True)
    ]


def chances(ratings: Sequence[Rating]) -> list[float]:
    """Returns each player's chance to come first."""
    spread = math.sqrt(sum(one.deviation**2 + LUCK**2 for one in ratings))
    best = max(one.mean for one in ratings)
    weights = [math.exp((one.mean - best) / spread) for one in ratings]
    return [weight / sum(weights) for weight in weights]
