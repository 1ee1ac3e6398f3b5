"""The verbs that card effects are written in.

Each verb emits an event, applies it at once to the working state and keeps it. So nothing changes without an event, and
later lines of an effect see the result of earlier ones.
"""

from dataclasses import dataclass, field

from engine.events import (
    CardDrawn,
    CardPlayed,
    CardReceived,
    CardRevealed,
    CardsReturned,
    DecisionOpened,
    Event,
    HandDiscarded,
    HandsCompared,
    HandsGiven,
    HandShown,
    HandsTraded,
    HandTaken,
    KnockedOut,
    SeatBound,
    SeatMarked,
    SeatProtected,
    TokenAwarded,
)
from engine.rulebook import GameVerdict, RoundVerdict
from engine.shuffle import Chance
from engine.state import GameState


@dataclass(slots=True)
class Table:
    """A working state, the events that have happened to it, and chance."""

    state: GameState
    chance: Chance
    events: list[Event] = field(default_factory=list)
    won: RoundVerdict | GameVerdict | None = None
    """Set by a card that wins the round or the game at once."""

    def emit(self, event: Event) -> None:
        """Applies an event to the state, and keeps it."""
        state = self.state
        state.version += 1
        event.apply(state)
        self.events.append(event)

    # --- looking ---

    def hand(self, seat: int) -> tuple[str, ...]:
        """Returns a seat's hand.

        Raises:
            AssertionError: the state is a view in which the hand is not known.
        """
        cards = tuple(self.state.seats[seat].hand)
        assert None not in cards, "effects need a full state"
        return cards  # type: ignore[return-value]  # the line above

    def hand_face_up(self, seat: int) -> tuple[str, ...]:
        """Returns a hand as it is laid down: by number, so that nobody learns which card came last."""
        cards = self.hand(seat)
        if len(cards) < 2:
            return cards
        values = self.state.book.values
        return tuple(sorted(cards, key=lambda card: (values[card], card)))

    def in_round(self, seat: int) -> bool:
        """Returns whether a seat is still in the round."""
        return self.state.is_in_round(seat)

    def holds(self, seat: int, guess: str | int | None) -> bool:
        """Returns whether a seat's hand has the named character or number."""
        if isinstance(guess, str):
            return guess in self.state.seats[seat].hand
        values = self.state.book.values
        return any(values[card] == guess for card in self.hand(seat))

    def guess_hits(self, play: CardPlayed) -> bool:
        """Returns whether a card's guess hits; if a card of the target turns it away, its effect has happened."""
        guarded = self.state.book.guarded
        target = play.targets[0]
        if guarded and any(guarded[card](self, play) for card in self.hand(target) if card in guarded):
            return False
        return self.holds(target, play.guess or play.guess_value)

    def value(self, seat: int) -> int:
        """Returns the number of the one card in a seat's hand."""
        (card,) = self.hand(seat)
        return self.state.book.values[card]

    # --- cards move ---

    def draw(self, seat: int, count: int) -> int:
        """Draws up to `count` cards from the deck; returns how many there were."""
        for drawn in range(count):
            if not self.draw_card(seat):
                return drawn
        return count

    def draw_card(self, seat: int) -> bool:
        """Draws the top card of the deck for a seat; returns whether there was one."""
        deck = self.state.deck
        if not deck:
            return False
        self.emit(CardDrawn(seat, deck[0], "deck"))
        return True

    def redraw(self, seat: int) -> None:
        """Draws for a discarded hand; from an empty deck it is the card set aside."""
        if not self.draw_card(seat) and self.state.set_aside:
            self.emit(CardDrawn(seat, self.state.set_aside[0], "set_aside"))

    def discard_hand(self, seat: int) -> None:
        """Discards a seat's hand; a card that punishes its discard may knock the seat out."""
        cards = self.hand_face_up(seat)
        self.emit(HandDiscarded(seat, cards))
        for card in cards:
            self.discarded(seat, card)

    def discard_and_redraw(self, seat: int) -> None:
        """Discards a seat's hand and, if that leaves it in the round, draws a new one."""
        self.discard_hand(seat)
        if self.in_round(seat):
            self.redraw(seat)

    def discarded(self, seat: int, card: str) -> None:
        """Lets a card that has come to lie on a seat's discards have its effect."""
        hook = self.state.book.cards[card].discarded
        if hook is not None and self.in_round(seat):
            hook(self, seat)

    def reveal_top(self, seat: int) -> str:
        """Turns the deck's top card up onto a seat's discards, without its effect, and returns it."""
        card = self.state.deck[0]
        assert card is not None, "effects need a full state"
        self.emit(CardRevealed(seat, card))
        return card

    def return_to_bottom(self, seat: int, cards: tuple[str, ...]) -> None:
        """Puts cards of a seat's hand under the deck, the last one undermost."""
        self.emit(CardsReturned(seat, cards))

    def show(self, seat: int, to: int) -> None:
        """Shows a seat's hand to another seat."""
        self.emit(HandShown(seat, to, self.hand(seat)))

    def compare(self, seat: int, target: int) -> int:
        """Compares two hands in secret; returns the difference, positive if `seat` holds more."""
        cards, target_cards = self.hand(seat), self.hand(target)
        self.emit(HandsCompared(seat, target, cards, target_cards))
        values = self.state.book.values
        return values[cards[0]] - values[target_cards[0]]

    def trade(self, seat: int, target: int) -> None:
        """Swaps the hands of two seats."""
        self.emit(HandsTraded(seat, target, self.hand(target), self.hand(seat)))

    def take_hand(self, seat: int, target: int) -> None:
        """Moves a target's hand to another seat."""
        self.emit(HandTaken(seat, target, self.hand(target)))

    def receive(self, seat: int, card: str) -> None:
        """Gives a seat a card from beside the deck."""
        self.emit(CardReceived(seat, card))

    def give_hands(self, seat: int, hands: tuple[tuple[int, str], ...]) -> None:
        """Gives seats the cards that were collected from them, one each."""
        given = dict(hands)
        held = tuple([given.get(target) for target in range(self.state.book.seats)])
        self.emit(HandsGiven(seat, tuple(given), held))

    # --- seats ---

    def protect(self, seat: int) -> None:
        """Protects a seat until the start of its next turn."""
        self.emit(SeatProtected(seat))

    def bind(self, seat: int) -> None:
        """Makes the next card that chooses choose this seat."""
        self.emit(SeatBound(seat))

    def mark(self, card: str, seat: int, target: int) -> None:
        """Marks a seat for the rest of the round."""
        self.emit(SeatMarked(card, seat, target))

    def knock_out(self, seat: int) -> None:
        """Knocks a seat out, unless the edition spares it; cards lying there before may pay."""
        book = self.state.book
        if book.spared is not None and book.spared(self.state, seat):
            return
        hooks = book.knocked_out
        paying = [card for card in self.state.seats[seat].discards if card in hooks] if hooks else ()
        self.emit(KnockedOut(seat, self.hand_face_up(seat)))
        for card in paying:
            hooks[card](self, seat)

    def win_round(self, seat: int, card: str) -> None:
        """Notes that a seat has won the round, which ends when the card has reached the discards."""
        self.won = RoundVerdict((seat,), "card", card)

    def win_game(self, seat: int) -> None:
        """Notes that a seat has won the game, which ends when the card has reached the discards."""
        self.won = GameVerdict((seat,))

    def award(self, seat: int, reason: str, kind: str = "favor") -> None:
        """Gives a seat a token, unless it has left the game."""
        if self.state.seats[seat].left:
            return
        self.emit(TokenAwarded(seat, reason, kind))

    def ask(self, seat: int, card: str, kind: str, seats: tuple[int, ...] = ()) -> None:
        """Puts a question to a seat; the card's `answers` say what follows.

        Raises:
            AssertionError: they do not.
        """
        assert kind in self.state.book.answers[card], f"{card} cannot be answered"
        self.emit(DecisionOpened(seat, card, kind, seats))

    def decision(self) -> DecisionOpened:
        """Returns the open decision.

        Raises:
            AssertionError: there is none.
        """
        assert self.state.decision is not None
        return self.state.decision
