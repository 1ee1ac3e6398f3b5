"""What happened: one frozen class per event with the change it makes to a state; no rules belong here.

`apply` moves cards and nothing else, and works on full and on redacted events alike: a card that is None is unknown to
the viewer whose log is folded. So a view is the redacted log folded by the same code as the state.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from engine.audience import Audience, event, hidden, public, shown_to, shown_to_each
from engine.decisions import Decision
from engine.state import ABORTED, ACTIVE, FINISHED, GameState

BANK: Final = "bank"
"""The kind of clock that gives each seat so much time for the whole game."""
Cards = tuple[str | None, ...]


class Event:
    """The base of all events."""

    __slots__ = ()
    type: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    secrets: ClassVar[tuple[tuple[str, Audience], ...]]

    def apply(self, state: GameState) -> None:
        """Changes the state in place; the caller has counted the version up already."""


# --- the table fills ---------------------------------------------------------------------------------------------


@event("game_created")
class GameCreated(Event):
    """A table is opened, and everything about it that never changes."""

    game: str = public("The game's id.")
    edition: str = public("The rule set and deck.")
    options: dict[str, str] = public("The house readings in force.")
    seats: int = public("How many seats the table has.")
    visibility: str = public("`public` or `unlisted`.")
    clock: dict[str, Any] | None = public("How long seats may think and what happens on a timeout, or null.")
    starter: int | None = public("The seat that begins the first round, or null if it is drawn.")
    creator: str = public("The id of the player who opened the table.")
    previous_game: str | None = public("The game this one is a rematch of, or null.")
    commitment: str = public("SHA-256 commitment to the secret that all chance of the game comes from, in hex.")
    sandbox: bool = public(
        "Whether decks were chosen, or taken from another game; such a game is kept out of any statistics."
    )
    sandbox_rounds: tuple[dict[str, Any], ...] = hidden("The chosen starters and decks of a sandbox game.")
    forked_from: dict[str, Any] | None = public("The game this one goes on from, and the version there; null for none.")

    def apply(self, state: GameState) -> None:
        if self.clock is not None and self.clock["kind"] == BANK:
            state.banks = (self.clock["seconds"] * 1000,) * self.seats


@event("seat_taken")
class SeatTaken(Event):
    """A player or a bot sits down."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")
    nonce: str = public("SHA-256 of the player's contribution to the shuffle, in hex; empty if there is none.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = self.player
        state.offers = {seat: player for seat, player in state.offers.items() if player != self.player}


@event("seat_vacated")
class SeatVacated(Event):
    """A player gets up before the start."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = None


@event("seat_offered")
class SeatOffered(Event):
    """A player is invited to an open seat, which is kept for them."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")

    def apply(self, state: GameState) -> None:
        state.offers = {**state.offers, self.seat: self.player}


@event("seat_declined")
class SeatDeclined(Event):
    """A player declines an invitation; the seat is open to all again."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")
    reason: str = public("Why, as a key.")

    def apply(self, state: GameState) -> None:
        state.offers = {seat: player for seat, player in state.offers.items() if seat != self.seat}


@event("offer_withdrawn")
class OfferWithdrawn(Event):
    """An invitation is withdrawn; the seat is open to all again."""

    seat: int = public("The seat.")
    player: str = public("The id of the player who was invited.")

    def apply(self, state: GameState) -> None:
        state.offers = {seat: player for seat, player in state.offers.items() if seat != self.seat}


@event("game_started")
class GameStarted(Event):
    """The last seat is filled and play begins."""

    players: tuple[str, ...] = public("The ids of the players, by seat.")
    nonces: tuple[str, ...] = public("The contributions to the shuffle, by seat; empty where there is none.")

    def apply(self, state: GameState) -> None:
        state.status = ACTIVE
        for seat, player in zip(state.seats, self.players, strict=True):
            seat.player = player


# --- a round -----------------------------------------------------------------------------------------------------


@event("round_started")
class RoundStarted(Event):
    """The deck is shuffled and dealt; with `game_created` and `game_started` it is all a state needs."""

    number: int = public("The number of the round, from 1.")
    starter: int = public("The seat that begins.")
    seats: tuple[int, ...] = public("The seats that are dealt in.")
    scores: tuple[int, ...] = public("The tokens of every seat.")
    insane_scores: tuple[int, ...] = public("How many of these are insane tokens.")
    left: tuple[int, ...] = public("The seats that have left the game.")
    hands: Cards = shown_to_each(doc="The card dealt to each seat.")
    deck: Cards = hidden("The draw pile, the top first.")
    set_aside: str | None = hidden("The card set aside face down.")
    shown_aside: tuple[str, ...] = public("The cards set aside face up.")
    banks: tuple[int, ...] | None = public("What every seat has in its bank, in milliseconds, or null without banks.")
    away: tuple[int, ...] = public("The seats that a bot stands in for.")

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
        state.in_round = state.protected = 0
        state.banks = self.banks
        state.away = sum(1 << seat for seat in self.away)
        for seat, tokens, insane_tokens in zip(state.seats, self.scores, self.insane_scores, strict=True):
            seat.hand = []
            seat.discards = []
            seat.tokens = tokens
            seat.insane_tokens = insane_tokens
            seat.left = False
        for i in self.left:
            state.seats[i].left = True
        for i in self.seats:
            state.in_round |= 1 << i
            state.seats[i].hand.append(self.hands[i])


@event("turn_started")
class TurnStarted(Event):
    """A seat's turn begins; its own protection ends."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.turn = self.seat
        state.since = state.version
        state.protected &= ~(1 << self.seat)


