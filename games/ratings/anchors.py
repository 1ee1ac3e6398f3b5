"""The ratings of the service's own bots, which never change: they tie pools and times to one another.

The differences are those by which the model would predict the figures of `games/bots/strength.json`, in the median of
all tables.
"""

from collections.abc import Mapping
from typing import Final

from games.ratings.standing import Rating

ANCHORS: Final[Mapping[str, Rating]] = {
    "random": Rating(200.0, 0.0),
    "cautious": Rating(1700.0, 0.0),
    "expert": Rating(1950.0, 0.0),
}
