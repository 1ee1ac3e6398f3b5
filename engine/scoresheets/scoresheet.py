"""A whole game: which table, how each round was dealt, and every move.

A deck is the whole deck as it lay when it was shuffled: the card set aside, those set aside face up, one card for each
seat dealt in, from seat 0 up, and the draw pile. Who played, and when, is not on the sheet. What a sheet means is for
`replay` to say.
"""

from dataclasses import dataclass, field
from typing import Any

from engine.actions import Action
from engine.scoresheets.notation import print_action


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat did: an action, its own or the clock's, or leaving, with the answer that was taken for it if any."""

    seat: int
    action: Action | None
    clock: bool = False
    leaves: str | None = None
    """`resigned` or `timed_out`; None for a seat that stays."""


@dataclass(frozen=True, slots=True)
class SheetRound:
    """How a round was dealt, and its moves."""

    starter: int
    order: tuple[str, ...]
    moves: tuple[Move, ...] = ()
    position: dict[str, Any] | None = None
    """What it began with in place of a deck."""


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """A game as far as it was played; nobody has won while it goes on."""

    edition: str
    seats: int
    rounds: tuple[SheetRound, ...]
    winners: tuple[int, ...] = ()
    options: dict[str, str] = field(default_factory=dict)


def print_move(move: Move) -> str:
    """Returns a move of a scoresheet in its notation, as one line."""
    words = [str(move.seat)]
    if move.action is not None:
        words.append(print_action(move.action))
    if move.clock:
        words.append("clock")
    if move.leaves is not None:
        words += ["leaves", move.leaves]
    return " ".join(words)
