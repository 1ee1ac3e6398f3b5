"""Estimates what rivals may do to a hand before its seat's next turn: a table from card to function.

A function returns how likely the card knocks out the seat if its owner plays it on that seat. This module also
estimates how likely that play is. A card without an entry is no danger.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.bots.cautious.piles import Pile, Piles
from engine.bots.cautious.position import EVERYBODY, PlayOutcome
from engine.bots.counting import Belief
from engine.state import GameState

PLAYED_IF_HELD: Final = 0.7
"""How likely a rival plays a dangerous card that it has in hand."""


@dataclass(slots=True)
class Encounter:
    """A hand, and a rival that might go for it."""

    hand: str
    value: int
    values: Mapping[str, int]
    deadly: bool
    """Whether the hand must not be discarded."""
    named: float
    """How likely the rival finds the right name for the hand."""
    sane: bool
    """Whether the seat itself is sane."""
    rival_insane: bool
    held: Belief
    """What the rival may hold."""


def _danger_of_guard(at: Encounter) -> float:
    return 0.0 if at.hand == "assassin" else at.named


def _danger_of_deep_ones(at: Encounter) -> float:
    return 1.0 if at.rival_insane and at.value == 1 else at.named


def _danger_of_baron(at: Encounter) -> float:
    return sum([p for card, p in at.held.items() if at.values[card] > at.value])


def _danger_of_dowager_queen(at: Encounter) -> float:
    return sum([p for card, p in at.held.items() if at.values[card] < at.value])


def _danger_of_hound(at: Encounter) -> float:
    return float(at.sane) if at.rival_insane else _danger_of_baron(at)


def _danger_of_prince(at: Encounter) -> float:
    return float(at.deadly)


DANGERS: Final[Mapping[str, Callable[[Encounter], float]]] = {
    "guard": _danger_of_guard,
    "baron": _danger_of_baron,
    "prince": _danger_of_prince,
    "dowager_queen": _danger_of_dowager_queen,
    "investigators": _danger_of_guard,
    "deep_ones": _danger_of_deep_ones,
    "great_race_of_yith": _danger_of_baron,
    "hound_of_tindalos": _danger_of_hound,
    "professor_henry_armitage": _danger_of_prince,
    "mi_go": _danger_of_prince,
}

Memo: TypeAlias = dict[tuple[int, str, bool, bool, bool], tuple[Belief, float]]


class Dangers:
    """The dangers to one seat at one moment of a game."""

    def __init__(
        self, view: GameState, me: int, unseen: Mapping[str, int], deadly: frozenset[str], piles: Piles, turns: int
    ) -> None:
        self._me = me
        self._unseen = unseen
        self._deadly = deadly
        self._piles = piles
        self._turns = turns
        self._values = view.book.values
        self._total = sum(unseen.values())
        self._nameable = sum([copies for card, copies in unseen.items() if self._values[card] != 1])
        self._cards = [(card, DANGERS[card]) for card in view.book.cards if card in DANGERS]
        self._memo: Memo = {}

    def of(self, hand: str, position: PlayOutcome, pile: Pile) -> float:
        """Returns the cautious bot's chance to be knocked out before its own next turn."""
        rivals = position.rivals
        if position.protected:
            return 0.0
        # Each rival has its turn if the deck lasts, and picks this seat out of as many as there are rivals.
        pick = PLAYED_IF_HELD * min(1.0, self._turns / len(rivals)) / len(rivals)
        following = self._following(rivals) if position.bound is not None else None
        danger = 0.0
        for seat, held in rivals.items():
            known = position.known_to in (seat, EVERYBODY)
            if seat != following:
                danger += pick * self._from(seat, held, hand, known, pile)
            elif position.bound == self._me:
                danger += PLAYED_IF_HELD * self._from(seat, held, hand, known, pile)
        return min(1.0, danger)

    def _following(self, rivals: Mapping[int, Belief]) -> int:
        """Returns the rival whose turn comes next after the cautious bot's."""
        return min(rivals, key=lambda seat: (seat <= self._me, seat))

    def _from(self, seat: int, held: Belief, hand: str, known: bool, pile: Pile) -> float:
        """Returns the chance that a rival that picks the cautious bot's seat knocks it out."""
        sane, rival_insane = pile.insanity == 0, self._piles.of[seat].insanity > 0
        key = (id(held), hand, known, sane, rival_insane)
        if key not in self._memo:
            value = self._values[hand]
            named = 1.0 if known and value != 1 else self._by_count(value)
            at = Encounter(hand, value, self._values, hand in self._deadly, named, sane, rival_insane, held)
            # The belief is kept with the figure, so that no other can be mistaken for it.
            self._memo[key] = held, sum([self._may_play(held, card) * danger(at) for card, danger in self._cards])
        return self._memo[key][1]

    def _by_count(self, value: int) -> float:
        """Returns the chance that a rival names the number of the cautious bot's card by counting; 0 for a 1."""
        alike = sum([copies for card, copies in self._unseen.items() if self._values[card] == value])
        return 0.0 if value == 1 else (alike + 1) / (self._nameable + 1)

    def _may_play(self, held: Belief, card: str) -> float:
        """Returns the cautious bot's chance that a rival has a dangerous card next turn: it holds or draws it."""
        chance = held.get(card, 0.0)
        drawn = self._unseen.get(card, 0) / self._total if self._total else 0.0
        return chance + (1 - chance) * drawn
