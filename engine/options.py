"""Lists the legal actions: every play a hand offers and every answer to an open decision.

It uses only what the seat itself knows, so a view's state gives the same list as the full state. The answers to a
decision follow from the members that its kind of action declares.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain, combinations, permutations
from typing import Any, Final, TypeAlias, TypeVar

from engine.actions import ACTIONS, CARD, CARDS, FLAG, HANDS, MEMBERS, SEAT, Action, Guess, PlayCard
from engine.cards import Card, Face, Targets
from engine.events import DecisionOpened
from engine.rulebook import Rulebook
from engine.state import ACTIVE, SEATS_OF, GameState

MOST_REMEMBERED = 20_000
"""As many situations as a table of six meets in the `standard` edition: at most 17 MB for each table of rules."""
MOST_KEPT_FROM = 3
"""As many cards as any edition lets a seat choose from when it keeps one."""

Remembered = TypeVar("Remembered")


def legal_actions(state: GameState) -> tuple[Action, ...]:
    """Returns all actions that the rules allow the seat to act, in a fixed order; none when the game is not active.

    The state may be that seat's view. What is returned may be the memo's own: do not change it.
    """
    if state.status != ACTIVE:
        return ()
    decision = state.decision
    if decision is None:
        return plays(state, state.turn)
    if decision.kind == PlayCard.type:
        return plays(state, decision.seat)
    return _ANSWERS[decision.kind](ACTIONS[decision.kind], state, decision)


def plays(state: GameState, seat: int) -> tuple[PlayCard, ...]:
    """Returns the plays that the rules allow a seat's hand, in order, and keeps them in the rulebook's memo."""
    book, mask, insane = state.book, state.choosable(), False
    situation: tuple[object, ...] = (seat, mask, *state.seats[seat].hand)
    if book.insanity or state.bound is not None:
        insane = state.is_insane(seat)
        situation = (insane, state.bound, *situation)
    found = book.plays_of_hands.get(situation)
    if found is None:
        hand = [card for card in state.seats[seat].hand if card is not None]
        ways = [plays_of(book, card, insane, seat, mask, state.bound) for card in playable(book, hand, insane)]
        found = remember(book.plays_of_hands, situation, tuple(chain(*ways)))
    return found


def playable(book: Rulebook, hand: list[str], insane: bool) -> list[str]:
    """Returns the different cards of a hand that the rules let a seat play, which a forced card narrows down."""
    return forced_cards(book, hand, insane) or list(dict.fromkeys(hand))


def forced_cards(book: Rulebook, hand: list[str], insane: bool) -> list[str]:
    """Returns the cards of a two-card hand of which the rules force one to be played; none if the choice is free."""
    if len(hand) != 2 or book.forcing.isdisjoint(hand):
        return []
    found = []
    for card, other in (hand, hand[::-1]):
        hook = book.cards[card].forced
        if hook is not None and hook(book, other, insane):
            found.append(card)
    return found


def plays_of(
    book: Rulebook, key: str, insane: bool, seat: int, mask: int, bound: int | None
) -> Mapping[PlayCard, None]:
    """Returns the ways in which the rules allow a card to be played, in order, as the keys of a mapping.

    `mask` are the choosable seats; `bound` is the seat that must be among those chosen.
    """
    situation = (key, insane, seat, mask, bound)
    found = book.plays_of_cards.get(situation)
    if found is None:
        card = book.cards[key]
        ways = (
            PlayCard(key, targets, guess, face)
            for face in faces(card, insane)
            for targets in target_choices(face_of(card, face).targets, seat, mask, bound)
            for guess in guesses(book, face_of(card, face), targets)
        )
        found = remember(book.plays_of_cards, situation, dict.fromkeys(ways))
    return found


def remember(memo: dict[tuple[object, ...], Remembered], key: tuple[object, ...], found: Remembered) -> Remembered:
    """Keeps in a memo of the rules what was found, and returns it; a memo that has grown too large begins anew."""
    if len(memo) >= MOST_REMEMBERED:
        memo.clear()
    memo[key] = found
    return found


def faces(card: Card, insane: bool) -> tuple[str | None, ...]:
    """Returns the faces with which the rules let a card be played: None where it has only one."""
    if card.insane is None:
        return (None,)
    return ("sane", "insane") if insane else ("sane",)


def face_of(card: Card, face: str | None) -> Card | Face:
    """Returns what a card chooses, names and does by the rules when played with a face."""
    return card.insane if face == "insane" and card.insane is not None else card


def target_choices(targets: Targets, seat: int, mask: int, bound: int | None) -> list[tuple[int, ...]]:
    """Returns the ways in which the rules let a card choose seats: at least one; none only if nobody can be chosen.

    `mask` are the choosable seats; a bound seat must be among the chosen.
    """
    candidates = [other for other in SEATS_OF[mask] if targets.own or other != seat]
    choices = [
        chosen
        for count in range(max(targets.least, 1), targets.most + 1)
        for chosen in combinations(candidates, count)
        if bound is None or bound in chosen
    ]
    return choices or [()]


def guesses(book: Rulebook, way: Card | Face, targets: tuple[int, ...]) -> tuple[Guess | None, ...]:
    """Returns what the rules let a card name: only nothing if the card names nothing or chose nobody."""
    return way.guess(book) if way.guess is not None and targets else (None,)


Answers: TypeAlias = Callable[[Any, GameState, DecisionOpened], tuple[Action, ...]]
"""Makes all answers to a decision, which are of the class that it is given."""


def _orders_of_the_hand(answer: Any, state: GameState, decision: DecisionOpened) -> tuple[Action, ...]:
    hand = tuple([card for card in state.seats[decision.seat].hand if card is not None])
    # Only logs that nobody has played hold more cards; all orders of eight of them take 6 MB.
    ways = _ways_to_keep if len(hand) <= MOST_KEPT_FROM else _ways_to_keep.__wrapped__
    return ways(answer, hand)


@lru_cache(maxsize=2048)
def _ways_to_keep(answer: Any, hand: tuple[str, ...]) -> tuple[Action, ...]:
    return tuple([answer(order[0], order[1:]) for order in dict.fromkeys(permutations(hand))])


def _no_or_yes(answer: Any, state: GameState, decision: DecisionOpened) -> tuple[Action, ...]:
    return answer(False), answer(True)


def _nobody_or_a_seat(answer: Any, state: GameState, decision: DecisionOpened) -> tuple[Action, ...]:
    return (answer(), *(answer(seat) for seat in _still_in(state, decision)))


def _orders_of_the_collected(answer: Any, state: GameState, decision: DecisionOpened) -> tuple[Action, ...]:
    seats = _still_in(state, decision)
    cards = [card for seat in seats for card in state.seats[seat].hand if card is not None]
    orders = dict.fromkeys(permutations(cards))
    return tuple([answer(tuple(zip(seats, order, strict=True))) for order in orders])


def _still_in(state: GameState, decision: DecisionOpened) -> list[int]:
    """Returns the seats that the rules' open decision is about, less those that have left since it was put."""
    return [seat for seat in decision.seats if state.is_in_round(seat)]


_ANSWERS_OF: Final[Mapping[tuple[str, ...], Answers]] = {
    (CARD, CARDS): _orders_of_the_hand,
    (FLAG,): _no_or_yes,
    (SEAT,): _nobody_or_a_seat,
    (HANDS,): _orders_of_the_collected,
}
"""By the kinds of the members of an answer. The first answer that a function makes declines, where one can decline."""
_ANSWERS: Final[Mapping[str, Answers]] = {
    kind: _ANSWERS_OF[tuple(one.kind for one in members)] for kind, members in MEMBERS.items() if kind != PlayCard.type
}
