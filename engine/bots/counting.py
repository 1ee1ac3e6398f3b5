"""Counts cards for a seat: where each card may be, and how likely each rival holds it.

Everything comes from the seat's own view.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from engine.actions import Guess
from engine.state import GameState

Belief: TypeAlias = Mapping[str, float]
"""By card: how likely it is the card in question. The figures add up to 1; there are none if no card is possible."""

FORCED_TELLS: Final = 2.0
"""How much likelier a hand becomes that would have forced the last card its owner discarded, such as the Countess."""


def unseen_cards(view: GameState) -> dict[str, int]:
    """Returns how many copies of each card lie where the view does not tell, for a bot that counts; none that is 0."""
    return {card: count for card, count in count_unseen(view).items() if count > 0}


def count_unseen(view: GameState) -> dict[str, int]:
    """Counts for all cards the copies that lie where the view does not tell.

    The view tells the place of all discards, of cards in play or shown aside, of the hands it knows, and of the cards
    that the viewer put under the deck.
    """
    left = view.book.copies.copy()
    seen = [*view.deck, *view.set_aside, *view.shown_aside, *view.in_play]
    for seat in view.seats:
        seen += seat.hand
        seen += seat.discards
    for card in seen:
        if card is not None:
            left[card] -= 1
    return left


def belief(weights: Mapping[str, float]) -> Belief:
    """Returns a bot's belief from weights of cards, scaled to add up to 1."""
    total = sum(weights.values())
    return {card: weight / total for card, weight in weights.items()}


@lru_cache(maxsize=64)
def certain(card: str) -> Belief:
    """Returns a bot's belief in a card that is known."""
    return {card: 1.0}


def rival_hands(view: GameState, me: int, unseen: Mapping[str, int]) -> dict[int, Belief]:
    """Returns a bot's beliefs about the others still in the round, by seat."""
    anywhere = belief(unseen)
    return {seat: _believed_hand(view, seat, anywhere) for seat in view.alive() if seat != me}


def next_cards(view: GameState, count: int, unseen: Mapping[str, int]) -> list[Belief]:
    """Returns a bot's beliefs about the next cards of the deck, at most `count` and the top first."""
    anywhere = belief(unseen)
    return [anywhere if card is None else {card: 1.0} for card in view.deck[:count]]


def replacement(view: GameState, unseen: Mapping[str, int]) -> Belief:
    """Returns a bot's belief about the card drawn for a discarded hand: the deck's top, or the card set aside."""
    top = next_cards(view, 1, unseen)
    return top[0] if top else belief(unseen)


def named(held: Belief, guess: Guess, values: Mapping[str, int]) -> float:
    """Returns how likely a hand that a bot has a belief about has the named character, or the named number."""
    return sum(p for card, p in held.items() if guess in (card, values[card]))


def not_named(held: Belief, guess: Guess, values: Mapping[str, int]) -> Belief:
    """Returns a bot's belief about a hand after a guess has missed it."""
    return belief({card: p for card, p in held.items() if guess not in (card, values[card])})


def higher_of(held: Belief, card: str, values: Mapping[str, int]) -> Belief:
    """Returns a bot's belief about a seat that draws a known card and keeps the higher one."""
    kept: dict[str, float] = {}
    for other, p in held.items():
        best = max(other, card, key=values.__getitem__)
        kept[best] = kept.get(best, 0.0) + p
    return kept


def _believed_hand(view: GameState, seat: int, anywhere: Belief) -> Belief:
    """Returns a bot's belief about a hand: certain where the view shows it, else by the count and the last discard."""
    known = [card for card in view.seats[seat].hand if card is not None]
    if known:
        return belief(Counter(known))
    discards = view.seats[seat].discards
    forced = view.book.cards[discards[-1]].forced if discards else None
    insane = view.is_insane(seat)
    if forced is None:
        return anywhere
    return belief(
        {card: p * (FORCED_TELLS if forced(view.book, card, insane) else 1.0) for card, p in anywhere.items()}
    )
