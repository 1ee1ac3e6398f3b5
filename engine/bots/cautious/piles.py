"""Values the discards for the rest of the round: Counts, a Constable, tie-breaking sums, and insanity.

`dangers` estimates the threats by rivals, `prizes` the value of tokens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.bots.counting import Belief
from engine.editions.lovecraft import has_read_liber_ivonis
from engine.state import GameState

CHECKS_AHEAD: Final = 0.5
"""How much of the sanity checks that the deck has room for will be made before the round ends."""
LEAST_STAY: Final = 0.01
"""How likely the maddest of seats stays in."""
CTHULHU_TO_COME: Final = 1.5
"""What it is worth to hold Cthulhu when playing it wins the game."""
TRAPEZOHEDRON_TO_COME: Final = 0.3
"""What it adds to hold the Shining Trapezohedron when a card above 4 wins the round."""


@dataclass(frozen=True, slots=True, eq=False)
class Pile:
    """A seat's discards; each is made once, so that it can be looked up quickly by what it is."""

    counts: int
    total: int
    """The sum of their numbers."""
    constable: bool
    insanity: int
    """How many insanity cards there are."""
    liber: bool = False
    """Whether the seat has read Liber Ivonis, which spares it before the showdown or keeps it there."""
    kept: bool = False
    """Whether equal numbers do not remove the seat at the showdown."""


class Piles:
    """The discards of all seats, and what they mean."""

    def __init__(self, view: GameState, me: int, unseen: Mapping[str, int], turns: int) -> None:
        self._book = view.book
        self._me = me
        self._turns = turns
        self._published = view.book.options.get("liber_ivonis") == "published"
        bad = sum([copies for card, copies in unseen.items() if card in view.book.insanity or card == "necronomicon"])
        self._sane = 1 - bad / max(1, sum(unseen.values()))
        """The chance that a card revealed by a sanity check is harmless."""
        self._liber = [has_read_liber_ivonis(view, seat) for seat in range(view.book.seats)]
        self._discards = view.seats[me].discards
        self._own: dict[tuple[tuple[str, ...], bool], Pile] = {}
        self.of = [self._pile(seat.discards, self._liber[i]) for i, seat in enumerate(view.seats)]
        """The discards of every seat as they lie now."""

    def own(self, played: tuple[str, ...], liber: bool) -> Pile:
        """Returns the cautious bot's pile with cards it will have played, perhaps Liber Ivonis played insane."""
        key = (played, liber)
        if key not in self._own:
            self._own[key] = self._pile([*self._discards, *played], liber or self._liber[self._me])
        return self._own[key]

    def is_spared(self, pile: Pile) -> bool:
        """Returns whether nothing can knock out the seat of a pile of discards before the showdown."""
        return pile.liber and self._published

    def share(self, pile: Pile, rivals: Mapping[int, Belief]) -> float:
        """Returns the cautious bot's share of a round decided before the showdown: less for the insane.

        Where nobody is insane it is one in as many as there are seats.
        """
        seats = len(rivals) + 1
        if not self._book.insanity:
            return 1 / seats
        mine = self.stays(pile, seats, 1)
        return mine / (mine + sum([self.stays(self.of[seat], seats, 0) for seat in rivals]))

    def stays(self, pile: Pile, seats: int, checks_done: int) -> float:
        """Returns the chance that sanity checks, but for the next `checks_done`, leave a pile's seat in the round."""
        if not pile.insanity or self.is_spared(pile):
            return 1.0
        checks = max(0.0, self._turns / seats - checks_done) * CHECKS_AHEAD
        chance: float = self._sane ** (pile.insanity * checks)
        return max(chance, LEAST_STAY)

    def passes_check(self, pile: Pile, rivals: int) -> float:
        """Returns the chance that a pile's seat passes the sanity check of its next turn, if the deck lasts so long."""
        chance: float = self._sane ** min(pile.insanity, max(0, self._turns - rivals))
        return chance

    def promise(self, hand: str, pile: Pile, rivals: int) -> float:
        """Returns what a card in the cautious bot's hand may still win when its seat has another turn."""
        if self._turns <= rivals:
            return 0.0
        if hand == "cthulhu" and pile.insanity >= 2:
            return CTHULHU_TO_COME
        return TRAPEZOHEDRON_TO_COME if hand == "shining_trapezohedron" and pile.insanity else 0.0

    def _pile(self, cards: Sequence[str], liber: bool) -> Pile:
        values, insanity = self._book.values, self._book.insanity
        return Pile(
            counts=cards.count("count"),
            total=sum([values[card] for card in cards]),
            constable="constable" in cards,
            insanity=sum([card in insanity for card in cards]),
            liber=liber,
            kept=liber and not self._published,
        )
