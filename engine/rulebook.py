"""An edition at a table of a certain size: the cards by key, the deck, the hooks; states share one by reference."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from engine.actions import PlayCard
from engine.cards import Card, GuardedHook, RoundEndHook, SeatHook

Showdown: TypeAlias = Callable[[Any, tuple[int, ...]], tuple[int, ...]]
"""`(table, seats)`: who wins when the deck is empty and these seats are still in."""
GameWinners: TypeAlias = Callable[[Any], tuple[int, ...]]
"""`(state)`: who has won the game, nobody while it goes on."""
Entrants: TypeAlias = Callable[[Any], tuple[int, ...]]
"""`(state)`: who is dealt into the next round."""
TurnStart: TypeAlias = Callable[[Any, int], None]
"""`(table, seat)`: what the seat does before it draws; it may knock itself out or empty the deck."""
Spared: TypeAlias = Callable[[Any, int], bool]
"""`(state, seat)`: whether nothing can knock the seat out now."""
TokenKind: TypeAlias = Callable[[Any, int], str]
"""`(state, seat)`: the kind of token the seat gains for the round."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A rule set and its deck: the table of cards and the few rules that differ from edition to edition."""

    id: str
    title: str
    seats: range
    cards_for: Callable[[int], tuple[Card, ...]]
    tokens_to_win: dict[int, int]
    shown_aside: dict[int, int]
    """By number of seats: how many cards lie face up beside the deck; nothing is said where there are none."""
    showdown: Showdown
    game_winners: GameWinners
    entrants: Entrants
    instant_winners: GameWinners | None = None
    """Asked after every play, for editions whose games can be won in the middle of a round."""
    turn_start: TurnStart | None = None
    spared: Spared | None = None
    token_kind: TokenKind | None = None
    played_into: str = "discards"
    """`discards`: a played card lies there at once; `in_play`: only after its effect."""
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The house readings of the edition: by name its values, the default first."""


class Rulebook:
    """The rules of one edition for one number of seats and one choice of options.

    It is immutable but for `plays`, a memo of the plays each card offers, and is shared by all states of such games.
    """

    def __init__(self, edition: Edition, seats: int, options: dict[str, str]) -> None:
        self.edition = edition
        self.seats = seats
        self.options = options
        self.cards: dict[str, Card] = {card.key: card for card in edition.cards_for(seats)}
        self.values: dict[str, int] = {card.key: card.value for card in self.cards.values()}
        self.deck: tuple[str, ...] = tuple(card.key for card in self.cards.values() for _ in range(card.copies))
        self.tokens_to_win: int = edition.tokens_to_win[seats]
        self.shown_aside: int = edition.shown_aside.get(seats, 0)
        self.into_play: bool = edition.played_into == "in_play"
        self.plays: dict[tuple[str, int, int, int | None, str | None], tuple[PlayCard, ...]] = {}

    @cached_property
    def forced(self) -> tuple[Card, ...]:
        """The cards that their player can be forced to play."""
        return tuple(card for card in self.cards.values() if card.forced)

    @cached_property
    def insanity(self) -> frozenset[str]:
        """The cards that make a seat insane."""
        return frozenset(card.key for card in self.cards.values() if card.insanity)

    @cached_property
    def guarded(self) -> dict[str, GuardedHook]:
        """The cards that turn a guess away."""
        return {card.key: card.guarded for card in self.cards.values() if card.guarded}

    @cached_property
    def knocked_out(self) -> dict[str, SeatHook]:
        """The cards that pay when their owner is knocked out."""
        return {card.key: card.knocked_out for card in self.cards.values() if card.knocked_out}

    @cached_property
    def round_end(self) -> tuple[RoundEndHook, ...]:
        """What is paid at the end of a round, in table order."""
        return tuple(card.round_end for card in self.cards.values() if card.round_end)