@event("card_drawn")
class CardDrawn(Event):
    """A seat draws a card."""

    seat: int = public("The seat.")
    card: str | None = shown_to("seat", doc="The card.")
    source: str = public("`deck`, or `set_aside` when the deck is empty.")

    def apply(self, state: GameState) -> None:
        pile = state.deck if self.source == "deck" else state.set_aside
        # A viewer who put this card under the deck knows it although the event does not say so.
        known = pile.pop(0)
        state.seats[self.seat].hand.append(self.card or known)


@event("card_played")
class CardPlayed(Event):
    """A seat plays a card, with everything it chooses."""

    seat: int = public("The seat.")
    card: str = public("The card.")
    targets: tuple[int, ...] = public("The chosen seats; empty when nobody is or can be chosen.")
    guess: str | None = public("The character named, or null.")
    guess_value: int | None = public("The number named, in editions that name numbers, or null.")
    face: str | None = public("`sane` or `insane` where the card has two effects, else null.")

    @property
    def target(self) -> int:
        """The first chosen seat."""
        return self.targets[0]

    @property
    def named(self) -> str | int | None:
        """The character or the number named."""
        return self.guess if self.guess_value is None else self.guess_value

    def apply(self, state: GameState) -> None:
        seat = state.seats[self.seat]
        # A viewer knows only a part of the hand, perhaps: then the card was one of the unknown.
        seat.hand.remove(self.card if self.card in seat.hand else None)
        state.bound = None
        if state.book.into_play:
            state.in_play.append(self.card)
        else:
            seat.discards.append(self.card)


