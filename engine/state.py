"""The state of a game between two actions: plain mutable data that events change."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.rulebook import Rulebook

if TYPE_CHECKING:
    from engine.events import DecisionOpened

OPEN: Final = "open"
ACTIVE: Final = "active"
FINISHED: Final = "finished"
ABORTED: Final = "aborted"

MOST_SEATS: Final = 8
SEATS_OF: Final = tuple(
    tuple(seat for seat in range(MOST_SEATS) if mask >> seat & 1) for mask in range(1 << MOST_SEATS)
)
"""The seats of every bit mask, in seat order."""


class SeatState:
    """One seat: what lies in front of it and what is known of its hand.

    In a full state every card of `hand` is a key; in a view's state it is None where the viewer cannot know it.
    """

    __slots__ = ("discards", "hand", "insane_tokens", "left", "player", "tokens")

    def __init__(self, hand: list[str | None], discards: list[str]) -> None:
        self.hand = hand
        self.discards = discards
        self.tokens = 0
        self.insane_tokens = 0
        self.left = False
        self.player: str | None = None

    def copy(self) -> "SeatState":
        """Returns an independent copy."""
        hand, discards = self.hand.copy(), self.discards.copy()
        # A compiled class runs `__init__` in `__new__`, which needs them; mypy knows only the `__new__` of `object`.
        seat = SeatState.__new__(SeatState, hand, discards)  # type: ignore[call-arg]
        seat.hand = hand
        seat.discards = discards
        seat.tokens = self.tokens
        seat.insane_tokens = self.insane_tokens
        seat.left = self.left
        seat.player = self.player
        return seat


STATE_FIELDS: Final = (
    "away",
    "banks",
    "book",
    "bound",
    "dealt",
    "decision",
    "deck",
    "in_play",
    "in_round",
    "marks",
    "offers",
    "positions",
    "protected",
    "round_number",
    "scores",
    "seats",
    "set_aside",
    "shown_aside",
    "since",
    "starter",
    "status",
    "tie_break",
    "turn",
    "version",
    "winners",
)
"""Everything that a state has; a compiled class does not say so itself."""


class GameState:
    """The fold of a log, full or redacted."""

    __slots__ = STATE_FIELDS

    def __init__(self, book: Rulebook, seats: list[SeatState] | None = None) -> None:
        self.book = book
        self.version = 0
        """How many events have been folded."""
        self.status = OPEN
        self.seats = [SeatState([], []) for _ in range(book.seats)] if seats is None else seats
        self.offers: Mapping[int, str] = {}
        """By seat: the player for whom it is kept; never changed in place."""
        self.positions: tuple[Mapping[str, Any] | None, ...] = ()
        """Of a sandbox, by round: the position that it begins with; none of what a view may not know."""
        self.in_round = 0
        """The seats still in the round, as a bit mask: bit 0 is seat 0."""
        self.protected = 0
        """The seats that cannot be chosen until their next turn, as a bit mask."""
        self.round_number = 0
        self.dealt: tuple[int, ...] = ()
        """The seats that the round was dealt to."""
        self.tie_break = False
        """Whether the round was dealt to some only of those in the game."""
        self.scores: tuple[int, ...] = (0,) * book.seats
        """The tokens of every seat at the start of the round."""
        self.starter = 0
        self.turn = 0
        self.deck: list[str | None] = []
        """The draw pile, the top first."""
        self.set_aside: list[str | None] = []
        """The card nobody has seen: one while it lies there, none after it was drawn."""
        self.shown_aside: tuple[str, ...] = ()
        self.decision: DecisionOpened | None = None
        """The event that has put the open question."""
        self.bound: int | None = None
        """The seat that the next card played must choose, if it chooses."""
        self.marks: dict[str, tuple[int, int]] = {}
        """By card: who marked whom for this round."""
        self.in_play: list[str] = []
        """Cards played whose effect is not over, in editions where they reach the discards only then."""
        self.winners: tuple[int, ...] = ()
        self.since = 0
        """The version at which the present question (a turn or a decision) was put."""
        self.banks: tuple[int, ...] | None = None
        """What every seat has in its bank, in milliseconds; None without banks. Nothing here knows what time it is."""
        self.away = 0
        """The seats that a bot stands in for because their time has run out, as a bit mask."""

    def copy(self) -> "GameState":
        """Returns an independent copy; the rulebook is shared."""
        seats = [seat.copy() for seat in self.seats]
        # What `__init__` needs in a compiled class, as for a seat; without seats it would make some to throw away.
        state = GameState.__new__(GameState, self.book, seats)  # type: ignore[call-arg]
        state.book = self.book
        state.version = self.version
        state.status = self.status
        state.seats = seats
        state.offers = self.offers
        state.positions = self.positions
        state.in_round = self.in_round
        state.protected = self.protected
        state.round_number = self.round_number
        state.dealt = self.dealt
        state.tie_break = self.tie_break
        state.scores = self.scores
        state.starter = self.starter
        state.turn = self.turn
        state.deck = self.deck.copy()
        state.set_aside = self.set_aside.copy()
        state.shown_aside = self.shown_aside
        state.decision = self.decision
        state.bound = self.bound
        state.marks = self.marks.copy()
        state.in_play = self.in_play.copy()
        state.winners = self.winners
        state.since = self.since
        state.banks = self.banks
        state.away = self.away
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
