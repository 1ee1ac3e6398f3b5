"""The bots by name: functions that answer a question from what a seat knows; nothing here ever sees a full state.

A bot keeps nothing between two actions: the same question and a generator in the same state give the same choice,
unless it has to hurry.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from engine.actions import Action
from engine.bots import cautious, expert, random_bot
from engine.bots.question import Question


class Choose(Protocol):
    """How a bot chooses."""

    def __call__(self, question: Question, rng: random.Random) -> Action:
        """Returns one of the legal actions; the question is left as it was, and `rng` is all the chance there is."""


@dataclass(frozen=True, slots=True)
class Bot:
    """What plays a seat."""

    choose: Choose
    version: int = 1
    """Another number whenever it plays otherwise than before: figures of its strength are those of a version."""
    thinks: bool = False
    """Whether it uses the time that it is given; the others answer at once."""

    def __call__(self, question: Question, rng: random.Random) -> Action:
        """Returns the action that the bot chooses."""
        return self.choose(question, rng)


BOTS: Final[Mapping[str, Bot]] = {
    "random": Bot(random_bot.choose),
    "cautious": Bot(cautious.choose),
    "expert": Bot(expert.choose, expert.VERSION, thinks=True),
}

THINKERS: Final = frozenset(name for name, bot in BOTS.items() if bot.thinks)
"""The bots that use the time they are given."""
