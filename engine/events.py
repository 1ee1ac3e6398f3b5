"""The events of a game: one class each, with the change it makes to a state.

`apply` moves cards and nothing else, and works on full and on redacted events alike: a card that is None is unknown to
the viewer whose log is folded. So a view is the redacted log folded by the same code as the state.

Events are immutable, and equal events may be the same object (`shared`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, TypeVarTuple

from engine.audience import Audience, declare, hidden, public, shown_to, shown_to_each
from engine.state import ABORTED, ACTIVE, FINISHED, MOST_SEATS, GameState

BANK: Final = "bank"
"""The kind of clock that gives each seat so much time for the whole game."""

Cards: TypeAlias = tuple[str | None, ...]
MOST_SHARED = 4096
"""How many events of a type are kept: more than any table of any edition brings about, and at most 2 MB."""


class Event:
    """The base of all events."""

    __slots__ = ()
    type: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    secrets: ClassVar[tuple[tuple[str, Audience], ...]]

    def apply(self, state: GameState) -> None:
        """Applies the event to a state in place; the caller has counted the version up already."""


# --- the table fills ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class GameCreated(Event):
    """A table is opened, and everything about it that never changes."""

    game: str = field(metadata=public("The game's id."))
    edition: str = field(metadata=public("The rule set and deck."))
    options: dict[str, str] = field(metadata=public("The house rules in force."))
    seats: int = field(metadata=public("How many seats the table has."))
    visibility: str = field(metadata=public("`public` or `unlisted`."))
    clock: dict[str, Any] | None = field(
        metadata=public("How long seats may think and what happens on a timeout, or null.")
    )
    starter: int | None = field(metadata=public("The seat that begins the first round, or null if it is drawn."))
    creator: str = field(metadata=public("The id of the player who opened the table."))
    previous_game: str | None = field(metadata=public("The game this one is a rematch of, or null."))
    commitment: str = field(
        metadata=public("SHA-256 commitment to the secret that all chance of the game comes from, in hex.")
    )
    sandbox: bool = field(
        metadata=public("Whether decks were chosen, or taken from another game; statistics leave such games out.")
    )
    sandbox_rounds: tuple[dict[str, Any], ...] = field(
        metadata=hidden("The chosen starters and decks of a sandbox game.")
    )
    forked_from: dict[str, Any] | None = field(
        metadata=public("The game and version that this one continues; null for none.")
    )
    sandbox_positions: tuple[dict[str, Any], ...] = field(
        metadata=hidden("The chosen positions of a sandbox game, by round.")
    )

    def apply(self, state: GameState) -> None:
        if self.clock is not None and self.clock["kind"] == BANK:
            state.banks = (self.clock["seconds"] * 1000,) * self.seats
        state.positions = self.sandbox_positions


@dataclass(slots=True)
class SeatTaken(Event):
    """A player or a bot sits down."""

    seat: int = field(metadata=public("The seat."))
    player: str = field(metadata=public("The id of the player."))
    nonce: str = field(
        metadata=public("SHA-256 of the player's contribution to the shuffle, in hex; empty if there is none.")
    )
    nonce_hash: str = field(
        metadata=public("SHA-256 of the nonce that the player has committed to, in hex; empty if there is none.")
    )

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = self.player
        state.offers = {seat: player for seat, player in state.offers.items() if player != self.player}


@dataclass(slots=True)
class SeatVacated(Event):
    """A player leaves before the start."""

    seat: int = field(metadata=public("The seat."))

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = None


@dataclass(slots=True)
class SeatCleared(Event):
    """The creator removes a player or a bot before the start; a player cannot sit down there again unless invited."""

    seat: int = field(metadata=public("The seat."))
    player: str = field(metadata=public("The id of the player."))

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = None


@dataclass(slots=True)
class SeatOffered(Event):
    """A player is invited to an open seat, which is reserved for them."""

    seat: int = field(metadata=public("The seat."))
    player: str = field(metadata=public("The id of the player."))

    def apply(self, state: GameState) -> None:
        state.offers = {**state.offers, self.seat: self.player}


@dataclass(slots=True)
class SeatDeclined(Event):
    """A player declines an invitation; anybody may take the seat again."""

    seat: int = field(metadata=public("The seat."))
    player: str = field(metadata=public("The id of the player."))
    reason: str = field(metadata=public("Why, as a key."))

    def apply(self, state: GameState) -> None:
        state.offers = {seat: player for seat, player in state.offers.items() if seat != self.seat}


@dataclass(slots=True)
class OfferWithdrawn(Event):
    """An invitation is withdrawn; anybody may take the seat again."""

    seat: int = field(metadata=public("The seat."))
    player: str = field(metadata=public("The id of the player who was invited."))

    def apply(self, state: GameState) -> None:
        state.offers = {seat: player for seat, player in state.offers.items() if seat != self.seat}


@dataclass(slots=True)
class RevealStarted(Event):
    """Every seat is taken, and the players who committed to a nonce have 15 seconds to reveal it."""

    seats: tuple[int, ...] = field(metadata=public("The seats that must reveal their nonces."))

    def apply(self, state: GameState) -> None:
        """Changes nothing in the state: who sits where is known, and the event deals nothing yet."""


@dataclass(slots=True)
class NonceRevealed(Event):
    """A player reveals the nonce that they had committed to."""

    seat: int = field(metadata=public("The seat."))
    nonce: str = field(metadata=public("The nonce."))

    def apply(self, state: GameState) -> None:
        """Changes nothing in the state: the event `game_started` lists what the nonces contribute."""


@dataclass(slots=True)
class GameStarted(Event):
    """The table is full, all nonces are revealed or missing, and play begins."""

    players: tuple[str, ...] = field(metadata=public("The ids of the players, by seat."))
    nonces: tuple[str, ...] = field(
        metadata=public("The contributions to the shuffle, by seat; empty where there is none.")
    )
    committed: tuple[int, ...] = field(
        metadata=public("The seats that had committed to a nonce; empty without commit and reveal.")
    )
    unrevealed: tuple[int, ...] = field(
        metadata=public("Those of them that did not reveal it in time and contribute nothing.")
    )

    def apply(self, state: GameState) -> None:
        state.status = ACTIVE
        for seat, player in zip(state.seats, self.players, strict=True):
            seat.player = player


# --- a round -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class RoundStarted(Event):
    """The deck is shuffled and dealt; with `game_created` and `game_started` it is all a state needs.

    In a sandbox the round may begin in the middle instead, with a `position`.
    """

    number: int = field(metadata=public("The number of the round, from 1."))
    starter: int = field(metadata=public("The seat that begins."))
    seats: tuple[int, ...] = field(metadata=public("The seats that are dealt in."))
    scores: tuple[int, ...] = field(metadata=public("The tokens of every seat."))
    insane_scores: tuple[int, ...] = field(metadata=public("How many of these are insane tokens."))
    left: tuple[int, ...] = field(metadata=public("The seats that have left the game."))
    hands: Cards = field(metadata=shown_to_each(doc="The card dealt to each seat."))
    deck: Cards = field(metadata=hidden("The draw pile, the top first."))
    set_aside: str | None = field(metadata=hidden("The card set aside face down."))
    shown_aside: tuple[str, ...] = field(metadata=public("The cards set aside face up."))
    banks: tuple[int, ...] | None = field(
        metadata=public("What each seat has in its bank, in milliseconds, or null without banks.")
    )
    away: tuple[int, ...] = field(metadata=public("The seats for which a bot stands in."))
    position: dict[str, Any] | None = field(
        metadata=public("What lies open in a round that begins with a chosen position; null for one that is dealt.")
    )

    def __init__(
        self,
        number: int,
        starter: int,
        seats: tuple[int, ...],
        scores: tuple[int, ...],
        insane_scores: tuple[int, ...],
        left: tuple[int, ...],
        hands: Cards,
        deck: Cards,
        set_aside: str | None,
        shown_aside: tuple[str, ...],
        banks: tuple[int, ...] | None,
        away: tuple[int, ...],
        position: dict[str, Any] | None,
    ) -> None:
        self.number = number
        self.starter = starter
        self.seats = seats
        self.scores = scores
        self.insane_scores = insane_scores
        self.left = left
        self.hands = hands
        self.deck = deck
        self.set_aside = set_aside
        self.shown_aside = shown_aside
        self.banks = banks
        self.away = away
        self.position = position

    def apply(self, state: GameState) -> None:
        state.round_number = self.number
        state.dealt = self.seats
        state.tie_break = len(self.seats) + len(self.left) < len(state.seats)
        state.scores = self.scores
        state.starter = state.turn = self.starter
        state.deck = list(self.deck)
        state.set_aside = [self.set_aside]
        state.shown_aside = self.shown_aside
        state.decision = None
        state.bound = None
        state.marks = {}
        state.in_play = []
        state.protected = 0
        state.banks = self.banks
        state.away = mask_of(self.away) if self.away else 0
        for i, seat in enumerate(state.seats):
            seat.hand = []
            seat.discards = []
            seat.tokens = self.scores[i]
            seat.insane_tokens = self.insane_scores[i]
            seat.left = False
        for i in self.left:
            state.seats[i].left = True
        state.in_round = mask_of(self.seats)
        for i in self.seats:
            state.seats[i].hand.append(self.hands[i])
        if self.position is not None:
            put_down(state, self.position)


@dataclass(slots=True)
class TurnStarted(Event):
    """A seat's turn begins; its own protection ends."""

    seat: int = field(metadata=public("The seat."))

    def apply(self, state: GameState) -> None:
        state.turn = self.seat
        state.since = state.version
        if state.protected:
            state.protected &= ~(1 << self.seat)


