"""Estimates how likely a hand wins the showdown, by the rules of the edition."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.bots.cautious.piles import Pile, Piles
from engine.bots.cautious.position import PlayOutcome
from engine.bots.counting import Belief
from engine.editions.lovecraft import highest_without_equal
from engine.editions.premium import highest_with_counts
from engine.state import GameState


class Showdowns:
    """The showdown that one seat expects at one moment of a game."""

    def __init__(self, view: GameState, piles: Piles, turns: int) -> None:
        self.values = view.book.values
        self.piles = piles
        self.last_turn = turns == 0
        self.turns = turns
        self._beats: Beats = BEATS.get(view.book.edition.showdown, _by_number)
        self._equals_cancel = view.book.edition.showdown is highest_without_equal
        self._memo: dict[tuple[int, int, str, int, Pile], tuple[Belief, float]] = {}

    def won_with(self, hand: str, position: PlayOutcome, pile: Pile) -> float:
        """Returns the cautious bot's chance to win the showdown with a hand; a tie, which pays rivals too, is half."""
        rivals = position.rivals
        seats = len(rivals) + 1
        chance = 1.0
        for seat, held in rivals.items():
            chance *= self._beaten(seat, held, hand, pile, seats)
        if self._equals_cancel and self.last_turn and seats == 3:
            chance += self._both_removed(self.values[hand], *rivals.values())
        return chance

    def _beaten(self, seat: int, held: Belief, hand: str, pile: Pile, seats: int) -> float:
        """Returns the cautious bot's chance that a rival is out by the showdown, or shows less there."""
        key = (seat, id(held), hand, seats, pile)
        if key not in self._memo:
            stays = self.piles.stays(self.piles.of[seat], seats, 0)
            less = self._beats(self, hand, pile, held, self.piles.of[seat])
            # The belief is kept with the figure, so that no other can be mistaken for it.
            self._memo[key] = held, 1 - stays * (1 - less)
        return self._memo[key][1]

    def _both_removed(self, value: int, one: Belief, other: Belief) -> float:
        """Returns the chance that two rivals with equal numbers above the cautious bot's remove each other."""
        higher = [(self.values[card], p) for card, p in one.items() if self.values[card] > value]
        return sum([p * q for number, p in higher for card, q in other.items() if self.values[card] == number])


Beats: TypeAlias = Callable[[Showdowns, str, Pile, Belief, Pile], float]
"""`(showdowns, hand, pile, held, theirs)`: how likely a hand beats one rival."""


def _by_number(at: Showdowns, hand: str, pile: Pile, held: Belief, theirs: Pile) -> float:
    """Returns the cautious bot's chance to beat a rival at a showdown where the higher number wins."""
    values, value = at.values, at.values[hand]
    return sum([p if values[card] < value else p / 2 for card, p in held.items() if values[card] <= value])


def _by_counts_and_sums(at: Showdowns, hand: str, pile: Pile, held: Belief, theirs: Pile) -> float:
    """Returns the cautious bot's chance to beat a rival where Counts add up and the Princess beats the Bishop."""
    values = at.values
    mine = values[hand] + pile.counts
    tie = float(pile.total > theirs.total) if at.last_turn and pile.total != theirs.total else 0.5
    chance = 0.0
    for card, p in held.items():
        their = values[card] + theirs.counts
        if {hand, card} == {"bishop", "princess"}:
            chance += p * (hand == "princess")
        else:
            chance += p * (1.0 if mine > their else tie if mine == their else 0.0)
    return chance


def _unless_equal(at: Showdowns, hand: str, pile: Pile, held: Belief, theirs: Pile) -> float:
    """Returns the cautious bot's chance to beat a rival at a showdown where equal numbers are removed."""
    values, value = at.values, at.values[hand]
    return sum([p for card, p in held.items() if values[card] < value + pile.kept])


BEATS: Final[Mapping[Any, Beats]] = {
    highest_with_counts: _by_counts_and_sums,
    highest_without_equal: _unless_equal,
}
