"""Says why an action is good, by counting what its seat has seen.

Each function below gives one reason, or none where it has nothing to say. What it says is true in every deal that fits
what the seat has seen. `KINDS` says which reasons come first.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from engine.actions import Action, GiveHands, Guess, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.bots.counting import unseen_cards
from engine.cards import Card
from engine.deduction import Chances, Deduction
from engine.events import CardPlayed, HandsCompared, HandShown, HandsTraded, KnockedOut, SeatProtected
from engine.options import face_of, forced_cards, legal_actions
from engine.rulebook import GameVerdict
from engine.shuffle import Dealer
from engine.state import GameState
from engine.table import Table
from games.texts.cards import card_object
from games.texts.catalogue import Catalogue
from games.texts.plays import guess_text

FEW: Final = 3
"""Of so many cards a sentence may give the names."""
WEAK: Final = 3
"""A hand is weak if more than one of so many hidden cards is higher."""
_NO_CHANCE: Final = Dealer(b"", "", ())
"""For effects, which never need any."""


@dataclass(frozen=True)
class Choice:
    """An action that a seat may take, and what is known when it takes it."""

    view: GameState
    seat: int
    action: Action
    known: Deduction
    called: Sequence[str]
    """What texts call each seat's player."""
    words: Catalogue

    @cached_property
    def kept(self) -> str | None:
        """Returns the card that the seat holds after the action; None if that is not settled or not the same."""
        if isinstance(self.action, KeepCard):
            return self.action.keep
        if isinstance(self.action, PlayCard):
            ends = self.view.book.cards[self.action.card].discarded is not None
            after = self.outcome.state.seats[self.seat].hand if self.outcome is not None and not ends else []
            return self.beside if after == [self.beside] else None
        return None if self.action == RedrawHand(True) else self.view.seats[self.seat].hand[0]

    @cached_property
    def beside(self) -> str | None:
        """Returns the card beside the one that is played; of a hand that is not played from, its only card."""
        hand = [*self.view.seats[self.seat].hand]
        if isinstance(self.action, PlayCard):
            hand.remove(self.action.card)
        return hand[0] if len(hand) == 1 else None

    @cached_property
    def rival(self) -> int | None:
        """Returns the one other seat that the action chooses."""
        if isinstance(self.action, PeekHand):
            return self.action.seat if self.action.seat != self.seat else None
        targets = self.action.targets if isinstance(self.action, PlayCard) else ()
        return targets[0] if len(targets) == 1 and targets[0] != self.seat else None

    @cached_property
    def held(self) -> Chances:
        """Returns what the chosen rival may hold; nothing if there is none, or if deals had to be drawn."""
        return self.known.hands[self.rival] if self.rival is not None and self.known.deals is not None else {}

    @cached_property
    def hidden(self) -> Mapping[str, int]:
        """Returns how many copies of each card lie where neither the view nor counting tells."""
        left, view, known = Counter(unseen_cards(self.view)), self.view, self.known
        if known.deals is None:
            return left
        runs = [run.chances for run in known.deck for _ in range(run.places)]
        places = [*zip(view.deck, runs, strict=True), *[(card, known.set_aside) for card in view.set_aside]]
        hands = [(hand.hand, chances) for hand, chances in zip(view.seats, known.hands, strict=True)]
        places += [(hand[0], chances) for hand, chances in hands if len(hand) == 1]
        for card, chances in places:
            if card is None and len(chances) == 1:
                left.subtract(chances.keys())
        for card, copies in view.book.copies.items():
            if not copies and any(0 < chances.get(card, 0) < 1 for chances in known.hands):
                left[card] = 1  # it came from beside the deck
        return +left

    @cached_property
    def outcome(self) -> Table | None:
        """Returns how a play ends if each chosen rival holds the first card that it may hold; None if that is open."""
        chances = [self.known.hands[seat] for seat in range(len(self.called))]
        cards = [next(iter(hand), None) for hand in chances]
        return self.played({seat: card for seat, card in enumerate(cards) if card is not None})

    def played(self, cards: Mapping[int, str], action: PlayCard | None = None) -> Table | None:
        """Returns how a play ends if the others hold these cards, or None if it depends on more than that."""
        play = action or self.action
        if not isinstance(play, PlayCard):
            return None
        way = face_of(self.view.book.cards[play.card], play.face)
        if way.needs is not None:
            return None
        state = self.view.copy()
        for seat, card in cards.items():
            if seat != self.seat:
                state.seats[seat].hand = [card]
        table = Table(state, _NO_CHANCE)
        guess, value = (None, play.guess) if isinstance(play.guess, int) else (play.guess, None)
        happened = CardPlayed(self.seat, play.card, play.targets, guess, value, play.face)
        table.emit(happened)
        if way.play is not None and (play.targets or not way.targets.most):
            way.play(table, happened)
        return table

    def brings(self, kind: type) -> bool:
        """Returns whether the play brings about an event of a class, whatever the others hold."""
        return self.outcome is not None and any(isinstance(event, kind) for event in self.outcome.events)

    def value(self, card: str) -> int:
        """Returns the number of a card."""
        return self.view.book.values[card]

    def text(self, key: str, **values: object) -> str:
        """Returns a reason in words; `player` is the chosen rival."""
        if self.rival is not None:
            values = {"player": self.called[self.rival], **values}
        return self.words.text(key, **values)

    def object(self, card: str) -> str:
        """Returns a card in words."""
        return card_object(self.words, card)

    def either(self, cards: Iterable[str]) -> str:
        """Returns cards in words of which it is one."""
        return self.words.listed([self.object(card) for card in cards], "or")

    def bound(self, card: str) -> str:
        """Returns a card as a bound in words: its number, where several cards have the same."""
        values = self.view.book.values
        alike = len({*values.values()}) < len(values)
        return guess_text(self.words, values[card] if alike else card, self.view.book)


