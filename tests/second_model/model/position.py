"""A position as the second model sees it: plain data; what it allows belongs to `legality`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A decision that interrupts a turn: who must answer, about what."""

    seat: int
    card: str
    kind: str
    seats: tuple[int, ...] = ()
    """The seats whose hands are on offer, or that are given one back; empty where the kind needs none."""
    collected: tuple[str, ...] = ()
    """The cards to give back."""


@dataclass(frozen=True)
class Position:
    """Everything that the legality of an action may depend on."""

    edition: str
    seats: int
    """How many sat down at the start; seats that leave change neither deck nor numbers."""
    running: bool
    turn: int
    hands: tuple[tuple[str, ...], ...]
    discards: tuple[tuple[str, ...], ...]
    tokens: tuple[int, ...]
    in_round: frozenset[int]
    protected: frozenset[int]
    bound: int | None
    """Whom the Sycophant has marked, until the next card is played."""
    deck_size: int
    question: Question | None


def choosable_others(position: Position, seat: int) -> set[int]:
    """In the round, not protected, and not the acting seat."""
    return set(position.in_round - position.protected - {seat})