@dataclass(slots=True)
class CardDrawn(Event):
    """A seat draws a card."""

    seat: int = field(metadata=public("The seat."))
    card: str | None = field(metadata=shown_to("seat", doc="The card."))
    source: str = field(metadata=public("`deck`, or `set_aside` when the deck is empty."))

    def apply(self, state: GameState) -> None:
        # A viewer who put this card under the deck knows it although the event does not say so.
        known = (state.deck if self.source == "deck" else state.set_aside).pop(0)
        state.seats[self.seat].hand.append(self.card or known)


@dataclass(slots=True)
class CardPlayed(Event):
    """A seat plays a card, with everything it chooses."""

    seat: int = field(metadata=public("The seat."))
    card: str = field(metadata=public("The card."))
    targets: tuple[int, ...] = field(metadata=public("The chosen seats; empty when nobody is or can be chosen."))
    guess: str | None = field(metadata=public("The character named, or null."))
    guess_value: int | None = field(metadata=public("The number named, in editions that name numbers, or null."))
    face: str | None = field(metadata=public("`sane` or `insane` where the card has two effects, else null."))

    @property
    def target(self) -> int:
        """Returns the first seat chosen in the event of a played card."""
        return self.targets[0]

    @property
    def named(self) -> str | int | None:
        """Returns the character or the number named in the event of a played card."""
        return self.guess if self.guess_value is None else self.guess_value

    def apply(self, state: GameState) -> None:
        seat = state.seats[self.seat]
        card = self.card
        # A viewer knows only a part of the hand: the card may have been one of the unknown.
        seat.hand.remove(card if card in seat.hand else None)
        state.bound = None
        if state.book.into_play:
            state.in_play.append(card)
        else:
            seat.discards.append(card)


