"""The bots by name: functions that choose an action from what a seat knows, never from a full state.

A bot is stateless: the same question and a generator in the same state give the same choice, unless it has to hurry.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from engine.actions import Action
from engine.bots import random_bot
from engine.bots.cautious import judging
from engine.bots.expert import search
from engine.bots.question import Question


class Choose(Protocol):
    """How a bot chooses."""

    def __call__(self, question: Question, rng: random.Random) -> Action:
        """Returns a bot's answer to a question, which is left as it was: a legal action; only `rng` is chance."""


@dataclass(frozen=True, slots=True)
class Bot:
    """What plays a seat."""

    choose: Choose
    version: int = 1
    """Another number whenever it plays otherwise than before: figures of its strength are those of a version."""
    thinks: bool = False
    """Whether it uses the time that it is given; the others answer at once."""

    def __call__(self, question: Question, rng: random.Random) -> Action:
        """Returns the action that a bot chooses as its answer to a question."""
        return self.choose(question, rng)


BOTS: Final[Mapping[str, Bot]] = {
    "random": Bot(random_bot.choose),
    "cautious": Bot(judging.choose),
    "expert": Bot(search.choose, search.VERSION, thinks=True),
}

THINKERS: Final = frozenset(name for name, bot in BOTS.items() if bot.thinks)
"""The bots that use the time they are given."""
