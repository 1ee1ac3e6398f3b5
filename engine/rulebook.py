"""The rulebook of an edition for a number of seats: cards by key, deck and hooks; states share one by reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.actions import PlayCard
from engine.cards import AnswerEffect, Card, GuardedHook, RoundEndHook, SeatHook


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    """Who has won a round and what decided it, as in `RoundEnded`."""

    winners: tuple[int, ...]
    decided_by: str
    card: str | None = None
    standings: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """Who has won the game at once, by a card."""

    winners: tuple[int, ...]


Showdown: TypeAlias = Callable[[Any, tuple[int, ...]], RoundVerdict]
"""`(table, seats)`: who wins when the deck is empty and these seats are still in."""
GameWinners: TypeAlias = Callable[[Any], tuple[int, ...]]
"""`(state)`: who has won the game, nobody while it goes on."""
Entrants: TypeAlias = Callable[[Any], tuple[int, ...]]
"""`(state)`: who is dealt into the next round."""
TurnStart: TypeAlias = Callable[[Any, int], None]
"""`(table, seat)`: what the seat does before it draws; it may knock itself out or empty the deck."""
Spared: TypeAlias = Callable[[Any, int], bool]
"""`(state, seat)`: whether nothing can knock the seat out now."""
TokenKindRule: TypeAlias = Callable[[Any, int], str]
"""`(state, seat)`: the kind of token the seat gains for the round."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A rule set and its deck: the table of cards and the few rules that differ from edition to edition."""

    id: str
    seats: range
    cards_for: Callable[[int], tuple[Card, ...]]
    tokens_to_win: dict[int, int]
    """By number of seats."""
    shown_aside: dict[int, int]
    """By number of seats: how many cards lie face up beside the deck; nothing is said where there are none."""
    showdown: Showdown
    game_winners: GameWinners
    entrants: Entrants
    instant_winners: GameWinners | None = None
    """Asked after every play, for editions whose games can be won in the middle of a round."""
    insane_tokens_to_win: int = 0
    """How many insane tokens win, in editions that have them; the sane ones are then counted by themselves."""
    turn_start: TurnStart | None = None
    spared: Spared | None = None
    token_kind: TokenKindRule | None = None
    played_into: str = "discards"
    """`discards`: a played card lies there at once; `in_play`: only after its effect."""
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The house rules of the edition: by name its values, the default first."""


class Rulebook:
    """The rules of one edition for one number of seats and one choice of options.

    It is shared by all states of such games, and immutable but for two memos: the plays that a card offers in a
    situation, and those of a whole hand, which refer to the same actions. What is asked after every action is an
    attribute here, not only of the edition.
    """

    def __init__(self, edition: Edition, seats: int, options: dict[str, str]) -> None:
        self.edition = edition
        self.seats = seats
        self.options = options
        self.cards: dict[str, Card] = {card.key: card for card in edition.cards_for(seats)}
        self.values: dict[str, int] = {card.key: card.value for card in self.cards.values()}
        self.copies: dict[str, int] = {card.key: card.copies for card in self.cards.values()}
        self.deck: tuple[str, ...] = tuple(card.key for card in self.cards.values() for _ in range(card.copies))
        self.tokens_to_win: int = edition.tokens_to_win[seats]
        self.insane_tokens_to_win: int = edition.insane_tokens_to_win
        self.shown_aside: int = edition.shown_aside.get(seats, 0)
        self.into_play: bool = edition.played_into == "in_play"
        cards = self.cards.values()
        self.insanity: frozenset[str] = frozenset(card.key for card in cards if card.insanity)
        """The cards that make a seat insane."""
        self.forcing: frozenset[str] = frozenset(card.key for card in cards if card.forced)
        """The cards that must be played beside some others."""
        self.answers: dict[str, Mapping[str, AnswerEffect]] = {
            card.key: {**card.answers, **(card.insane.answers if card.insane is not None else {})} for card in cards
        }
        """By card and kind of decision: what the answer does, whichever way the card was played."""
        self.guarded: dict[str, GuardedHook] = {card.key: card.guarded for card in cards if card.guarded}
        """The cards that turn a guess away."""
        self.knocked_out: dict[str, SeatHook] = {card.key: card.knocked_out for card in cards if card.knocked_out}
        """The cards that pay when their owner is knocked out."""
        self.round_end: tuple[RoundEndHook, ...] = tuple(card.round_end for card in cards if card.round_end)
        """What is paid at the end of a round, in table order."""
        self.plays_of_cards: dict[tuple[object, ...], dict[PlayCard, None]] = {}
        self.instant_winners: GameWinners | None = edition.instant_winners
        self.turn_start: TurnStart | None = edition.turn_start
        self.spared: Spared | None = edition.spared
        self.plays_of_hands: dict[tuple[object, ...], tuple[PlayCard, ...]] = {}
