"""A game as effects change it: plain data, open to everybody; what may be done with it is elsewhere.

What the model says besides, and no later action depends on, does not count when two games are compared.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.second_model.model.position import Question


@dataclass
class Game:
    """A game between two actions, or at the end of a round."""

    edition: str
    seats: int
    """How many sat down at the start; seats that leave change neither deck nor numbers."""
    liber_spares: bool
    """Whether the table plays Liber Ivonis as published."""
    numbers: dict[str, int] = field(compare=False)
    """The number of each card."""
    running: bool
    winners: tuple[int, ...]
    starter: int
    turn: int
    tokens_before: tuple[int, ...]
    """The tokens of each seat when the round began."""
    hands: list[list[str]]
    discards: list[list[str]]
    tokens: list[int]
    """The tokens of each seat, of both kinds."""
    insane_tokens: list[int]
    left: set[int]
    in_round: set[int]
    protected: set[int]
    deck: list[str]
    """The top first."""
    set_aside: list[str]
    face_up: list[str]
    in_play: list[str]
    """Cards whose effect is not over, the last one played last; in `lovecraft` only."""
    bound: int | None
    """Whom the Sycophant has bound, until the next card is played."""
    marks: dict[str, tuple[int, int]]
    """By card (Jester, Liber Ivonis): who has marked whom for this round."""
    question: Question | None

    round_won_by: int | None = field(default=None, compare=False)
    """Set by a card that wins the round at once."""
    game_won_by: int | None = field(default=None, compare=False)
    """Set by a card that wins the game at once."""
    round_winners: tuple[int, ...] | None = field(default=None, compare=False)
    """Who has won the round; None as long as it goes on."""
    counted: dict[int, int | None] = field(default_factory=dict, compare=False)
    """At a showdown, what the hand of each seat in it counts; None if it does not count."""
    sums: dict[int, int] = field(default_factory=dict, compare=False)
    """The sums of the discards by which a showdown was decided, of the seats that were level."""
    looks: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list, compare=False)
    """Who has looked at whose hand, and what it was; swaps of hands are not listed."""
    used: set[str] = field(default_factory=set, compare=False)
    """Names of rules that have applied, so that a test can insist on having met them."""


@dataclass(frozen=True)
class Deal:
    """How chance has begun a round: the one thing that the model is told."""

    starter: int
    seats: tuple[int, ...]
    hands: tuple[str | None, ...]
    deck: tuple[str, ...]
    set_aside: str
    face_up: tuple[str, ...]


Named = str | int | None
"""The character or the number that a card names."""
Effect = Callable[[Game, int, tuple[int, ...], Named], None]
"""`(game, who plays, whom it chooses, what it names)`."""
