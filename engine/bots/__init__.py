"""The bots by name: functions that choose among legal actions from a view; nothing here ever sees a full state.

A bot keeps nothing between two actions: the same view, the same legal actions and a generator in the same state give
the same choice.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from engine.actions import Action
from engine.bots import cautious, random_bot
from engine.state import GameState


class Bot(Protocol):
    """What plays a seat."""

    def __call__(self, view: GameState, legal: Sequence[Action], rng: random.Random) -> Action:
        """Returns one of the legal actions of the seat to act.

        `view` is that seat's view and is left as it was; `legal` is not empty; `rng` is all the chance there is.
        """


BOTS: Final[Mapping[str, Bot]] = {"random": random_bot.choose, "cautious": cautious.choose}
