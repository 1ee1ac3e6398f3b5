"""The actions a seat may send: one frozen class per type.

Each class is the only declaration of its type. The codec, the notation, the schemas of the interface and of portable
logs, the texts and the numbering for research follow from the kinds of its members.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, get_args

Guess: TypeAlias = str | int
"""A card's key (standard, classic) or a card's number (premium, lovecraft)."""

CARD: Final = "card"
CARDS: Final = "cards"
SEAT: Final = "seat"
SEATS: Final = "seats"
NUMBER: Final = "number"
FACE: Final = "face"
FLAG: Final = "flag"
HANDS: Final = "hands"
"""Kinds of members; `HANDS` are pairs of seat and card."""


class Member(NamedTuple):
    """A member of an action as plain data."""

    name: str
    kind: str
    doc: str
    field: str = ""
    """The field that holds it; the guess is one field and two members."""
    each: str = ""
    """The sentence on each item of a list."""
    words: tuple[str, str] = ("", "")
    """For a flag, what the notation writes for false and for true."""
    required: bool = True
    """Whether plain data must have it when it is read."""
    written: bool = True
    """Whether plain data that is written always has it; None is left out."""


def member(kind: str, doc: str, **more: Any) -> dict[str, Any]:
    """Declares the kind of a member of an action, and the sentence that documents it."""
    return {"members": (Member("", kind, doc, **more),)}


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card from your hand."""

    type: ClassVar[str] = "play_card"
    notation: ClassVar[str] = ""
    """The notation of plays is their own."""
    declinable: ClassVar[bool] = False
    card: str = field(metadata=member(CARD, "The card to play."))
    targets: tuple[int, ...] = field(
        default=(),
        metadata=member(
            SEATS,
            "The chosen seats, in any order. Empty or absent when nobody is or can be chosen.",
            each="A chosen seat.",
        ),
    )
    guess: Guess | None = field(
        default=None,
        metadata={
            "members": (
                Member("guess", CARD, "The character named, in editions whose cards name characters."),
                Member("guess_value", NUMBER, "The number named, in editions whose cards name numbers."),
            )
        },
    )
    face: str | None = field(
        default=None, metadata=member(FACE, "Which effect to use, in editions whose cards have two.")
    )


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Keep one card and put the others under the deck."""

    type: ClassVar[str] = "keep_card"
    notation: ClassVar[str] = "keep {keep}/{bottom}"
    declinable: ClassVar[bool] = False
    keep: str = field(metadata=member(CARD, "The card to keep."))
    bottom: tuple[str, ...] = field(
        metadata=member(CARDS, "The cards to put back in order, the last one undermost.", each="A card to put back.")
    )


@dataclass(frozen=True, slots=True)
class RedrawHand:
    """Discard your hand and draw another, or keep it."""

    type: ClassVar[str] = "redraw_hand"
    notation: ClassVar[str] = "{redraw}"
    declinable: ClassVar[bool] = True
    redraw: bool = field(metadata=member(FLAG, "Whether to draw another hand.", words=("stay", "redraw")))


@dataclass(frozen=True, slots=True)
class PeekHand:
    """Look at one of the hands on offer, or at none of them."""

    type: ClassVar[str] = "peek_hand"
    notation: ClassVar[str] = "look {seat}"
    declinable: ClassVar[bool] = True
    seat: int | None = field(default=None, metadata=member(SEAT, "Whose hand to look at; absent to look at none."))


@dataclass(frozen=True, slots=True)
class GiveHands:
    """Give each seat one of the collected cards."""

    type: ClassVar[str] = "give_hands"
    notation: ClassVar[str] = "give {hands}"
    declinable: ClassVar[bool] = False
    hands: tuple[tuple[int, str], ...] = field(metadata=member(HANDS, "One card for each seat."))


Action: TypeAlias = PlayCard | KeepCard | RedrawHand | PeekHand | GiveHands

ACTIONS: Final[Mapping[str, Any]] = {kind.type: kind for kind in get_args(Action)}
"""By type: the class. A decision is of the type of the actions that answer it."""
DECLINABLE: Final = frozenset(kind.type for kind in get_args(Action) if kind.declinable)
"""Questions that a seat whose time is up, or that leaves, declines: it keeps its hand, looks at none. The first of the
legal answers declines."""


def _members(kind: Any) -> tuple[Member, ...]:
    return tuple(
        one._replace(
            name=one.name or each.name,
            field=each.name,
            required=each.default is MISSING,
            written=each.default is not None,
        )
        for each in fields(kind)
        for one in each.metadata["members"]
    )


MEMBERS: Final[Mapping[str, tuple[Member, ...]]] = {kind.type: _members(kind) for kind in get_args(Action)}
"""By type: the members of its plain data."""
