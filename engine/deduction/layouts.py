"""Follows through a round where the cards may lie that its viewer does not see.

A *place* (in a hand, in the deck, aside) holds a mask: the cards that may lie there, as the bits of an integer. A
*layout* is the masks of all places. Where somebody chose in secret, several layouts are possible, each with the number
of ways that lead to it: which of two cards was played, in which order cards went under the deck, who was given which.
Every such choice that the rules allow counts the same, whatever a good player would have chosen.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, Final, NamedTuple, TypeAlias

from engine.bots.counting import count_unseen
from engine.deduction.told import hands_that_fit
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardReceived,
    CardRevealed,
    CardsReturned,
    Event,
    HandDiscarded,
    HandsCompared,
    HandsGiven,
    HandShown,
    HandsRevealed,
    HandsTraded,
    HandTaken,
    KnockedOut,
    RoundStarted,
    SeatLeft,
    fold,
)
from engine.options import playable
from engine.rulebook import Rulebook
from engine.state import GameState

MOST_LAYOUTS: Final = 2_000
"""How many layouts are followed; where there are more, so many of them are drawn."""

Hand: TypeAlias = tuple[int, ...]


class Layout(NamedTuple):
    """The masks of all places."""

    hands: tuple[Hand, ...]
    deck: tuple[int, ...]
    """The top first."""
    aside: tuple[int, ...]

    def with_hand(self, seat: int, hand: Hand) -> "Layout":
        """Returns the layout with another hand."""
        return self._replace(hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))


class Layouts:
    """The layouts that are possible after the events so far, and the view of them."""

    def __init__(self, book: Rulebook, most: int = MOST_LAYOUTS) -> None:
        """Begins before the round; `most` is how many layouts are followed."""
        self.book = book
        self.bits = {card: 1 << place for place, card in enumerate(book.cards)}
        self.anything = (1 << len(self.bits)) - 1
        self.weights: dict[Layout, int] = {}
        self.view = GameState.empty(book)
        self.received: list[str] = []
        """The cards from beside the deck that are in the round."""
        self.drawn = False
        """Whether there were too many layouts, so that these are a sample."""
        self._most = most

    def take_in(self, events: Sequence[Event], place: int) -> None:
        """Follows one of a round's events, as its viewer sees it; those after it say how an effect ended."""
        event = events[place]
        if isinstance(event, CardPlayed):
            self._play(event, events[place + 1 :])
        else:
            moved = _MOVES.get(type(event))
            if moved is not None:
                moved(self, event)
        fold(self.view, [event])
        if len(self.weights) > self._most:
            self._thin_out()

    def unseen(self) -> dict[str, int]:
        """Returns how many copies of each card lie where the viewer does not know."""
        counts = count_unseen(self.view)
        for card in self.received:
            counts[card] += 1
        return counts

    def mask(self, card: str | None) -> int:
        """Returns the mask of a card, or of any card for one that the viewer does not see."""
        return self.anything if card is None else self.bits[card]

    def move(self, moved: Callable[[Layout], Iterable[Layout | None]]) -> None:
        """Replaces each layout by those that it becomes; None stands for one that is impossible after all."""
        weights: dict[Layout, int] = {}
        for layout, weight in self.weights.items():
            for after in moved(layout):
                if after is not None:
                    weights[after] = weights.get(after, 0) + weight
        self.weights = weights

    def learn(self, seat: int, cards: Sequence[str | None]) -> None:
        """Notes what a hand is; cards that the viewer does not see change nothing."""
        if None not in cards:
            self.move(lambda layout: [layout.with_hand(seat, hand) for hand in self._known(layout.hands[seat], cards)])

    def _known(self, hand: Hand, cards: Sequence[str | None]) -> Iterable[Hand]:
        """Yields the ways in which a hand's places hold certain cards."""
        for order in dict.fromkeys(permutations([self.mask(card) for card in cards])):
            if all(mask & bit for mask, bit in zip(hand, order, strict=True)):
                yield order

    def _play(self, play: CardPlayed, following: Sequence[Event]) -> None:
        """Takes a played card from its hand, and notes what its effect tells of the hands it met."""
        seat, bit = play.seat, self.bits[play.card]
        insane = self.view.is_insane(seat)
        beside = self._mask_of(
            card for card in self.bits if play.card in playable(self.book, [play.card, card], insane)
        )
        self.move(lambda layout: _played(layout, seat, bit, beside))
        met = play.target if len(play.targets) == 1 and play.target != seat else None
        own = self.possible(seat)
        theirs = self.possible(met) if met is not None else []
        fits = hands_that_fit(self.view, play, following, own, theirs)
        if fits is not None:
            masks = [(self._mask_of(cards), self._mask_of(others)) for cards, others in fits]
            self.move(lambda layout: [_narrowed(layout, seat, cards, met, others) for cards, others in masks])

    def possible(self, seat: int) -> list[str]:
        """Returns the cards that some layout lets a seat hold."""
        mask = 0
        for layout in self.weights:
            for held in layout.hands[seat]:
                mask |= held
        return [card for card, bit in self.bits.items() if mask & bit]

    def _mask_of(self, cards: Iterable[str]) -> int:
        return sum([self.bits[card] for card in cards])

    def _thin_out(self) -> None:
        """Draws some of the layouts, by their weights; the same of all that look alike to the viewer."""
        self.drawn = True
        drawn = random.Random(self.view.version).choices([*self.weights], [*self.weights.values()], k=self._most)
        self.weights = dict(Counter(drawn))

    # --- how cards move ---

    def _begin(self, begun: RoundStarted) -> None:
        in_deck = self._mask_of(dict.fromkeys(self.book.deck))
        held = in_deck
        out: Sequence[int] = ()
        if begun.position is not None:  # a hand may hold a card from beside the deck, if what gives it was played
            out = begun.position["out"]
            for card in [card for pile in begun.position["discards"] for card in pile]:
                given = self.book.cards[card].gives
                if given is not None:
                    self.received.append(given)
                    held |= self.bits[given]
        hands = [
            (self.mask(card) & held,) if seat in begun.seats and seat not in out else ()
            for seat, card in enumerate(begun.hands)
        ]
        deck = [self.mask(card) & in_deck for card in begun.deck]
        self.weights = {Layout(tuple(hands), tuple(deck), (self.mask(begun.set_aside) & in_deck,)): 1}

    def _draw(self, drawn: CardDrawn) -> None:
        known = self.mask(drawn.card)
        from_deck = drawn.source == "deck"

        def moved(layout: Layout) -> Iterable[Layout | None]:
            top, *rest = layout.deck if from_deck else layout.aside
            left = layout._replace(deck=tuple(rest)) if from_deck else layout._replace(aside=tuple(rest))
            hand = (*layout.hands[drawn.seat], top & known)
            yield left.with_hand(drawn.seat, hand) if top & known else None

        self.move(moved)

    def _reveal(self, shown: CardRevealed) -> None:
        bit = self.bits[shown.card]
        self.move(lambda layout: [layout._replace(deck=layout.deck[1:]) if layout.deck[0] & bit else None])

    def _lay_down(self, event: HandDiscarded | KnockedOut | SeatLeft) -> None:
        self.learn(event.seat, event.cards)
        self.move(lambda layout: [layout.with_hand(event.seat, ())])

    def _show(self, shown: HandShown) -> None:
        self.learn(shown.seat, shown.cards)

    def _compare(self, compared: HandsCompared) -> None:
        self.learn(compared.seat, compared.cards)
        self.learn(compared.target, compared.target_cards)

    def _trade(self, traded: HandsTraded) -> None:
        one, other = traded.seat, traded.target
        self.move(lambda layout: [layout.with_hand(one, layout.hands[other]).with_hand(other, layout.hands[one])])
        self.learn(one, traded.cards)
        self.learn(other, traded.target_cards)

    def _take(self, taken: HandTaken) -> None:
        self.learn(taken.target, taken.cards)
        one, other = taken.seat, taken.target
        self.move(lambda layout: [layout.with_hand(one, layout.hands[one] + layout.hands[other]).with_hand(other, ())])

    def _receive(self, received: CardReceived) -> None:
        bit = self.bits[received.card]
        self.received.append(received.card)
        self.move(lambda layout: [layout.with_hand(received.seat, (*layout.hands[received.seat], bit))])

    def _give(self, given: HandsGiven) -> None:
        """Notes that hands were collected and given to their seats in an order that not everybody sees."""
        known = [self.mask(given.hands[seat]) for seat in given.targets]

        def moved(layout: Layout) -> Iterable[Layout | None]:
            for order in permutations([layout.hands[seat][0] for seat in given.targets]):
                after = layout
                for seat, mask, seen in zip(given.targets, order, known, strict=True):
                    after = after.with_hand(seat, (mask & seen,))
                yield after if all(after.hands[seat][0] for seat in given.targets) else None

        self.move(moved)

    def _return(self, returned: CardsReturned) -> None:
        """Notes that cards of a hand went under the deck in an order that only their owner knows."""
        known = [self.mask(card) for card in returned.cards]

        def moved(layout: Layout) -> Iterable[Layout | None]:
            for order in permutations(layout.hands[returned.seat]):
                below = tuple([mask & seen for mask, seen in zip(order, known, strict=False)])
                after = layout._replace(deck=layout.deck + below).with_hand(returned.seat, order[len(known) :])
                yield after if all(below) else None

        self.move(moved)

    def _turn_up(self, revealed: HandsRevealed) -> None:
        for seat, card in enumerate(revealed.hands):
            if card is not None:
                self.learn(seat, (card,))


