"""A position that a play may lead to, as far as a seat can know it; `outlook` values it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.bots.counting import Belief

EVERYBODY: Final = -1
"""In the place of a seat: all rivals."""


@dataclass(slots=True)
class PlayOutcome:
    """What a play may lead to."""

    hand: str | None
    """The card the seat keeps, or None when it is out of the round."""
    rivals: Mapping[int, Belief]
    """The hands of the others still in."""
    spy: bool
    """Whether a Spy lies in the seat's discards."""
    protected: bool = False
    known_to: int | None = None
    """A rival that knows the hand, or EVERYBODY."""
    played: tuple[str, ...] = ()
    """The cards that have come to lie on the seat's discards since it was asked."""
    liber: bool = False
    """Whether one of these was Liber Ivonis, played insane."""
    looked_at: tuple[int, ...] = ()
    """The rivals whose hands it has seen, where the beliefs do not say which cards they were."""
    marked: int | None = None
    """The rival whose victory pays the seat its Jester."""
    bound: int | None = None
    """The seat that the next card must choose."""
    gained: float = 0.0
    """What else the play has brought, in tokens."""
    paid: tuple[int, ...] = ()
    """Rivals that the play has brought a token."""
    game_won: bool = False
