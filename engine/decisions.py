"""The open decision of a state: who must answer, for which card, and of which kind."""

from dataclasses import dataclass
from typing import Final

KEEP_CARD: Final = "keep_card"
REDRAW_HAND: Final = "redraw_hand"
PEEK_HAND: Final = "peek_hand"
GIVE_HANDS: Final = "give_hands"
PLAY_CARD: Final = "play_card"

DECLINABLE: Final = frozenset({REDRAW_HAND, PEEK_HAND})
"""Questions that a seat whose time is up, or that leaves, declines: it keeps its hand, looks at none. The first of the
legal answers declines."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question that only `seat` may answer.

    `seats` are the seats the answer is about: the hands on offer, or those that are given one.
    """

    seat: int
    card: str
    kind: str
    seats: tuple[int, ...] = ()