def share(held: Chances, cards: Collection[str]) -> float:
    """Returns how likely a hand is one of some cards; 1 and 0 exactly where that is certain."""
    if not {*held} - {*cards}:
        return 1.0
    return sum([chance for card, chance in held.items() if card in cards])


def percent(chance: float) -> int:
    """Returns a chance as a whole percentage, 0 or 100 only where that is certain."""
    return int(chance) * 100 if chance in (0, 1) else min(99, max(1, int(chance * 100 + 0.5)))


def reasons(choice: Choice) -> list[str]:
    """Returns the reasons for an action, the most telling first."""
    return [reason for kind in KINDS if (reason := kind(choice)) is not None]


def _forced(at: Choice) -> str | None:
    """Says that the rules force the card beside the other."""
    if not isinstance(at.action, PlayCard) or at.beside is None:
        return None
    hand = [at.action.card, at.beside]
    if forced_cards(at.view.book, hand, at.view.is_insane(at.seat)) != [at.action.card]:
        return None
    return at.text("hint.forced", card=at.object(at.action.card), other=at.object(at.beside))


def _wins(at: Choice) -> str | None:
    """Says that a card wins at once."""
    if at.rival is not None or at.outcome is None or at.outcome.won is None:
        return None
    return at.text("hint.wins_game" if isinstance(at.outcome.won, GameVerdict) else "hint.wins_round")


def _danger(at: Choice) -> str | None:
    """Says that a card that is not played, or goes under the deck, would put its owner out if it were discarded."""
    if isinstance(at.action, PeekHand | GiveHands):
        return None
    cards = at.action.bottom if isinstance(at.action, KeepCard) else [at.beside]
    book = at.view.book
    is_spared = book.spared is not None and book.spared(at.view, at.seat)
    if is_spared or (isinstance(at.action, PlayCard) and book.cards[at.action.card].discarded is not None):
        return None
    for card in cards:
        if card is not None and book.cards[card].discarded is not None:
            ways = [play for play in legal_actions(at.view) if isinstance(play, PlayCard) and play.card == card]
            tables = [at.played({}, play) for play in ways]
            if not any(table is not None and table.won for table in tables):
                return at.text("hint.danger", card=at.object(card))
    return None


def _sure(at: Choice) -> str | None:
    """Says what the rival is sure to hold."""
    if len(at.held) != 1 or at.rival is None:
        return None
    (card,) = at.held
    return at.text("hint.shown" if at.view.seats[at.rival].hand == [card] else "hint.sure", card=at.object(card))


def _hits(at: Choice, guess: Guess) -> list[str]:
    return [card for card, value in at.view.book.values.items() if guess in (card, value)]


def _guess(at: Choice) -> str | None:
    """Says how likely a guess hits, and whether none is likelier."""
    play = at.action
    if not isinstance(play, PlayCard) or play.guess is None or not at.held:
        return None
    chance = share(at.held, _hits(at, play.guess))
    named = at.either(_hits(at, play.guess))
    if not chance or len(at.held) == 1:
        return None
    if chance == 1:
        return at.text("hint.sure", card=named)
    others = [
        share(at.known.hands[other.targets[0]], _hits(at, other.guess))
        for other in legal_actions(at.view)
        if isinstance(other, PlayCard)
        and (other.card, other.face) == (play.card, play.face)
        and other.guess is not None
    ]
    likeliest = max(others) <= chance + 1e-9
    return at.text("hint.may_hold.likeliest" if likeliest else "hint.may_hold", card=named, percent=percent(chance))


