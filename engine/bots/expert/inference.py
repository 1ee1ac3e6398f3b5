"""Infers hidden hands from the course of a round, beyond counting cards.

It weighs the cards that the owner of a hand played instead, the wrong guesses, and the effects that it survived.
"""

from collections.abc import Sequence
from typing import Final

from engine.bots.expert.deals import Weights
from engine.bots.expert.habits import shares
from engine.events import (
    CardPlayed,
    CardResolved,
    CardsReturned,
    Event,
    HandDiscarded,
    HandsCompared,
    HandsGiven,
    HandsTraded,
    KnockedOut,
    TurnStarted,
    fold,
)
from engine.rulebook import Rulebook
from engine.state import GameState

ODDITY: Final = 0.1
"""How often a seat plays either card, whatever its habits."""
CARELESS: Final = 0.05
"""The weight of the worst card that a seat may have kept of three."""
HIGHER_IS_OUT: Final = frozenset({"dowager_queen"})
"""The cards that knock out the higher of two hands they compare."""


def weigh_hands(view: GameState, events: Sequence[Event]) -> dict[int, Weights]:
    """Returns the expert's weights of the hands that a view hides, from the round's events as its seat saw them."""
    inference = _Inference(view.book)
    state = GameState.empty(view.book)
    for event in events:
        inference.take_in(event, state)
        fold(state, [event])
    return {seat: inference.hands[seat] for seat in view.alive() if None in view.seats[seat].hand}


class _Inference:
    """The conclusions so far: by seat, how much likelier it holds each card than the count alone says."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._shares = shares(book, ODDITY)
        self._anything = dict.fromkeys(book.cards, 1.0)
        self.hands = [self._anything] * book.seats
        self._played: CardPlayed | None = None
        self._named = False
        self._compared: HandsCompared | None = None

    def take_in(self, event: Event, before: GameState) -> None:
        """Notes for the expert what an event reveals; `before` is the state before it."""
        match event:
            case CardPlayed():
                self._take_in_play(event, before)
            case TurnStarted():
                self._take_in_miss()
            case HandsCompared():
                self._compared = event
            case KnockedOut():
                self._take_in_survival(event)
            case HandsTraded():
                hands = self.hands
                hands[event.seat], hands[event.target] = hands[event.target], hands[event.seat]
            case HandDiscarded():
                self.hands[event.seat] = self._anything
            case HandsGiven():
                for seat in event.targets:
                    self.hands[seat] = self._anything
            case CardsReturned():
                self.hands[event.seat] = self._best_of_three(before.is_insane(event.seat))
        if not isinstance(event, CardPlayed | CardResolved):
            self._named = False

    def _take_in_play(self, play: CardPlayed, before: GameState) -> None:
        """Weighs for the expert what was kept: held before while the card played was drawn, or the other way round."""
        self._played, self._compared = play, None
        self._named = play.named is not None and bool(play.targets)
        seat, card = play.seat, play.card
        known = [held for held in before.seats[seat].hand if held is not None]
        if known and card not in known:
            return  # what it kept is known
        held = {card: 1.0} if known else self.hands[seat]
        insane = before.is_insane(seat)
        weights = {}
        for kept in self._book.cards:
            ways = held.get(card, 0.0) + (held.get(kept, 0.0) if kept != card else 0.0)
            weights[kept] = ways * self._shares[insane, card, kept]
        self.hands[seat] = self._scaled(weights)

    def _take_in_miss(self) -> None:
        """Rules out for the expert what was named, if nothing came of it before the next turn began."""
        if self._named and self._played is not None:
            named, values = self._played.named, self._book.values
            self._rule_out(self._played.target, [card for card in values if named in (card, values[card])])

    def _take_in_survival(self, out: KnockedOut) -> None:
        """Rules out for the expert what would have lost the comparison that knocked another seat out."""
        compared, self._compared = self._compared, None
        if compared is None or self._played is None or out.seat not in (compared.seat, compared.target):
            return
        survivor = compared.target if out.seat == compared.seat else compared.seat
        values, lost = self._book.values, self._book.values[out.cards[0]]
        higher_is_out = self._played.card in HIGHER_IS_OUT
        losing = [card for card in values if values[card] == lost or (values[card] > lost) == higher_is_out]
        self._rule_out(survivor, losing)

    def _rule_out(self, seat: int, cards: Sequence[str]) -> None:
        self.hands[seat] = self._scaled({**self.hands[seat], **dict.fromkeys(cards, 0.0)})

    def _best_of_three(self, insane: bool) -> dict[str, float]:
        """Weighs for the expert a card kept of three: by how often it is kept rather than each of the others."""
        cards = self._book.cards
        kept = {card: sum([self._shares[insane, other, card] for other in cards]) / len(cards) for card in cards}
        return {card: CARELESS + share * share for card, share in kept.items()}

    def _scaled(self, weights: dict[str, float]) -> dict[str, float]:
        """Returns the expert's weights of a hand with the greatest at 1; equal ones after a guess that was wrong."""
        greatest = max(weights.values())
        return {card: weight / greatest for card, weight in weights.items()} if greatest else self._anything