@dataclass(slots=True)
class CardResolved(Event):
    """A played card's effect is over and it reaches the discards (editions where it does so only then)."""

    seat: int = field(metadata=public("The seat that played it."))
    card: str = field(metadata=public("The card."))

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].discards.append(state.in_play.pop())


@dataclass(slots=True)
class CardRevealed(Event):
    """The top card of the deck is turned up onto a seat's discards, without effect."""

    seat: int = field(metadata=public("The seat."))
    card: str = field(metadata=public("The card."))

    def apply(self, state: GameState) -> None:
        state.deck.pop(0)
        state.seats[self.seat].discards.append(self.card)


@dataclass(slots=True)
class SeatProtected(Event):
    """A seat cannot be chosen until the start of its next turn."""

    seat: int = field(metadata=public("The seat."))

    def apply(self, state: GameState) -> None:
        state.protected |= 1 << self.seat


@dataclass(slots=True)
class SeatBound(Event):
    """The next card played must choose this seat, if it chooses."""

    seat: int = field(metadata=public("The seat."))

    def apply(self, state: GameState) -> None:
        state.bound = self.seat


@dataclass(slots=True)
class SeatMarked(Event):
    """A card marks a seat for the rest of the round."""

    card: str = field(metadata=public("The card that marks."))
    seat: int = field(metadata=public("The seat that played it."))
    target: int = field(metadata=public("The marked seat."))

    def apply(self, state: GameState) -> None:
        state.marks[self.card] = (self.seat, self.target)


