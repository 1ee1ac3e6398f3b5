"""Says from a round's events, as one viewer saw them, how likely each hidden card is where, and what is certain."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import factorial, gcd, perm, prod, sqrt
from typing import Final, NamedTuple, TypeAlias

from engine.deduction.counting import ways_to_fill
from engine.deduction.layouts import MOST_LAYOUTS, Layout, Layouts
from engine.events import Event
from engine.rulebook import Rulebook

Chances: TypeAlias = Mapping[str, float]
"""By card: how likely it is there; cards that cannot be there are left out."""
ANYTHING: Final = -1
"""The mask of a place that may hold any card that is left; a free place."""


class Certain(NamedTuple):
    """Something that a viewer can know for certain of another seat's hand."""

    seat: int
    card: str
    held: bool
    """Whether the hand holds the card; otherwise it does not, though copies of it are hidden somewhere."""
    event: int
    """The place of the event that shows it, among those of the round."""


class Run(NamedTuple):
    """Places of the deck, one below the other, of which a viewer knows the same."""

    places: int
    chances: Chances


@dataclass(frozen=True, slots=True)
class Deduction:
    """What a viewer can know of the hidden cards."""

    deals: int | None
    """In how many ways they can lie, and have come to lie there; None if these are too many to count.

    Copies of a card are told apart. The order of deck cards of which nothing is known is left out."""
    error: float
    """How far the chances may be off (a standard error), because deals had to be drawn; 0 if all were counted."""
    hands: tuple[Chances, ...]
    """By seat: how likely the hand holds the card at least once."""
    set_aside: Chances
    deck: tuple[Run, ...]
    certain: tuple[Certain, ...]


def deduce(book: Rulebook, events: Sequence[Event], viewer: int, most: int = MOST_LAYOUTS) -> Deduction:
    """Returns what a viewer can know, from the events of a round as they saw them, `round_started` first.

    All deals and secret choices that lead to these events count the same. `most` is how many layouts are followed.
    """
    layouts = Layouts(book, most)
    known: dict[tuple[int, str, bool], int] = {}
    for place in range(len(events)):
        layouts.take_in(events, place)
        known = {fact: known.get(fact, place) for fact in _facts(layouts, viewer)}
    counted = _Counted(layouts)
    certain = [Certain(*fact, event) for fact, event in known.items()]
    return Deduction(
        None if layouts.drawn else counted.deals(),
        counted.error() if layouts.drawn else 0.0,
        tuple([counted.hand(seat) for seat in range(book.seats)]),
        counted.set_aside(),
        tuple(counted.deck()),
        tuple(sorted(certain, key=lambda fact: (fact.seat, not fact.held, layouts.bits[fact.card]))),
    )


def _facts(layouts: Layouts, viewer: int) -> list[tuple[int, str, bool]]:
    """Returns what all layouts agree on in hands of others: the seat, the card, and whether it is held."""
    unseen = layouts.unseen()
    left = sum([bit for card, bit in layouts.bits.items() if unseen[card] > 0])
    facts = []
    for seat in range(layouts.book.seats):
        hands = {layout.hands[seat] for layout in layouts.weights}
        if seat == viewer or not any(hands):
            continue
        union, common = 0, layouts.anything
        for hand in hands:
            held = 0
            for mask in hand:
                union |= mask
                mask = mask & left if mask & (mask - 1) else mask
                held |= mask if not mask & (mask - 1) else 0
            common &= held
        alone = all(len(hand) == 1 for hand in hands)
        for card, bit in layouts.bits.items():
            if common & bit:
                facts.append((seat, card, True))
            elif left & bit and not union & bit and not (alone and common):
                facts.append((seat, card, False))
    return facts


class _Filling(NamedTuple):
    """How the places of a layout can be filled: those of the hands, then the one aside, then the deck."""

    ways: int
    masks: tuple[int, ...] = ()
    """What each place may hold: one bit where that is certain, ANYTHING for a free place."""
    chances: Mapping[int, Sequence[float]] = {}
    """By mask: how likely it is each card."""


