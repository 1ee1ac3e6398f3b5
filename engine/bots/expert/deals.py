"""Samples deals that a seat cannot tell apart: its view with every unknown card placed somewhere."""

import random
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.state import GameState

Weights: TypeAlias = Mapping[str, float]
"""By card: how much likelier than by the count alone a hand holds it; 0 where it cannot."""


class Deals:
    """The deals that are consistent with a view, drawn at random."""

    def __init__(self, view: GameState, unseen: Mapping[str, int], hands: Mapping[int, Weights]) -> None:
        """Takes what the expert deals: `unseen` counts hidden cards, `hands` has the weights of hidden hands."""
        self._view = view
        self._unseen = [card for card, count in unseen.items() for _ in range(count)]
        self._hands = hands
        hidden = sum([pile.count(None) for pile in _piles(view)])
        beside = [card for card in view.book.cards if card not in view.book.deck]
        self._handed = beside[: hidden - len(self._unseen)]
        """The card from beside the deck, if it was given to a seat and then out of sight; it is in no count."""

    def draw(self, rng: random.Random) -> GameState:
        """Returns a view's state with all hidden cards dealt as the expert may imagine them."""
        state = self._view.copy()
        left = self._unseen[:]
        rng.shuffle(left)
        for handed in self._handed:
            holders = list(self._hands)
            holder = holders[_drawn([self._hands[seat][handed] for seat in holders], rng.random())]
            hand = state.seats[holder].hand
            hand[hand.index(None)] = handed
        for seat, weights in self._hands.items():
            hand = state.seats[seat].hand
            for place, card in enumerate(hand):
                if card is None:
                    hand[place] = left.pop(_drawn([weights[other] for other in left], rng.random()))
        for pile in _piles(state):
            for place, card in enumerate(pile):
                if card is None:
                    pile[place] = left.pop()
        return state


def _piles(state: GameState) -> list[list[str | None]]:
    """Returns where the hidden cards may lie that the expert deals."""
    return [state.deck, state.set_aside, *[seat.hand for seat in state.seats]]


def _drawn(shares: Sequence[float], chance: float) -> int:
    """Returns a place for a hidden card that the expert deals, drawn by the shares; any place if none has one."""
    left = chance * sum(shares)
    for place, share in enumerate(shares):
        left -= share
        if left < 0:
            return place
    return len(shares) - 1