@dataclass(slots=True)
class HandShown(Event):
    """A seat looks at another's hand."""

    seat: int = field(metadata=public("The seat whose hand it is."))
    to: int = field(metadata=public("The seat that looks."))
    cards: Cards = field(metadata=shown_to("seat", "to", doc="The hand."))

    def apply(self, state: GameState) -> None:
        learn(state, self.seat, self.cards)


@dataclass(slots=True)
class HandsCompared(Event):
    """Two seats compare their hands in secret; what follows is an event of its own."""

    seat: int = field(metadata=public("The seat that played the card."))
    target: int = field(metadata=public("The seat it chose."))
    cards: Cards = field(metadata=shown_to("seat", "target", doc="The hand of the seat."))
    target_cards: Cards = field(metadata=shown_to("seat", "target", doc="The hand of the target."))

    def apply(self, state: GameState) -> None:
        learn(state, self.seat, self.cards)
        learn(state, self.target, self.target_cards)


@dataclass(slots=True)
class HandsTraded(Event):
    """Two seats swap their hands."""

    seat: int = field(metadata=public("One seat."))
    target: int = field(metadata=public("The other seat."))
    cards: Cards = field(metadata=shown_to("seat", "target", doc="What the seat holds now."))
    target_cards: Cards = field(metadata=shown_to("seat", "target", doc="What the target holds now."))

    def apply(self, state: GameState) -> None:
        a, b = state.seats[self.seat], state.seats[self.target]
        a.hand, b.hand = b.hand, a.hand
        learn(state, self.seat, self.cards)
        learn(state, self.target, self.target_cards)


@dataclass(slots=True)
class HandTaken(Event):
    """A seat takes another's hand to its own."""

    seat: int = field(metadata=public("The seat that takes."))
    target: int = field(metadata=public("The seat that is left without a hand."))
    cards: Cards = field(metadata=shown_to("seat", "target", doc="The hand."))

    def apply(self, state: GameState) -> None:
        target = state.seats[self.target]
        hand = state.seats[self.seat].hand
        for known, card in zip(target.hand, self.cards, strict=True):
            hand.append(card or known)
        target.hand = []


@dataclass(slots=True)
class CardReceived(Event):
    """A seat is given a card from beside the deck, in the open."""

    seat: int = field(metadata=public("The seat."))
    card: str = field(metadata=public("The card."))

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].hand.append(self.card)


@dataclass(slots=True)
class HandsGiven(Event):
    """A seat that has collected hands gives one card back to each of their seats."""

    seat: int = field(metadata=public("The seat that gives."))
    targets: tuple[int, ...] = field(metadata=public("The seats that are given a card."))
    hands: Cards = field(
        metadata=shown_to_each("seat", doc="By seat, the card it holds now; null where none was given.")
    )

    def apply(self, state: GameState) -> None:
        collected = [state.seats[target].hand[0] for target in self.targets]
        for target in self.targets:
            card = self.hands[target]
            state.seats[target].hand = [card]
            if card is not None:
                collected.remove(card if card in collected else None)
        # A viewer who does not see what others are given still knows it where only cards of one kind are left.
        if len(set(collected)) == 1:
            for target in self.targets:
                learn(state, target, (self.hands[target] or collected[0],))