@event("card_resolved")
class CardResolved(Event):
    """A played card's effect is over and it reaches the discards (editions where it does so only then)."""

    seat: int = public("The seat that played it.")
    card: str = public("The card.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].discards.append(state.in_play.pop())


@event("card_revealed")
class CardRevealed(Event):
    """The top card of the deck is turned up onto a seat's discards, without effect."""

    seat: int = public("The seat.")
    card: str = public("The card.")

    def apply(self, state: GameState) -> None:
        state.deck.pop(0)
        state.seats[self.seat].discards.append(self.card)


@event("seat_protected")
class SeatProtected(Event):
    """A seat cannot be chosen until the start of its next turn."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.protected |= 1 << self.seat


@event("seat_bound")
class SeatBound(Event):
    """The next card played must choose this seat, if it chooses."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.bound = self.seat


@event("seat_marked")
class SeatMarked(Event):
    """A card marks a seat for the rest of the round."""

    card: str = public("The card that marks.")
    seat: int = public("The seat that played it.")
    target: int = public("The marked seat.")

    def apply(self, state: GameState) -> None:
        state.marks[self.card] = (self.seat, self.target)


@event("hand_shown")
class HandShown(Event):
    """A seat looks at another's hand."""

    seat: int = public("The seat whose hand it is.")
    to: int = public("The seat that looks.")
    cards: Cards = shown_to("seat", "to", doc="The hand.")

    def apply(self, state: GameState) -> None:
        learn(state, self.seat, self.cards)


@event("hands_compared")
class HandsCompared(Event):
    """Two seats compare their hands in secret; what follows is an event of its own."""

    seat: int = public("The seat that played the card.")
    target: int = public("The seat it chose.")
    cards: Cards = shown_to("seat", "target", doc="The hand of the seat.")
    target_cards: Cards = shown_to("seat", "target", doc="The hand of the target.")

    def apply(self, state: GameState) -> None:
        learn(state, self.seat, self.cards)
        learn(state, self.target, self.target_cards)


@event("hands_traded")
class HandsTraded(Event):
    """Two seats swap their hands."""

    seat: int = public("One seat.")
    target: int = public("The other seat.")
    cards: Cards = shown_to("seat", "target", doc="What the seat holds now.")
    target_cards: Cards = shown_to("seat", "target", doc="What the target holds now.")

    def apply(self, state: GameState) -> None:
        a, b = state.seats[self.seat], state.seats[self.target]
        a.hand, b.hand = b.hand, a.hand
        learn(state, self.seat, self.cards)
        learn(state, self.target, self.target_cards)


@event("hand_taken")
class HandTaken(Event):
    """A seat takes another's hand to its own."""

    seat: int = public("The seat that takes.")
    target: int = public("The seat that is left without a hand.")
    cards: Cards = shown_to("seat", "target", doc="The hand.")

    def apply(self, state: GameState) -> None:
        target = state.seats[self.target]
        hand = state.seats[self.seat].hand
        for known, card in zip(target.hand, self.cards, strict=True):
            hand.append(card or known)
        target.hand = []


@event("card_received")
class CardReceived(Event):
    """A seat is given a card from beside the deck, in the open."""

    seat: int = public("The seat.")
    card: str = public("The card.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].hand.append(self.card)


@event("hands_given")
class HandsGiven(Event):
    """A seat that has collected hands gives one card back to each of their seats."""

    seat: int = public("The seat that gives.")
    targets: tuple[int, ...] = public("The seats that are given a card.")
    hands: Cards = shown_to_each("seat", doc="By seat, the card it holds now; null where none was given.")

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


@event("hand_discarded")
class HandDiscarded(Event):
    """A seat discards its hand face up, without effect but for cards that punish their discard."""

    seat: int = public("The seat.")
    cards: tuple[str, ...] = public("The hand.")

    def apply(self, state: GameState) -> None:
        seat = state.seats[self.seat]
        seat.hand = []
        seat.discards.extend(self.cards)


@event("cards_returned")
class CardsReturned(Event):
    """A seat puts cards of its hand face down under the deck."""

    seat: int = public("The seat.")
    cards: Cards = shown_to("seat", doc="The cards in order, the last one undermost.")

    def apply(self, state: GameState) -> None:
        hand = state.seats[self.seat].hand
        for card in self.cards:
            take_hidden(hand, card)
        state.deck.extend(self.cards)


@event("knocked_out")
class KnockedOut(Event):
    """A seat is out of the round; its hand comes to lie on its discards without effect."""

    seat: int = public("The seat.")
    cards: tuple[str, ...] = public("The hand it held.")

    def apply(self, state: GameState) -> None:
        put_out(state, self.seat, self.cards)


@event("decision_opened")
class DecisionOpened(Event):
    """A question is put to a seat; nothing else happens until it is answered."""

    seat: int = public("The seat that must answer.")
    card: str = public("The card that asks.")
    kind: str = public("What is asked: the type of the action that answers it.")
    seats: tuple[int, ...] = public("The seats the question is about.")

    def apply(self, state: GameState) -> None:
        state.decision = Decision(self.seat, self.card, self.kind, self.seats)
        state.since = state.version


@event("decision_taken")
class DecisionTaken(Event):
    """The question is answered; what the answer does follows as events of its own."""

    seat: int = public("The seat that answered.")
    card: str = public("The card that asked.")
    kind: str = public("What was asked.")

    def apply(self, state: GameState) -> None:
        state.decision = None


@event("hands_revealed")
class HandsRevealed(Event):
    """The deck is empty and everybody still in shows their hand."""

    hands: Cards = public("The hand of each seat, null where the seat is out.")

    def apply(self, state: GameState) -> None:
        for i, card in enumerate(self.hands):
            if card is not None:
                learn(state, i, (card,))


@event("round_ended")
class RoundEnded(Event):
    """A round is over."""

    number: int = public("The number of the round.")
    winners: tuple[int, ...] = public("The seats that won it, in some editions perhaps none.")
    reason: str = public("`last_seat` when at most one was left, `showdown`, or `card` when a card won it.")


@event("token_awarded")
class TokenAwarded(Event):
    """A seat gains a token."""

    seat: int = public("The seat.")
    reason: str = public("`round`, or the card that paid it.")
    kind: str = public("The kind of token: `favor`, `sane` or `insane`.")

    def apply(self, state: GameState) -> None:
        seat = state.seats[self.seat]
        seat.tokens += 1
        if self.kind == "insane":
            seat.insane_tokens += 1


# --- clocks ------------------------------------------------------------------------------------------------------


@event("time_spent")
class TimeSpent(Event):
    """A seat with a bank has been asked something and has answered, or has nothing left; what it does follows."""

    seat: int = public("The seat.")
    spent_ms: int = public("The milliseconds it took, which its bank has lost.")
    bank_ms: int = public("What its bank has now, in milliseconds, with the increment.")

    def apply(self, state: GameState) -> None:
        assert state.banks is not None, "only banks lose time"
        state.banks = (*state.banks[: self.seat], self.bank_ms, *state.banks[self.seat + 1 :])


@event("seat_timed_out")
class SeatTimedOut(Event):
    """A seat did not act in time: a bot stands in for it until its player is back, and what it does follows."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.away |= 1 << self.seat


@event("seat_taken_back")
class SeatTakenBack(Event):
    """A player is back and takes their seat back from the bot that stood in."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.away &= ~(1 << self.seat)


# --- seats leave, games end --------------------------------------------------------------------------------------


@event("seat_left")
class SeatLeft(Event):
    """A seat leaves the running game for good; its hand comes to lie on its discards without effect."""

    seat: int = public("The seat.")
    cards: tuple[str, ...] = public("The hand it held.")
    reason: str = public("`resigned` or `timed_out`.")

    def apply(self, state: GameState) -> None:
        put_out(state, self.seat, self.cards)
        state.seats[self.seat].left = True
        state.away &= ~(1 << self.seat)
        if state.bound == self.seat:
            # Nobody could choose it any more: the next card would be lost to its player for nothing.
            state.bound = None


@event("game_finished")
class GameFinished(Event):
    """The game is over."""

    winners: tuple[int, ...] = public("The seats that won it; several may win together.")

    def apply(self, state: GameState) -> None:
        state.status = FINISHED
        state.winners = self.winners
        state.decision = None


@event("game_aborted")
class GameAborted(Event):
    """The creator ended the game before its first action."""

    def apply(self, state: GameState) -> None:
        state.status = ABORTED
        state.decision = None


@event("secret_revealed")
class SecretRevealed(Event):
    """The last event of every game: the secret behind the commitment."""

    secret: str = public("The secret, in hex.")


EVENTS: dict[str, type[Event]] = {
    kind.type: kind
    for kind in (
        GameCreated,
        SeatTaken,
        SeatVacated,
        SeatOffered,
        SeatDeclined,
        OfferWithdrawn,
        GameStarted,
        RoundStarted,
        TurnStarted,
        CardDrawn,
        CardPlayed,
        CardResolved,
        CardRevealed,
        SeatProtected,
        SeatBound,
        SeatMarked,
        HandShown,
        HandsCompared,
        HandsTraded,
        HandTaken,
        CardReceived,
        HandsGiven,
        HandDiscarded,
        CardsReturned,
        KnockedOut,
        DecisionOpened,
        DecisionTaken,
        HandsRevealed,
        RoundEnded,
        TokenAwarded,
        TimeSpent,
        SeatTimedOut,
        SeatTakenBack,
        SeatLeft,
        GameFinished,
        GameAborted,
        SecretRevealed,
    )
}


def fold(state: GameState, events: Iterable[Event]) -> GameState:
    """Applies events to a state in place, counting its version, and returns it."""
    for happened in events:
        state.version += 1
        happened.apply(state)
    return state


def put_out(state: GameState, number: int, cards: tuple[str, ...]) -> None:
    """Takes a seat out of the round and lays its hand on its discards."""
    state.in_round &= ~(1 << number)
    state.protected &= ~(1 << number)
    seat = state.seats[number]
    seat.hand = []
    seat.discards.extend(cards)


def learn(state: GameState, seat: int, cards: Cards) -> None:
    """Notes a seat's whole hand where the viewer sees it; what they do not see leaves their knowledge as it was."""
    if None not in cards:
        state.seats[seat].hand = list(cards)


def take_hidden(hand: list[str | None], card: str | None) -> None:
    """Removes a card face down; for a viewer who does not see which, all that is left becomes unknown."""
    if card is None:
        hand[:] = [None] * (len(hand) - 1)
    else:
        hand.remove(card)
