"""The events of a game: one class each, with the change it makes to a state.

`apply` moves cards and nothing else, and works on full and on redacted events alike: a card that is None is unknown to
the viewer whose log is folded. So a view is the redacted log folded by the same code as the state.

Events are immutable.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, dataclass_transform

from engine.audience import Audience, hidden, public, secrets_of, shown_to, shown_to_each
from engine.state import ABORTED, ACTIVE, FINISHED, GameState

BANK: Final = "bank"
"""The kind of clock that gives each seat so much time for the whole game."""

Cards: TypeAlias = tuple[str | None, ...]


class Event:
    """The base of all events."""

    __slots__ = ()
    type: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    secrets: ClassVar[tuple[tuple[str, Audience], ...]]

    def apply(self, state: GameState) -> None:
        """Applies the event to a state in place, which some events leave as it is; the version counts it already."""


EVENTS: dict[str, type[Event]] = {}
"""By the type under which it is stored: all events."""
Declared = TypeVar("Declared", bound=Event)


@dataclass_transform(frozen_default=True, field_specifiers=(public, shown_to, shown_to_each, hidden))
def event(type_name: str) -> Callable[[type[Declared]], type[Declared]]:
    """Declares a class of events by its fields, each with those who may see it, and the type under which it is stored.

    Events are frozen for type checkers alone: at run time, freezing them would take a fifth from the speed of a game.

    Raises:
        TypeError: a field does not say who may see it.
    """

    def declared(kind: type[Declared]) -> type[Declared]:
        made: Any = dataclass(slots=True)(kind)
        made.type = type_name
        made.fields = tuple(field.name for field in fields(made))
        made.secrets = secrets_of(made)
        EVENTS[type_name] = made
        return made  # type: ignore[no-any-return]  # the class it was given, with slots

    return declared


# --- the table fills ---------------------------------------------------------------------------------------------


@event("game_created")
class GameCreated(Event):
    """A table is opened, and everything about it that never changes."""

    game: str = public("The game's id.")
    edition: str = public("The rule set and deck.")
    options: dict[str, str] = public("The house rules in force.")
    seats: int = public("How many seats the table has.")
    visibility: str = public("`public` or `unlisted`.")
    clock: dict[str, Any] | None = public("How long seats may think and what happens on a timeout, or null.")
    starter: int | None = public("The seat that begins the first round, or null if it is drawn.")
    creator: str = public("The id of the player who opened the table.")
    previous_game: str | None = public("The game this one is a rematch of, or null.")
    commitment: str = public("SHA-256 commitment to the secret that all chance of the game comes from, in hex.")
    sandbox: bool = public("Whether decks were chosen, or taken from another game; statistics leave such games out.")
    rated: bool = public("Whether the game counts for ratings, as far as the players let it.")
    aids: bool = public(
        "Whether players may ask, while they play, what can be known and what a strong player would do."
    )
    sandbox_rounds: tuple[dict[str, Any], ...] = hidden("The chosen starters and decks of a sandbox game.")
    forked_from: dict[str, Any] | None = public("The game and version that this one continues; null for none.")
    sandbox_positions: tuple[dict[str, Any], ...] = hidden("The chosen positions of a sandbox game, by round.")
    match: dict[str, Any] | None = public("The match that this game is part of; null for none.")
    deal: str | None = public("The name of the deal that others are dealt, too; null if this game alone is.")

    def apply(self, state: GameState) -> None:
        if self.clock is not None and self.clock["kind"] == BANK:
            state.banks = (self.clock["seconds"] * 1000,) * self.seats
        state.positions = self.sandbox_positions


@event("seat_taken")
class SeatTaken(Event):
    """A player or a bot sits down."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")
    nonce: str = public("SHA-256 of the player's contribution to the shuffle, in hex; empty if there is none.")
    nonce_hash: str = public("SHA-256 of the nonce that the player has committed to, in hex; empty if there is none.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = self.player
        state.offers = {seat: player for seat, player in state.offers.items() if player != self.player}


@event("seat_vacated")
class SeatVacated(Event):
    """A player leaves before the start."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = None


@event("seat_cleared")
class SeatCleared(Event):
    """The creator removes a player or a bot before the start; a player cannot sit down there again unless invited."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")

    def apply(self, state: GameState) -> None:
        state.seats[self.seat].player = None