@dataclass(slots=True)
class HandDiscarded(Event):
    """A seat discards its hand face up, without effect but for cards that punish their discard."""

    seat: int = field(metadata=public("The seat."))
    cards: tuple[str, ...] = field(metadata=public("The hand."))

    def apply(self, state: GameState) -> None:
        seat = state.seats[self.seat]
        seat.hand = []
        seat.discards.extend(self.cards)


@dataclass(slots=True)
class CardsReturned(Event):
    """A seat puts cards of its hand face down under the deck."""

    seat: int = field(metadata=public("The seat."))
    cards: Cards = field(metadata=shown_to("seat", doc="The cards in order, the last one undermost."))

    def apply(self, state: GameState) -> None:
        hand = state.seats[self.seat].hand
        for card in self.cards:
            take_hidden(hand, card)
        state.deck.extend(self.cards)


@dataclass(slots=True)
class KnockedOut(Event):
    """A seat is out of the round; its hand comes to lie on its discards without effect."""

    seat: int = field(metadata=public("The seat."))
    cards: tuple[str, ...] = field(metadata=public("The hand it held."))

    def apply(self, state: GameState) -> None:
        put_out(state, self.seat, self.cards)


@dataclass(slots=True)
class DecisionOpened(Event):
    """A question is put to a seat; nothing else happens until it is answered."""

    seat: int = field(metadata=public("The seat that must answer."))
    card: str = field(metadata=public("The card that asks."))
    kind: str = field(metadata=public("What is asked: the type of the action that answers it."))
    seats: tuple[int, ...] = field(
        metadata=public(
            "The seats whose hands the answer may name: those that have swapped (`peek_hand`), those whose hands were "
            "collected (`give_hands`). Empty for the other kinds, which are about the hand of `seat` itself."
        )
    )

    def apply(self, state: GameState) -> None:
        state.decision = self
        state.since = state.version


@dataclass(slots=True)
class DecisionTaken(Event):
    """The question is answered; what the answer does follows as events of its own."""

    seat: int = field(metadata=public("The seat that answered."))
    card: str = field(metadata=public("The card that asked."))
    kind: str = field(metadata=public("What was asked."))

    def apply(self, state: GameState) -> None:
        state.decision = None


@dataclass(slots=True)
class HandsRevealed(Event):
    """The deck is empty, and every seat in the round shows its hand."""

    hands: Cards = field(metadata=public("The hand of each seat, null where the seat is out."))

    def __init__(self, hands: Cards) -> None:
        self.hands = hands

    def apply(self, state: GameState) -> None:
        for i, card in enumerate(self.hands):
            if card is not None:
                learn(state, i, (card,))


@dataclass(slots=True)
class RoundEnded(Event):
    """A round is over."""

    number: int = field(metadata=public("The number of the round."))
    winners: tuple[int, ...] = field(metadata=public("The seats that won it, in some editions perhaps none."))
    reason: str = field(
        metadata=public("`last_seat` when at most one was left, `showdown`, or `card` when a card won it.")
    )
    decided_by: str | None = field(
        metadata=public(
            "What decided: `last_seat`; `nobody_left`; `highest_number`, shared if several win; "
            "`discard_sum` among equal numbers; `equal_numbers` that removed everybody; `card`. Null in rounds from "
            "before it was kept."
        )
    )
    card: str | None = field(metadata=public("The card that won the round at once, or null."))
    standings: tuple[dict[str, Any], ...] = field(
        metadata=public("At a showdown every seat in it, in seat order; otherwise empty.")
    )

    def __init__(
        self,
        number: int,
        winners: tuple[int, ...],
        reason: str,
        decided_by: str | None,
        card: str | None,
        standings: tuple[dict[str, Any], ...],
    ) -> None:
        self.number = number
        self.winners = winners
        self.reason = reason
        self.decided_by = decided_by
        self.card = card
        self.standings = standings