class _Counted:
    """All layouts with the ways to fill them."""

    def __init__(self, layouts: Layouts) -> None:
        view = layouts.view
        self._cards = [*layouts.bits]
        pool = layouts.unseen()
        for card in [*view.deck, *view.set_aside, *[card for seat in view.seats for card in seat.hand]]:
            if card is not None:
                pool[card] += 1
        self._pool = tuple([pool[card] for card in self._cards])
        often = gcd(*layouts.weights.values())
        self._layouts = [(_places(layout), weight // often) for layout, weight in layouts.weights.items()]
        first = next(iter(layouts.weights))
        self._sizes = [len(hand) for hand in first.hands]
        self._aside = sum(self._sizes)
        self._deck = self._aside + len(first.aside)
        self._end = self._deck + len(first.deck)
        self._fillings = [one for masks, weight in self._layouts if (one := self._fill(masks, weight)).ways]
        self._ways = sum([one.ways for one in self._fillings])

    def deals(self) -> int:
        """Returns how many deals there are."""
        places = range(self._deck, self._end)
        free = sum([self._agreed(place) == ANYTHING for place in places])
        known = Counter([self._agreed(place) for place in range(self._end)])
        copies = prod([perm(there, known[1 << number]) for number, there in enumerate(self._pool)])
        return self._ways // factorial(sum(self._pool) - self._end + free) // copies

    def _agreed(self, place: int) -> int:
        """Returns the mask of a place if it is the same in all layouts; 0 otherwise."""
        masks = {one.masks[place] for one in self._fillings}
        return masks.pop() if len(masks) == 1 else 0

    def error(self) -> float:
        """Returns the standard error of a chance of one half, from layouts that were drawn."""
        return 0.5 * sqrt(sum([(one.ways / self._ways) ** 2 for one in self._fillings]))

    def hand(self, seat: int) -> Chances:
        """Returns how likely a hand holds each card at least once."""
        first = sum(self._sizes[:seat])
        places = range(first, first + self._sizes[seat])
        found: dict[str, float] = {}
        for place in places:
            for card, chance in self.place(place).items():
                found[card] = found.get(card, 0.0) + chance
        for several in [some for size in range(2, len(places) + 1) for some in combinations(places, size)]:
            for number, card in enumerate(self._cards):
                if self._pool[number] >= len(several):
                    found[card] = found.get(card, 0.0) - (-1) ** len(several) * self._all_hold(several, number)
        return {card: chance for card, chance in found.items() if chance}

    def _all_hold(self, places: Sequence[int], number: int) -> float:
        """Returns how likely all of some places hold copies of a card, given by its number."""
        bit, ways = 1 << number, 0
        for masks, weight in self._layouts:
            if all(masks[place] & bit for place in places):
                held = [bit if place in places else mask for place, mask in enumerate(masks)]
                ways += self._fill(held, weight).ways
        return ways / self._ways

    def set_aside(self) -> Chances:
        """Returns how likely each card is the one set aside; nothing if none lies there."""
        return self.place(self._aside) if self._aside < self._deck else {}

    def deck(self) -> list[Run]:
        """Returns how likely each card lies where in the deck, the top first."""
        places = [self.place(place) for place in range(self._deck, self._end)]
        return [Run(len([*same]), chances) for chances, same in groupby(places)]

    def place(self, place: int) -> Chances:
        """Returns how likely a place holds each card."""
        sums = [0.0] * len(self._cards)
        for one in self._fillings:
            share = one.ways / self._ways
            for number, chance in enumerate(one.chances[one.masks[place]]):
                sums[number] += share * chance
        return {card: total for card, total in zip(self._cards, sums, strict=True) if total}

    def _fill(self, masks: Sequence[int], weight: int) -> _Filling:
        """Returns how places can be filled: what must lie somewhere first, then places that take only some cards."""
        pool = [*self._pool]
        settled = [0] * len(masks)
        while True:
            left = sum([1 << number for number, copies in enumerate(pool) if copies])
            alone = [
                (place, mask & left)
                for place, mask in enumerate(masks)
                if not settled[place] and not (mask & left) & ((mask & left) - 1)
            ]
            if not alone:
                break
            for place, bit in alone:
                number = bit.bit_length() - 1
                if not bit or not pool[number]:
                    return _Filling(0)
                weight *= pool[number]
                pool[number] -= 1
                settled[place] = bit
        found = [
            held or (ANYTHING if mask & left == left else mask & left)
            for held, mask in zip(settled, masks, strict=True)
        ]
        narrow = [mask for held, mask in zip(settled, found, strict=True) if not held and mask != ANYTHING]
        count, lying = ways_to_fill(tuple(sorted(narrow)), tuple(pool))
        rest = sum(pool) - len(narrow)
        if not count or rest < found.count(ANYTHING):
            return _Filling(0)
        chances: dict[int, Sequence[float]] = {
            mask: [total / (narrow.count(mask) * count) for total in sums] for mask, sums in lying.items()
        }
        for bit in settled:
            if bit:
                chances[bit] = [float(bit == 1 << number) for number in range(len(pool))]
        if rest:
            elsewhere = [sum([sums[number] for sums in lying.values()]) for number in range(len(pool))]
            chances[ANYTHING] = [
                (copies * count - sums) / (rest * count) for copies, sums in zip(pool, elsewhere, strict=True)
            ]
        return _Filling(weight * count * factorial(rest), tuple(found), chances)


def _places(layout: Layout) -> list[int]:
    return [*[mask for hand in layout.hands for mask in hand], *layout.aside, *layout.deck]
