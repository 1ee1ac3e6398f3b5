"""A seat's knowledge when it considers one play, and the positions that follow from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.bots.cautious.outlook import Outlook
from engine.bots.cautious.position import PlayOutcome
from engine.bots.counting import Belief
from engine.state import GameState

Outcomes: TypeAlias = Iterable[tuple[float, PlayOutcome]]
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
    played: tuple[str, ...]
    """The cards that will lie on its discards besides those that lie there already."""
    marked: int | None
    """The rival it has marked with the Jester."""
    without: dict[int, PlayOutcome] = field(default_factory=dict)
    """The positions without one of the rivals, which many plays lead to; they must not be changed."""

    def position(self, hand: str | None = None, rivals: Mapping[int, Belief] | None = None) -> PlayOutcome:
        """Returns a position of a prospect, with the card it keeps and the rivals as they are unless said."""
        around = self.rivals if rivals is None else rivals
        return PlayOutcome(hand or self.keeps, around, self.spy, played=self.played, marked=self.marked)

    def lost(self) -> PlayOutcome:
        """Returns the position of a prospect whose seat is out of the round, unless nothing can put it there."""
        position = self.position()
        piles = self.outlook.piles
        if not piles.is_spared(piles.of[self.me]):
            position.hand = None
        return position

    def less(self, target: int) -> PlayOutcome:
        """Returns the position of a prospect after a rival is knocked out, unless nothing can knock it out."""
        if target not in self.without:
            self.without[target] = self._position_without(target)
        return self.without[target]

    def _position_without(self, target: int) -> PlayOutcome:
        piles = self.outlook.piles
        if piles.is_spared(piles.of[target]):
            return self.position()
        position = self.position(rivals={seat: held for seat, held in self.rivals.items() if seat != target})
        position.paid = (target,) if piles.of[target].constable else ()
        return position

    def facing(self, target: int, held: Belief, hand: str | None = None) -> PlayOutcome:
        """Returns the position of a prospect with another belief about one rival."""
        return self.position(hand, {**self.rivals, target: held})

    def believing(self, target: int, held: Belief) -> "Prospect":
        """Returns the prospect of a seat that knows more about a rival."""
        return replace(self, rivals={**self.rivals, target: held}, without={})

    def keeping(self, card: str, plays: str) -> "Prospect":
        """Returns the prospect of keeping a card and playing another one besides."""
        return replace(self, keeps=card, played=(*self.played, plays), without={})