@dataclass(slots=True)
class TokenAwarded(Event):
    """A seat gains a token."""

    seat: int = field(metadata=public("The seat."))
    reason: str = field(metadata=public("`round`, or the card that paid it."))
    kind: str = field(metadata=public("The kind of token: `favor`, `sane` or `insane`."))

    def apply(self, state: GameState) -> None:
        seat = state.seats[self.seat]
        seat.tokens += 1
        if self.kind == "insane":
            seat.insane_tokens += 1


# --- clocks ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class TimeSpent(Event):
    """A seat with a bank has answered, or its bank is empty; what it does follows."""

    seat: int = field(metadata=public("The seat."))
    spent_ms: int = field(metadata=public("The milliseconds it took, which its bank has lost."))
    bank_ms: int = field(metadata=public("What its bank has now, in milliseconds, with the increment."))

    def apply(self, state: GameState) -> None:
        assert state.banks is not None, "only banks lose time"
        state.banks = (*state.banks[: self.seat], self.bank_ms, *state.banks[self.seat + 1 :])


@dataclass(slots=True)
class SeatTimedOut(Event):
    """A seat did not act in time: a bot stands in for it until its player is back, and what it does follows."""

    seat: int = field(metadata=public("The seat."))

    def apply(self, state: GameState) -> None:
        state.away |= 1 << self.seat


@dataclass(slots=True)
class SeatTakenBack(Event):
    """A player returns and takes their seat back from the bot."""

    seat: int = field(metadata=public("The seat."))

    def apply(self, state: GameState) -> None:
        state.away &= ~(1 << self.seat)


# --- seats leave, games end --------------------------------------------------------------------------------------


@dataclass(slots=True)
class SeatLeft(Event):
    """A seat leaves the running game for good; its hand comes to lie on its discards without effect."""

    seat: int = field(metadata=public("The seat."))
    cards: tuple[str, ...] = field(metadata=public("The hand it held."))
    reason: str = field(metadata=public("`resigned` or `timed_out`."))

    def apply(self, state: GameState) -> None:
        put_out(state, self.seat, self.cards)
        state.seats[self.seat].left = True
        state.away &= ~(1 << self.seat)
        if state.bound == self.seat:
            # Nobody can choose a seat that is out: the next card would be lost to its player for nothing.
            state.bound = None


@dataclass(slots=True)
class GameFinished(Event):
    """The game is over."""

    winners: tuple[int, ...] = field(metadata=public("The seats that won it; several may win together."))

    def apply(self, state: GameState) -> None:
        state.status = FINISHED
        state.winners = self.winners
        state.decision = None


@dataclass(slots=True)
class GameAborted(Event):
    """The game ended without a result."""

    reason: str = field(
        metadata=public(
            "`called_off` by its creator before the start or by an operator, `expired` after nobody touched "
            "it, or `restored` from a backup, before whose making it had not ended."
        )
    )

    def apply(self, state: GameState) -> None:
        state.status = ABORTED
        state.decision = None


@dataclass(slots=True)
class SecretRevealed(Event):
    """The last event of every game: the secret behind the commitment."""

    secret: str = field(metadata=public("The secret, in hex."))


EVENTS: dict[str, type[Event]] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "seat_vacated": SeatVacated,
    "seat_cleared": SeatCleared,
    "seat_offered": SeatOffered,
    "seat_declined": SeatDeclined,
    "offer_withdrawn": OfferWithdrawn,
    "reveal_started": RevealStarted,
    "nonce_revealed": NonceRevealed,
    "game_started": GameStarted,
    "round_started": RoundStarted,
    "turn_started": TurnStarted,
    "card_drawn": CardDrawn,
    "card_played": CardPlayed,
    "card_resolved": CardResolved,
    "card_revealed": CardRevealed,
    "seat_protected": SeatProtected,
    "seat_bound": SeatBound,
    "seat_marked": SeatMarked,
    "hand_shown": HandShown,
    "hands_compared": HandsCompared,
    "hands_traded": HandsTraded,
    "hand_taken": HandTaken,
    "card_received": CardReceived,
    "hands_given": HandsGiven,
    "hand_discarded": HandDiscarded,
    "cards_returned": CardsReturned,
    "knocked_out": KnockedOut,
    "decision_opened": DecisionOpened,
    "decision_taken": DecisionTaken,
    "hands_revealed": HandsRevealed,
    "round_ended": RoundEnded,
    "token_awarded": TokenAwarded,
    "time_spent": TimeSpent,
    "seat_timed_out": SeatTimedOut,
    "seat_taken_back": SeatTakenBack,
    "seat_left": SeatLeft,
    "game_finished": GameFinished,
    "game_aborted": GameAborted,
    "secret_revealed": SecretRevealed,
}
"""By the type under which it is stored: all events."""
GAME_ENDS: Final = (GameFinished, GameAborted)
"""The events that end a game; nothing but its secret follows."""

