"""Deals that a seat cannot tell apart: its view with every unknown card put somewhere; how likely, others say."""

import random
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.state import GameState

Weights: TypeAlias = Mapping[str, float]
"""By card: how much likelier than by the count alone a hand holds it; 0 where it cannot."""


class Deals:
    """The deals that are consistent with a view, drawn at random."""

    def __init__(self, view: GameState, unseen: Mapping[str, int], hands: Mapping[int, Weights]) -> None:
        """`unseen` counts the cards whose place the view does not tell; `hands` has the weights of hands it hides."""
        self._view = view
        self._unseen = [card for card, count in unseen.items() for _ in range(count)]
        self._hands = hands

    def draw(self, rng: random.Random) -> GameState:
        """Returns the view's state with all cards known."""
        state = self._view.copy()
        left = self._unseen[:]
        rng.shuffle(left)
        for seat, weights in self._hands.items():
            hand = state.seats[seat].hand
            for place, card in enumerate(hand):
                if card is None:
                    hand[place] = left.pop(_drawn(left, weights, rng.random()))
        for pile in (state.deck, state.set_aside, *[seat.hand for seat in state.seats]):
            for place, card in enumerate(pile):
                if card is None:
                    pile[place] = left.pop()
        return state


def _drawn(cards: Sequence[str], weights: Weights, chance: float) -> int:
    """Returns the place of one of the cards, drawn by weight; any place if none has weight."""
    shares = [weights[card] for card in cards]
    left = chance * sum(shares)
    for place, share in enumerate(shares):
        left -= share
        if left < 0:
            return place
    return len(cards) - 1