def _played(layout: Layout, seat: int, bit: int, beside: int) -> Iterable[Layout | None]:
    """Yields what a layout becomes when a seat plays a card of its hand, by the place where the card lay."""
    hand = layout.hands[seat]
    for place, mask in enumerate(hand):
        if mask & bit:
            kept = tuple([other & beside for other in hand[:place] + hand[place + 1 :]])
            yield layout.with_hand(seat, kept) if all(kept) else None


def _narrowed(layout: Layout, seat: int, cards: int, met: int | None, others: int) -> Layout | None:
    """Returns a layout in which a seat holds one of some cards, and the one it met one of others; None if it cannot."""
    for who, mask in ((seat, cards), (met, others)):
        if who is not None:
            hand = tuple([held & mask for held in layout.hands[who]])
            if not all(hand):
                return None
            layout = layout.with_hand(who, hand)
    return layout


_MOVES: Final[Mapping[type[Event], Callable[[Layouts, Any], None]]] = {
    RoundStarted: Layouts._begin,
    CardDrawn: Layouts._draw,
    CardRevealed: Layouts._reveal,
    HandDiscarded: Layouts._lay_down,
    KnockedOut: Layouts._lay_down,
    SeatLeft: Layouts._lay_down,
    HandShown: Layouts._show,
    HandsCompared: Layouts._compare,
    HandsTraded: Layouts._trade,
    HandTaken: Layouts._take,
    CardReceived: Layouts._receive,
    HandsGiven: Layouts._give,
    CardsReturned: Layouts._return,
    HandsRevealed: Layouts._turn_up,
}
"""What an event does to the layouts, by its class; the others move no card."""