for type_name, kind in EVENTS.items():
    declare(kind, type_name, globals())


def _reading(fields: tuple[str, ...]) -> Callable[[Event], tuple[Any, ...]]:
    """Returns what reads the values of an event's fields, in their order."""
    if len(fields) > 1:
        return attrgetter(*fields)  # in half the time of a comprehension
    return lambda event: tuple([getattr(event, name) for name in fields])


VALUES_OF: Final = {type_name: _reading(kind.fields) for type_name, kind in EVENTS.items()}
"""By the type under which it is stored: reads the values of an event's fields, in their order."""
Values = TypeVarTuple("Values")
Made = TypeVar("Made", bound=Event)


class Shared(dict[Any, Any]):
    """Events by what they are made of: those that have been made, and any other as soon as it is asked for."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make: Final = make

    def __missing__(self, of: Any) -> Any:
        if len(self) >= MOST_SHARED:
            self.clear()
        made = self[of] = self._make(of)
        return made


SHARED: Final[dict[object, Shared]] = {}
"""By class: the events of those of which equal ones are one object."""


def shared(kind: Callable[[*Values], Made]) -> dict[tuple[*Values], Made]:
    """Declares a class of events of which equal ones are one object: they never change and happen again and again."""
    events = SHARED[kind] = Shared(lambda values: kind(*values))
    return events


def of_seats(kind: Callable[[int], Made]) -> tuple[Made, ...]:
    """Returns the events of a class in which nothing but the seat differs, by seat."""
    events = shared(kind)
    return tuple([events[seat,] for seat in range(MOST_SEATS)])


def fold(state: GameState, events: Iterable[Event]) -> GameState:
    """Applies events to a state in place, counting its version, and returns it."""
    for happened in events:
        state.version += 1
        happened.apply(state)
    return state


def mask_of(seats: Iterable[int]) -> int:
    """Returns seats as the bit mask by which states hold them."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def put_down(state: GameState, position: dict[str, Any]) -> None:
    """Puts down in a state what lies open in a sandbox's position."""
    for seat, pile in zip(state.seats, position["discards"], strict=True):
        seat.discards = list(pile)
    for i in position["out"]:
        state.in_round &= ~(1 << i)
        state.seats[i].hand = []
    for i in position["protected"]:
        state.protected |= 1 << i
    state.bound = position["bound"]
    state.marks = {mark["card"]: (mark["seat"], mark["target"]) for mark in position["marks"]}


def put_out(state: GameState, number: int, cards: tuple[str, ...]) -> None:
    """Takes a seat out of the round in a state, and lays its hand on its discards."""
    others = ~(1 << number)
    state.in_round &= others
    state.protected &= others
    seat = state.seats[number]
    seat.hand = []
    seat.discards.extend(cards)


def learn(state: GameState, seat: int, cards: Cards) -> None:
    """Notes in a state a seat's whole hand where the viewer sees it; what they do not see changes nothing."""
    if None not in cards:
        state.seats[seat].hand = list(cards)


def take_hidden(hand: list[str | None], card: str | None) -> None:
    """Removes a card face down from a state's hand; if the viewer does not see it, all that is left is unknown."""
    if card is None:
        hand[:] = [None] * (len(hand) - 1)
    else:
        hand.remove(card)
