"""What the `cautious` bot would do at a table that a test has set up."""

import random

from engine import rules
from engine.bots.cautious import judging as cautious
from engine.bots.question import Question
from tests.engine.given import seen_by_the_seat_to_act


def choices(table):
    """Returns every action that the bot may choose, whatever chance says."""
    known = seen_by_the_seat_to_act(table)
    legal = rules.legal_actions(known)
    worths = cautious.judge(known, legal)
    best = [action for action, worth in zip(legal, worths, strict=True) if worth >= max(worths) - cautious.SAME]
    assert all(cautious.choose(Question(known, legal), random.Random(seed)) in best for seed in range(5))
    return best


def choice(table):
    """Returns the action that the bot is sure of."""
    (only,) = choices(table)
    return only
