"""A card: one row of an edition's table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

# The hooks take the table (`engine.table.Table`), which is built on this module: hence `Any` here and full
# types where the effects are written.
Effect: TypeAlias = Callable[[Any, Any], None]
"""`(table, play)`: what playing the card does. Called only if the card chose the seats it needs."""
AnswerEffect: TypeAlias = Callable[[Any, Any, Any], None] | None
"""`(table, decision, answer)`: what follows when the open decision is taken. None for a play, which has an effect of
its own."""
SeatHook: TypeAlias = Callable[[Any, int], None]
"""`(table, seat)`: something that happens to the seat whose card it is."""
GuardedHook: TypeAlias = Callable[[Any, Any], bool]
"""`(table, play)`: whether the card in the target's hand turned the guess away."""
RoundEndHook: TypeAlias = Callable[[Any, tuple[int, ...]], None]
"""`(table, winners)`: what the card pays when a round ends."""
ForcedHook: TypeAlias = Callable[[Any, str, bool], bool]
"""`(rulebook, other, insane)`: whether the card must be played while `other` is the second card in hand."""
GuessRange: TypeAlias = Callable[[Any], tuple[str | int, ...]]
"""`(rulebook)`: everything that may be named at this table."""


@dataclass(frozen=True, slots=True)
class Targets:
    """How many seats a card chooses, and whether its own seat may be among them."""

    least: int
    most: int
    own: bool = False


NOBODY: Final = Targets(0, 0)
OTHER: Final = Targets(1, 1)
ANY: Final = Targets(1, 1, own=True)


DECK: Final = "deck"
"""What a card may need for its effect: a card to draw."""
OTHERS: Final = "others"
"""What a card may need for its effect though it names nobody: another seat that can be chosen."""


@dataclass(frozen=True, slots=True)
class Face:
    """A second way to play a card, for the editions that have one."""

    targets: Targets = NOBODY
    guess: GuessRange | None = None
    play: Effect | None = None
    answers: Mapping[str, AnswerEffect] = field(default_factory=dict)
    needs: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A row of an edition's table.

    `key` names the card in every interface; `value` is the number printed on it; `copies` counts them in the deck.
    Every other member is a hook that most cards leave empty.
    """

    key: str
    value: int
    copies: int
    targets: Targets = NOBODY
    guess: GuessRange | None = None
    play: Effect | None = None
    answers: Mapping[str, AnswerEffect] = field(default_factory=dict)
    """By kind of decision that the card may ask for, played this way: what the answer does."""
    needs: str | None = None
    """`DECK` or `OTHERS` where the card has no effect without it; a card that chooses seats needs no such word."""
    discarded: SeatHook | None = None
    """When the card comes to lie in a seat's discards, played or forced, but not by being knocked out."""
    guarded: GuardedHook | None = None
    """When a guess is made on the hand that holds the card."""
    knocked_out: SeatHook | None = None
    """When a seat is knocked out that has the card in its discards already."""
    round_end: RoundEndHook | None = None
    forced: ForcedHook | None = None
    insanity: bool = False
    """Whether the card, lying in a seat's discards, makes the seat insane."""
    insane: Face | None = None
    binds: bool = False
    """Whether the card makes the next one choose a seat."""
    gives: str | None = None
    """The card from beside the deck that the card brings into play."""
    marks: str | None = None
    """Whom the card marks for the rest of the round: `other` or `own`, or None if nobody."""
