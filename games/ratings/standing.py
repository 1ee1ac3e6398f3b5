"""What is known of how strong a player is: a rating, which becomes less certain while the player is away."""

import math
from typing import Final, NamedTuple


class Rating(NamedTuple):
    """What is believed of a player's strength, in points."""

    mean: float
    deviation: float


NEW: Final = Rating(1500.0, 500.0)
"""Of a player who has not played yet."""
STEADY: Final = 150.0
"""The deviation up to which a rating is no longer provisional."""
ABSENCE: Final = 5.0
"""How uncertain a rating becomes with each day without a game: a year takes one of 50 points to 108."""
DAY_MS: Final = 86_400_000


class Standing(NamedTuple):
    """A player's rating in a pool after a game."""

    rating: Rating
    games: int
    """How many games of the player the pool has rated."""
    ended_ms: int
    """When the last of them ended, in milliseconds since 1970."""
    version: int = 0
    """Of a program, which of its versions played them, from 0: each is rated for itself."""

    def at(self, ms: int) -> Rating:
        """Returns the rating at a later time, at which it is no longer known so well."""
        mean, deviation = self.rating
        grown = math.sqrt(deviation**2 + ABSENCE**2 * max(0, ms - self.ended_ms) / DAY_MS)
        return Rating(mean, min(grown, max(deviation, NEW.deviation)))

    @property
    def is_steady(self) -> bool:
        """Returns whether the rating was certain enough after the game to be ranked among others."""
        return self.rating.deviation <= STEADY
