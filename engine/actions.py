"""The actions a seat may send: one frozen class per type."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

Guess: TypeAlias = str | int
"""A card's key (standard, classic) or a card's number (premium, lovecraft)."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card of the own hand."""

    type: ClassVar[str] = "play_card"
    card: str
    targets: tuple[int, ...] = ()
    guess: Guess | None = None
    face: str | None = None


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Keep one card and put the others under the deck in order, the last one undermost."""

    type: ClassVar[str] = "keep_card"
    keep: str
    bottom: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RedrawHand:
    """Discard the own hand and draw another, or keep it."""

    type: ClassVar[str] = "redraw_hand"
    redraw: bool


@dataclass(frozen=True, slots=True)
class PeekHand:
    """Look at one of the hands on offer, or with no seat at none of them."""

    type: ClassVar[str] = "peek_hand"
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class GiveHands:
    """Give each seat one of the collected cards, as pairs of seat and card in seat order."""

    type: ClassVar[str] = "give_hands"
    hands: tuple[tuple[int, str], ...]


Action: TypeAlias = PlayCard | KeepCard | RedrawHand | PeekHand | GiveHands