@event("seat_offered")
class SeatOffered(Event):
    """A player is invited to an open seat, which is reserved for them."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")

    def apply(self, state: GameState) -> None:
        state.offers = {**state.offers, self.seat: self.player}


@event("seat_declined")
class SeatDeclined(Event):
    """A player declines an invitation; anybody may take the seat again."""

    seat: int = public("The seat.")
    player: str = public("The id of the player.")
    reason: str = public("Why, as a key.")

    def apply(self, state: GameState) -> None:
        state.offers = {seat: player for seat, player in state.offers.items() if seat != self.seat}


@event("offer_withdrawn")
class OfferWithdrawn(Event):
    """An invitation is withdrawn; anybody may take the seat again."""

    seat: int = public("The seat.")
    player: str = public("The id of the player who was invited.")

    def apply(self, state: GameState) -> None:
        state.offers = {seat: player for seat, player in state.offers.items() if seat != self.seat}


@event("reveal_started")
class RevealStarted(Event):
    """Every seat is taken, and the players who committed to a nonce have 15 seconds to reveal it."""

    seats: tuple[int, ...] = public("The seats that must reveal their nonces.")


@event("nonce_revealed")
class NonceRevealed(Event):
    """A player reveals the nonce that they had committed to."""

    seat: int = public("The seat.")
    nonce: str = public("The nonce.")


@event("game_started")
class GameStarted(Event):
    """The table is full, all nonces are revealed or missing, and play begins."""

    players: tuple[str, ...] = public("The ids of the players, by seat.")
    nonces: tuple[str, ...] = public("The contributions to the shuffle, by seat; empty where there is none.")
    committed: tuple[int, ...] = public("The seats that had committed to a nonce; empty without commit and reveal.")
    unrevealed: tuple[int, ...] = public("Those of them that did not reveal it in time and contribute nothing.")

    def apply(self, state: GameState) -> None:
        state.status = ACTIVE
        for seat, player in zip(state.seats, self.players, strict=True):
            seat.player = player


# --- a round -----------------------------------------------------------------------------------------------------


@event("round_started")
class RoundStarted(Event):
    """The deck is shuffled and dealt; with `game_created` and `game_started` it is all a state needs.

    In a sandbox the round may begin in the middle instead, with a `position`.
    """

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
    banks: tuple[int, ...] | None = public("What each seat has in its bank, in milliseconds, or null without banks.")
    away: tuple[int, ...] = public("The seats for which a bot stands in.")
    breaks: tuple[dict[str, Any], ...] = public("The last break of each seat that has taken one, as in `break_taken`.")
    position: dict[str, Any] | None = public(
        "What lies open in a round that begins with a chosen position; null for one that is dealt."
    )

    def apply(self, state: GameState) -> None:
        state.round_number = self.number
        state.dealt = self.seats
        state.tie_break = len(self.seats) + len(self.left) < len(state.seats)
        state.scores = self.scores
        state.round_winners = ()
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
        state.breaks = {one["seat"]: BreakTaken(**one) for one in self.breaks} if self.breaks else {}
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


@event("turn_started")
class TurnStarted(Event):
    """A seat's turn begins; its own protection ends."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.turn = self.seat
        state.since = state.version
        if state.protected:
            state.protected &= ~(1 << self.seat)