def _knocks_out(at: Choice) -> str | None:
    """Says how likely a play knocks out the rival, and its own player, where that depends on the rival's hand."""
    play, rival = at.action, at.rival
    if not isinstance(play, PlayCard) or rival is None or not at.held:
        return None
    ends = {card: at.played({rival: card}) for card in at.held}
    out = {card: [one.seat for one in end.events if isinstance(one, KnockedOut)] for card, end in ends.items() if end}
    theirs = [card for card, seats in out.items() if rival in seats]
    mine = [card for card, seats in out.items() if at.seat in seats]
    told = play.guess is not None and not {*theirs} - {*_hits(at, play.guess)}
    if not mine and (not theirs or told):
        return None
    chance, risk = share(at.held, theirs), share(at.held, mine)
    if mine and told:
        return at.text("hint.out.you", percent=percent(risk))
    if mine:
        return at.text("hint.out.or_you", percent=percent(chance), other=percent(risk))
    if chance == 1:
        return at.text("hint.out.sure")
    return at.text("hint.out.not_you" if at.brings(HandsCompared) else "hint.out", percent=percent(chance))


def _trade(at: Choice) -> str | None:
    """Says how likely the rival's hand is the higher one."""
    if not at.held or at.beside is None or not at.brings(HandsTraded):
        return None
    higher = [card for card in at.held if at.value(card) > at.value(at.beside)]
    if not higher or len(at.held) == 1:
        return None
    return at.text("hint.trade", card=at.object(at.beside), percent=percent(share(at.held, higher)))


def _draw(at: Choice) -> str | None:
    """Says how likely a hand that is discarded is replaced by a higher card."""
    play = at.action
    redraws = isinstance(play, RedrawHand) or (isinstance(play, PlayCard) and play.targets == (at.seat,))
    if not redraws or at.beside is None or at.known.deals is None:
        return None
    if isinstance(play, PlayCard) and at.kept is not None:
        return None  # a card that may choose its own player, and leaves the hand as it is
    chances = at.known.deck[0].chances if at.known.deck else at.known.set_aside
    higher = [card for card in chances if at.value(card) > at.value(at.beside)]
    return at.text("hint.draw", card=at.object(at.beside), percent=percent(share(chances, higher))) if chances else None


def _look(at: Choice) -> str | None:
    """Says how little is known of the hands that are looked at."""
    looked: Sequence[int | None] = ()
    if isinstance(at.action, PeekHand):
        looked = [at.action.seat]
    elif isinstance(at.action, PlayCard) and at.brings(HandShown):
        looked = at.action.targets
    seats = [seat for seat in looked if seat is not None and seat != at.seat]
    cards = {card for seat in seats for card in at.known.hands[seat]}
    if len(cards) <= FEW or at.known.deals is None:
        return None
    return at.text("hint.look", player=at.words.listed([at.called[seat] for seat in seats]), count=len(cards))


def _hand(at: Choice) -> str | None:
    """Says what counting leaves of the rival's hand, where it leaves several cards."""
    if len(at.held) < 2:
        return None
    if len(at.held) <= FEW:
        return at.text("hint.one_of", cards=at.either(at.held))
    left = at.hidden
    low, high = min(at.held, key=at.value), max(at.held, key=at.value)
    weighs = at.brings(HandsCompared) or at.brings(HandsTraded)  # then it also says something that a card is gone
    if any(at.value(card) > at.value(high) for card in (at.view.book.cards if weighs else left)):
        return at.text("hint.at_most", card=at.bound(high))
    if any(at.value(card) < at.value(low) for card in left):
        return at.text("hint.at_least", card=at.bound(low))
    ruled_out = [fact.card for fact in at.known.certain if fact.seat == at.rival and not fact.held]
    if ruled_out and len(ruled_out) <= FEW:
        return at.text("hint.not_held", cards=at.either(ruled_out))
    return None


def _copies(at: Choice) -> str | None:
    """Says how many copies of a guessed card are hidden."""
    play = at.action
    if not isinstance(play, PlayCard) or play.guess is None or len(at.held) == 1:
        return None
    cards, left = _hits(at, play.guess), at.hidden
    total = sum([at.view.book.copies[card] for card in cards])
    hidden = sum([left.get(card, 0) for card in cards])
    if not hidden:
        return None
    copies = {"hidden": hidden, "total": total, "card": at.either(cards)}
    if total == 1:
        return at.text("hint.hidden.only", **copies)
    return at.text("hint.hidden.all" if hidden == total else "hint.hidden", **copies)


