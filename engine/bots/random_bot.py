"""A bot that takes any legal action, each as likely as the others: the floor that other bots are measured against."""

import random

from engine.actions import Action
from engine.bots.question import Question


def choose(question: Question, rng: random.Random) -> Action:
    """Returns any of the legal actions, as the random bot's choice."""
    return rng.choice(question.legal)
