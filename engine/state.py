"""The state of a game between two actions: plain mutable data that events change."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from engine.rulebook import Rulebook

if TYPE_CHECKING:
    from engine.events import BreakTaken, DecisionOpened

OPEN: Final = "open"
ACTIVE: Final = "active"
FINISHED: Final = "finished"
ABORTED: Final = "aborted"

MOST_SEATS: Final = 8
SEATS_OF: Final = tuple(
    tuple(seat for seat in range(MOST_SEATS) if mask >> seat & 1) for mask in range(1 << MOST_SEATS)
)
"""The seats of every bit mask, in seat order."""


@dataclass(slots=True)
class SeatState:
    """One seat: what lies in front of it and what is known of its hand.

    In a full state every card of `hand` is a key; in a view's state it is None where the viewer cannot know it.
    """

    hand: list[str | None] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    tokens: int = 0
    insane_tokens: int = 0
    left: bool = False
    player: str | None = None

    def copy(self) -> "SeatState":
        """Returns an independent copy."""
        return SeatState(
            self.hand.copy(), self.discards.copy(), self.tokens, self.insane_tokens, self.left, self.player
        )


@dataclass(slots=True)
class GameState:
    """The fold of a log, full or redacted."""

    book: Rulebook
    seats: list[SeatState]
    version: int = 0
    """How many events have been folded."""
    status: str = OPEN
    offers: Mapping[int, str] = field(default_factory=dict)
    """By seat: the player for whom it is kept; never changed in place."""
    positions: tuple[Mapping[str, Any] | None, ...] = ()
    """Of a sandbox, by round: the position that it begins with; none of what a view may not know."""
    in_round: int = 0
    """The seats still in the round, as a bit mask: bit 0 is seat 0."""
    protected: int = 0
    """The seats that cannot be chosen until their next turn, as a bit mask."""
    round_number: int = 0
    dealt: tuple[int, ...] = ()
    """The seats that the round was dealt to."""
    tie_break: bool = False
    """Whether the round was dealt to some only of those in the game."""
    scores: tuple[int, ...] = ()
    """The tokens of every seat at the start of the round."""
    round_winners: tuple[int, ...] = ()
    """The seats that have won the round, once it is over."""
    starter: int = 0
    turn: int = 0
    deck: list[str | None] = field(default_factory=list)
    """The draw pile, the top first."""
    set_aside: list[str | None] = field(default_factory=list)
    """The card nobody has seen: one while it lies there, none after it was drawn."""
    shown_aside: tuple[str, ...] = ()
    decision: "DecisionOpened | None" = None
    """The event that has put the open question."""
    bound: int | None = None
    """The seat that the next card played must choose, if it chooses."""
    marks: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By card: who marked whom for this round."""
    in_play: list[str] = field(default_factory=list)
    """Cards played whose effect is not over, in editions where they reach the discards only then."""
    winners: tuple[int, ...] = ()
    since: int = 0
    """The version at which the present question (a turn or a decision) was put."""
    banks: tuple[int, ...] | None = None
    """What every seat has in its bank, in milliseconds; None without banks. Nothing here knows what time it is."""
    breaks: "Mapping[int, BreakTaken]" = field(default_factory=dict)
    """By seat: the last break it took. It is over if its clock does not stand still for it any more."""
    away: int = 0
    """The seats that a bot stands in for because their time has run out, as a bit mask."""

    @classmethod
    def empty(cls, book: Rulebook) -> "GameState":
        """Returns the state of a table at which nobody sits."""
        return cls(book, [SeatState() for _ in range(book.seats)], scores=(0,) * book.seats)

    def copy(self) -> "GameState":
        """Returns an independent copy; the rulebook is shared."""
        state = GameState(*_fields_of(self))
        state.seats = [seat.copy() for seat in self.seats]
        state.deck = self.deck.copy()
        state.set_aside = self.set_aside.copy()
        state.marks = self.marks.copy()
        state.in_play = self.in_play.copy()
        return state

    @property
    def to_act(self) -> int | None:
        """Returns the seat that must act, or None when the game is not active."""
        if self.status != ACTIVE:
            return None
        return self.turn if self.decision is None else self.decision.seat

    def alive(self) -> tuple[int, ...]:
        """Returns the seats still in the round, in seat order."""
        return SEATS_OF[self.in_round]

    def is_in_round(self, seat: int) -> bool:
        """Returns whether a seat is still in the round."""
        return self.in_round >> seat & 1 == 1

    def is_protected(self, seat: int) -> bool:
        """Returns whether a seat cannot be chosen until its next turn."""
        return self.protected >> seat & 1 == 1

    def is_away(self, seat: int) -> bool:
        """Returns whether a bot stands in for a seat."""
        return self.away >> seat & 1 == 1

    def in_game(self) -> tuple[int, ...]:
        """Returns the seats that have not left the game, in seat order."""
        return tuple([i for i, seat in enumerate(self.seats) if not seat.left])

    def choosable(self) -> int:
        """Returns the seats that cards may choose, as a bit mask."""
        return self.in_round & ~self.protected

    def next_in_round(self, seat: int) -> int:
        """Returns the next seat clockwise after `seat` that is still in the round."""
        after = self.in_round >> (seat + 1) << (seat + 1)
        return SEATS_OF[after or self.in_round][0]

    def is_insane(self, seat: int) -> bool:
        """Returns whether a card in a seat's discards makes it insane."""
        return not self.book.insanity.isdisjoint(self.seats[seat].discards)


_fields_of: Final = attrgetter(*[one.name for one in fields(GameState)])
"""Reads all that a state holds, in half the time of `dataclasses.replace`."""
