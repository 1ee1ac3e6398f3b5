"""What a play may lead to, as positions with their chances; what a position is worth is for `outlook` to say.

A card without an entry here, such as one of an edition that came later, counts as without effect; if it names
something, it counts as a Guard.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.actions import PlayCard
from engine.bots.counting import Belief, named, next_cards, not_named, replacement
from engine.bots.outlook import Outlook, Position
from engine.state import GameState

Outcomes: TypeAlias = Iterable[tuple[float, Position]]
"""Positions with their chances, which add up to 1."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a seat knows when it thinks about playing a card, and the card it would keep."""

    view: GameState
    me: int
    unseen: Mapping[str, int]
    rivals: Mapping[int, Belief]
    outlook: Outlook
    keeps: str
    spy: bool

    def position(self, hand: str | None = None, rivals: Mapping[int, Belief] | None = None) -> Position:
        """Returns a position of this seat, with the card it would keep and the rivals as they are unless said."""
        return Position(hand or self.keeps, self.rivals if rivals is None else rivals, self.spy)

    def lost(self) -> Position:
        """Returns the position of this seat out of the round."""
        return Position(None, self.rivals, self.spy)

    def less(self, target: int) -> Position:
        """Returns the position after a rival has been knocked out."""
        return self.position(rivals={seat: held for seat, held in self.rivals.items() if seat != target})

    def facing(self, target: int, held: Belief, hand: str | None = None) -> Position:
        """Returns a position with another belief about one rival."""
        return self.position(hand, {**self.rivals, target: held})


def outcomes(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Returns what a play may lead to."""
    if play.card in prospect.outlook.deadly:
        return [(1.0, prospect.lost())]
    if play.card in ALONE:
        return ALONE[play.card](prospect)
    if len(play.targets) == 1:
        target = play.targets[0]
        if target == prospect.me:
            return _prince_on_oneself(prospect) if play.card == "prince" else [(1.0, prospect.position())]
        if play.guess is not None:
            return _guess(prospect, target, play.guess)
        if play.card in AT_A_RIVAL:
            return AT_A_RIVAL[play.card](prospect, target)
    return [(1.0, prospect.position())]


def _handmaid(prospect: Prospect) -> Outcomes:
    position = prospect.position()
    position.protected = True
    return [(1.0, position)]


def _chancellor(prospect: Prospect) -> Outcomes:
    """The best of the card kept and one or two drawn."""
    draws = next_cards(prospect.view, 2, prospect.unseen)
    candidates = {card: prospect.position(card) for held in draws for card in held}
    candidates[prospect.keeps] = prospect.position()
    ranked = sorted(candidates, key=lambda card: prospect.outlook.worth(candidates[card]))
    none_better = 0.0
    for rank, card in enumerate(ranked):
        if rank < ranked.index(prospect.keeps):
            continue
        so_far = 1.0
        for held in draws:
            so_far *= sum(held.get(other, 0.0) for other in ranked[: rank + 1])
        yield so_far - none_better, candidates[card]
        none_better = so_far


def _guess(prospect: Prospect, target: int, guess: str | int) -> Outcomes:
    values = prospect.outlook.values
    held = prospect.rivals[target]
    hit = named(held, guess, values)
    if hit:
        yield hit, prospect.less(target)
    if hit < 1:
        yield 1 - hit, prospect.facing(target, not_named(held, guess, values))


def _priest(prospect: Prospect, target: int) -> Outcomes:
    for card, chance in prospect.rivals[target].items():
        yield chance, prospect.facing(target, {card: 1.0})


def _baron(prospect: Prospect, target: int) -> Outcomes:
    values = prospect.outlook.values
    mine = values[prospect.keeps]
    for card, chance in prospect.rivals[target].items():
        if values[card] < mine:
            yield chance, prospect.less(target)
        elif values[card] > mine:
            yield chance, prospect.lost()
        else:
            tie = prospect.facing(target, {card: 1.0})
            tie.known_to = target
            yield chance, tie


def _prince(prospect: Prospect, target: int) -> Outcomes:
    held = prospect.rivals[target]
    out = sum(chance for card, chance in held.items() if card in prospect.outlook.deadly)
    yield out, prospect.less(target)
    yield 1 - out, prospect.facing(target, replacement(prospect.view, prospect.unseen))


def _prince_on_oneself(prospect: Prospect) -> Outcomes:
    if prospect.keeps in prospect.outlook.deadly:
        return [(1.0, prospect.lost())]
    draw = replacement(prospect.view, prospect.unseen)
    return [(chance, prospect.position(card)) for card, chance in draw.items()]


def _king(prospect: Prospect, target: int) -> Outcomes:
    for card, chance in prospect.rivals[target].items():
        swapped = prospect.facing(target, {prospect.keeps: 1.0}, card)
        swapped.known_to = target
        yield chance, swapped


ALONE: Final[Mapping[str, Callable[[Prospect], Outcomes]]] = {"handmaid": _handmaid, "chancellor": _chancellor}
AT_A_RIVAL: Final[Mapping[str, Callable[[Prospect, int], Outcomes]]] = {
    "priest": _priest,
    "baron": _baron,
    "prince": _prince,
    "king": _king,
}
