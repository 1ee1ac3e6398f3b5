"""A bot that takes any legal action, each as likely as the others: the floor that other bots are measured against."""

import random
from collections.abc import Sequence

from engine.actions import Action
from engine.state import GameState


def choose(view: GameState, legal: Sequence[Action], rng: random.Random) -> Action:
    """Returns any of the legal actions."""
    return rng.choice(legal)