def _shield(at: Choice) -> str | None:
    """Says of what a seat is protected: how many hidden cards could guess its hand."""
    kept = at.kept
    if kept is None or not at.view.deck or not at.brings(SeatProtected):
        return None
    left = at.hidden
    guessing = [card for card in at.view.book.cards.values() if left.get(card.key) and _can_guess(at, card, kept)]
    if not guessing:
        return at.text("hint.protected")
    card = max(guessing, key=lambda one: one.copies)
    copies = {"hidden": left[card.key], "total": card.copies}
    return at.text("hint.shield", card=at.object(card.key), kept=at.object(kept), **copies)


def _can_guess(at: Choice, card: Card, hand: str) -> bool:
    named = card.guess(at.view.book) if card.guess is not None else ()
    return hand in named or at.value(hand) in named


def _last_turn(at: Choice) -> str | None:
    """Says that the round ends before the seat has another turn."""
    under = len(at.action.bottom) if isinstance(at.action, KeepCard) else 0
    left = len(at.view.deck) + under
    if not left:
        return at.text("hint.last_turn")
    others = len(at.view.alive()) - 1
    return at.text("hint.last_own_turn", count=left) if left <= others and at.view.turn == at.seat else None


def _target(at: Choice) -> str | None:
    """Says why it is this rival: no other can be chosen, or this one is about to win the game."""
    rival, view = at.rival, at.view
    if rival is None or len(view.alive()) == 2:
        return None
    if view.choosable() & ~(1 << at.seat) == 1 << rival:
        return at.text("hint.only_target")
    seat, book = view.seats[rival], view.book
    sane = seat.tokens - seat.insane_tokens
    near = sane == book.tokens_to_win - 1 or (book.insanity and seat.insane_tokens == book.insane_tokens_to_win - 1)
    return at.text("hint.near_win") if near else None


def _choose(at: Choice) -> str | None:
    """Says among how many cards a seat will choose what it keeps."""
    if not isinstance(at.action, PlayCard) or not at.view.deck:
        return None
    asks = KeepCard.type in at.view.book.cards[at.action.card].answers
    return at.text("hint.choose", count=1 + min(2, len(at.view.deck))) if asks else None


def _pays(at: Choice) -> str | None:
    """Says that a card may pay at the end of the round, because no other seat in it has played one."""
    if not isinstance(at.action, PlayCard) or at.rival is not None:
        return None
    card, seats = at.view.book.cards[at.action.card], at.view.seats
    taken = any(card.key in seats[seat].discards for seat in at.view.alive() if seat != at.seat)
    pays = card.round_end is not None and card.marks is None
    return None if taken or not pays else at.text("hint.pays", card=at.object(card.key))


def _strong_hand(at: Choice) -> str | None:
    """Says how few cards are higher than the one that is kept."""
    kept = at.kept
    if kept is None or at.brings(HandsCompared):
        return None
    rivals = [at.known.hands[seat] for seat in at.view.alive() if seat != at.seat]
    if at.known.deals is not None and all(at.value(card) <= at.value(kept) for hand in rivals for card in hand):
        return at.text("hint.highest", card=at.object(kept))
    left = at.hidden
    higher = sum([count for card, count in left.items() if at.value(card) > at.value(kept)])
    hidden = sum(left.values())
    if WEAK * higher > hidden or hidden == 1:
        return None
    return at.text("hint.keeps", card=at.object(kept), higher=higher, hidden=hidden)


def _under(at: Choice) -> str | None:
    """Says how long the highest card that goes under the deck stays there."""
    if not isinstance(at.action, KeepCard):
        return None
    bottom = at.action.bottom
    card = max(bottom, key=at.value)
    count = len(at.view.deck) + bottom.index(card)
    return at.text("hint.under", card=at.object(card), count=count) if count else None


Reason: TypeAlias = Callable[[Choice], str | None]
KINDS: Final[tuple[Reason, ...]] = (
    _forced,
    _wins,
    _danger,
    _sure,
    _guess,
    _knocks_out,
    _trade,
    _draw,
    _last_turn,
    _hand,
    _look,
    _copies,
    _shield,
    _choose,
    _pays,
    _target,
    _strong_hand,
    _under,
)
"""The most telling first."""
