"""A bot that counts cards and takes the action with the best expected outcome, by a rule of thumb.

It looks one action ahead, and does not think about what its rivals know or intend.
"""

import random
from collections.abc import Sequence
from typing import Final

from engine.actions import Action, PlayCard
from engine.bots.cautious.answer_values import ANSWERS
from engine.bots.cautious.outlook import Outlook
from engine.bots.cautious.plays import outcomes
from engine.bots.cautious.prospect import Prospect
from engine.bots.counting import rival_hands, unseen_cards
from engine.bots.question import Question
from engine.state import GameState

SAME: Final = 1e-12
"""Worths closer than this are equal: the order in which they were added up must not decide."""


def choose(question: Question, rng: random.Random) -> Action:
    """Returns the legal action worth most by the cautious bot's rule of thumb; among equals chance decides."""
    legal = question.legal
    worths = judge(question.view, legal)
    best = max(worths) - SAME
    return rng.choice([action for action, worth in zip(legal, worths, strict=True) if worth >= best])


def judge(view: GameState, legal: Sequence[Action]) -> list[float]:
    """Returns what each legal action is worth to the cautious bot; answers it knows nothing about are equal."""
    me = view.to_act
    assert me is not None, "where there are legal actions, a seat must act"
    mind = _Mind(view, me)
    return [mind.worth(action) for action in legal]


class _Mind:
    """What a seat works out once, however many actions it has."""

    def __init__(self, view: GameState, me: int) -> None:
        self.view = view
        self.me = me
        self.unseen = unseen_cards(view)
        self.rivals = rival_hands(view, me, self.unseen)
        self.outlook = Outlook(view, self.unseen, len(view.deck))
        self.prospects: dict[str | None, Prospect] = {}

    def worth(self, action: Action) -> float:
        if isinstance(action, PlayCard):
            return sum(
                p * self.outlook.worth(position) for p, position in outcomes(self._prospect(action.card), action)
            )
        answer = ANSWERS.get(action.type)
        return 0.0 if answer is None else answer(self._prospect(None), action)

    def _prospect(self, card: str | None) -> Prospect:
        """Returns the cautious bot's prospect of playing a card, or of an answer that plays none."""
        if card not in self.prospects:
            seat = self.view.seats[self.me]
            hand = [held for held in seat.hand if held is not None]
            played = list(self.view.in_play)
            if card is not None:
                hand.remove(card)
                played.append(card)
            jester = self.view.marks.get("jester")
            self.prospects[card] = Prospect(
                self.view,
                self.me,
                self.unseen,
                self.rivals,
                self.outlook,
                keeps=hand[0],
                spy="spy" in (*seat.discards, *played),
                played=tuple(played),
                marked=jester[1] if jester is not None and jester[0] == self.me else None,
            )
        return self.prospects[card]