@event("card_drawn")
class CardDrawn(Event):
    """A seat draws a card."""

    seat: int = public("The seat.")
    card: str | None = shown_to("seat", doc="The card.")
    source: str = public("`deck`, or `set_aside` when the deck is empty.")

    def apply(self, state: GameState) -> None:
        # A viewer who put this card under the deck knows it although the event does not say so.
        known = (state.deck if self.source == "deck" else state.set_aside).pop(0)
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
    seats: tuple[int, ...] = public(
        "The seats whose hands the answer may name: those that have swapped (`peek_hand`), those whose hands were "
        "collected (`give_hands`). Empty for the other kinds, which are about the hand of `seat` itself."
    )

    def apply(self, state: GameState) -> None:
        state.decision = self
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
    """The deck is empty, and every seat in the round shows its hand."""

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
    decided_by: str | None = public(
        "What decided: `last_seat`; `nobody_left`; `highest_number`, shared if several win; "
        "`discard_sum` among equal numbers; `equal_numbers` that removed everybody; `card`. Null in rounds from "
        "before it was kept."
    )
    card: str | None = public("The card that won the round at once, or null.")
    standings: tuple[dict[str, Any], ...] = public("At a showdown every seat in it, in seat order; otherwise empty.")

    def apply(self, state: GameState) -> None:
        state.round_winners = self.winners


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
    """A seat with a bank has answered, or its bank is empty; what it does follows."""

    seat: int = public("The seat.")
    spent_ms: int = public("The milliseconds it took, which its bank has lost.")
    bank_ms: int = public("What its bank has now, in milliseconds, with the increment.")

    def apply(self, state: GameState) -> None:
        assert state.banks is not None, "only banks lose time"
        state.banks = (*state.banks[: self.seat], self.bank_ms, *state.banks[self.seat + 1 :])


@event("break_taken")
class BreakTaken(Event):
    """A player takes days off: the clock of their seat stands still until they are over, or until it acts."""

    seat: int = public("The seat.")
    days: int = public("The days.")
    until: str = public("When they are over.")
    still_ms: int = public("For how long the clock stands still up to then, in milliseconds.")
    days_left: int = public("How many days off the player has left, in the year in which these begin.")

    def apply(self, state: GameState) -> None:
        state.breaks = {**state.breaks, self.seat: self}


@event("break_ended")
class BreakEnded(Event):
    """A seat acts, which ends its break; what it does follows."""

    seat: int = public("The seat.")
    until: str = public("When it was over.")
    days_left: int = public("How many days off the player has left; those not begun come back.")

    def apply(self, state: GameState) -> None:
        state.breaks = {**state.breaks, self.seat: BreakTaken(self.seat, 0, self.until, 0, self.days_left)}


@event("seat_timed_out")
class SeatTimedOut(Event):
    """A seat did not act in time: a bot stands in for it until its player is back, and what it does follows."""

    seat: int = public("The seat.")

    def apply(self, state: GameState) -> None:
        state.away |= 1 << self.seat


@event("seat_taken_back")
class SeatTakenBack(Event):
    """A player returns and takes their seat back from the bot."""

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
            # Nobody can choose a seat that is out: the next card would be lost to its player for nothing.
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
    """The game ended without a result."""

    reason: str = public(
        "`called_off` by its creator before the start or by an operator, `expired` after nobody touched "
        "it, or `restored` from a backup, before whose making it had not ended."
    )

    def apply(self, state: GameState) -> None:
        state.status = ABORTED
        state.decision = None


@event("secret_revealed")
class SecretRevealed(Event):
    """The last event of every game: the secret behind the commitment."""

    secret: str = public("The secret, in hex.")


GAME_ENDS: Final = (GameFinished, GameAborted)
"""The events that end a game; nothing but its secret follows."""


def _reading(names: tuple[str, ...]) -> Callable[[Event], tuple[Any, ...]]:
    """Returns what reads the values of an event's fields, in their order."""
    if len(names) > 1:
        return attrgetter(*names)  # in half the time of a comprehension
    return lambda event: tuple([getattr(event, name) for name in names])


VALUES_OF: Final = {type_name: _reading(kind.fields) for type_name, kind in EVENTS.items()}
"""By the type under which it is stored: reads the values of an event's fields, in their order."""


def fold(state: GameState, events: Iterable[Event]) -> GameState:
    """Applies events to a state in place, counting its version, and returns it."""
    for happened in events:
        state.version += 1
        happened.apply(state)
    return state


def breaks_of(state: GameState) -> tuple[dict[str, Any], ...]:
    """Returns the last breaks of a state's seats, as a round that begins carries them."""
    return tuple([asdict(last) for _, last in sorted(state.breaks.items())])


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
