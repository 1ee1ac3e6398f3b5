"""A bot that counts cards and takes the action whose outcome is worth most by a rule of thumb.

It looks one action ahead, and does not think about what its rivals know or intend.
"""

import random
from collections.abc import Sequence
from typing import Final

from engine.actions import Action, KeepCard, PlayCard
from engine.bots.counting import higher_of, rival_hands, unseen_cards
from engine.bots.outlook import Outlook, Position
from engine.bots.plays import Prospect, outcomes
from engine.state import GameState

SAME: Final = 1e-12
"""Worths closer than this are equal: the order in which they were added up must not decide."""
TIE_BREAK: Final = 1e-7
"""What a number on a card is worth where nothing else tells two answers apart."""


def choose(view: GameState, legal: Sequence[Action], rng: random.Random) -> Action:
    """Returns the legal action worth most to the seat to act, whose view it is; among equals chance decides."""
    worths = judge(view, legal)
    best = max(worths) - SAME
    return rng.choice([action for action, worth in zip(legal, worths, strict=True) if worth >= best])


def judge(view: GameState, legal: Sequence[Action]) -> list[float]:
    """Returns what each legal action of the seat to act is worth; answers this bot knows nothing about are equal."""
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
        self.prospects: dict[str, Prospect] = {}

    def worth(self, action: Action) -> float:
        if isinstance(action, PlayCard):
            return sum(
                p * self.outlook.worth(position) for p, position in outcomes(self._prospect(action.card), action)
            )
        if isinstance(action, KeepCard):
            return self._keeping(action)
        return 0.0

    def _prospect(self, card: str) -> Prospect:
        """Returns what to expect from playing a card."""
        if card not in self.prospects:
            hand = [held for held in self.view.seats[self.me].hand if held is not None]
            hand.remove(card)
            spy = self._has_spy() or card == "spy"
            # An empty hand occurs only in editions that refill it at once: the card itself stands in for it.
            keeps = hand[0] if hand else card
            self.prospects[card] = Prospect(self.view, self.me, self.unseen, self.rivals, self.outlook, keeps, spy)
        return self.prospects[card]

    def _keeping(self, answer: KeepCard) -> float:
        """Returns what it is worth to keep a card and put the others under the deck."""
        deck = len(self.view.deck)
        rivals = dict(self.rivals)
        bonus = 0.0
        for place, card in enumerate(answer.bottom, deck + 1):
            seat = self._draws(place)
            if seat == self.me:
                bonus += TIE_BREAK * self.outlook.values[card]
            else:
                rivals[seat] = higher_of(rivals[seat], card, self.outlook.values)
        outlook = Outlook(self.view, self.unseen, deck + len(answer.bottom))
        return outlook.worth(Position(answer.keep, rivals, self._has_spy())) + bonus

    def _draws(self, place: int) -> int:
        """Returns who draws the card at a place of the deck, counted from 1, if nobody else is knocked out."""
        alive = self.view.alive()
        return alive[(alive.index(self.me) + place) % len(alive)]

    def _has_spy(self) -> bool:
        return "spy" in self.view.seats[self.me].discards
