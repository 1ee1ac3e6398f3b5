"""Numbers the actions: one numbering for all positions of a table.

A number means the same to every seat and at any time. Seats are counted from the one that acts: 0 is itself, 1 the next
clockwise. An answer that arranges cards (`keep_card`, `give_hands`) names them by place, which keeps the numbers few.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any, Final, TypeAlias

from engine.actions import ACTIONS, CARD, CARDS, FLAG, HANDS, MEMBERS, SEAT, Action, GiveHands, KeepCard, PlayCard
from engine.options import legal_actions, plays_of
from engine.rulebook import Rulebook
from engine.state import GameState

MOST_KEPT_AMONG: Final = 3
"""The largest hand of which one card is kept: the own card and two drawn besides."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An answer that puts cards somewhere, as the places of these cards among all there are to arrange.

    Those are in the order of the edition's table of cards. With `keep_card` the first place is the card kept, and the
    others go under the deck in this order; with `give_hands` the first is given to the nearest of the seats that are
    given one, counted from the one that gives, and so on.
    """

    type: str
    places: tuple[int, ...]


Meaning: TypeAlias = Action | Arrangement
"""An action as seat 0 would write it, or an arrangement."""


class Numbering:
    """The actions of an edition at a table of one size, by number."""

    def __init__(self, book: Rulebook) -> None:
        self.meanings: tuple[Meaning, ...] = tuple(dict.fromkeys(_meanings(book)))
        """What each number means."""
        self._numbers = {meaning: number for number, meaning in enumerate(self.meanings)}

    def __len__(self) -> int:
        return len(self.meanings)

    def number(self, view: GameState, action: Action) -> int:
        """Returns the number that an environment gives an action of the seat to act.

        Cards of one kind cannot be told apart: of the arrangements that come to the same, it is the first.
        """
        return self._numbers[_meaning_of(view, action)]

    def action(self, view: GameState, number: int) -> Action:
        """Returns the action of the seat to act that has a number in an environment.

        Raises:
            ValueError: it is none that the seat may take now.
        """
        if number not in range(len(self)):
            raise ValueError(f"number {number} is no action: numbers go from 0 to {len(self) - 1}")
        action = _action_of(view, self.meanings[number])
        if action is None or action not in legal_actions(view) or self.number(view, action) != number:
            raise ValueError(f"number {number} is not legal now: {self.meanings[number]}")
        return action

    def legal(self, view: GameState) -> list[int]:
        """Returns an environment's numbers of all legal actions of the seat to act, in the order of the actions."""
        return [self.number(view, action) for action in legal_actions(view)]


def _meanings(book: Rulebook) -> Iterator[Meaning]:
    """Yields all actions that an environment numbers at a table, first the plays in the order of the cards."""
    everybody = (1 << book.seats) - 1
    for card in book.cards:
        for choosable in (everybody, 0):  # with nobody to choose, a card is played for nothing
            yield from plays_of(book, card, True, 0, choosable, None)
    kinds = {kind for answers in book.answers.values() for kind in answers}
    for kind in ACTIONS:
        if kind in kinds and kind != PlayCard.type:
            yield from _answers(book, kind)


def _answers(book: Rulebook, kind: str) -> Iterator[Meaning]:
    """Yields all answers of a kind that an environment numbers, in the order of their members."""
    members = MEMBERS[kind]
    if any(one.kind in (CARDS, HANDS) for one in members):
        yield from _arrangements(kind, MOST_KEPT_AMONG if kind == KeepCard.type else book.seats - 1)
        return
    values: dict[str, Sequence[Any]] = {FLAG: (False, True), SEAT: range(book.seats), CARD: tuple(book.cards)}
    for chosen in product(*([*([] if one.required else [None]), *values[one.kind]] for one in members)):
        yield ACTIONS[kind](*chosen)


def _arrangements(kind: str, most: int) -> Iterator[Arrangement]:
    for count in range(1, most + 1):
        yield from (Arrangement(kind, places) for places in permutations(range(count)))


def _meaning_of(view: GameState, action: Action) -> Meaning:
    """Returns an action of the seat to act as an environment numbers it: as seat 0 would write it."""
    match action:
        case PlayCard(card, targets, guess, face):
            return PlayCard(card, tuple(sorted(nearness(view, seat) for seat in targets)), guess, face)
        case KeepCard(keep, bottom):
            return Arrangement(KeepCard.type, _places(_in_order(view, (keep, *bottom)), (keep, *bottom)))
        case GiveHands(hands):
            given = [card for _, card in sorted(hands, key=lambda pair: nearness(view, pair[0]))]
            return Arrangement(GiveHands.type, _places(_in_order(view, given), given))
    return _with_seats(action, lambda seat: nearness(view, seat))


def _with_seats(action: Action, of: Callable[[int], int]) -> Action:
    """Returns an answer with another seat for each that it names, for the numbering of actions."""
    seats = [one.field for one in MEMBERS[action.type] if one.kind == SEAT and getattr(action, one.field) is not None]
    return replace(action, **{name: of(getattr(action, name)) for name in seats})  # type: ignore[arg-type]  # each keeps its type


def _action_of(view: GameState, meaning: Meaning) -> Action | None:
    """Returns the action that an environment's number means for the seat to act; None if its cards do not fit."""
    me, seats = view.to_act, view.book.seats
    assert me is not None, "only a seat that must act asks what a number means"
    match meaning:
        case PlayCard(card, targets, guess, face):
            return PlayCard(card, tuple(sorted((me + seat) % seats for seat in targets)), guess, face)
        case Arrangement():
            return _arranging_action(view, meaning)
    return _with_seats(meaning, lambda seat: (me + seat) % seats)


def _arranging_action(view: GameState, meaning: Arrangement) -> Action | None:
    """Returns the answer that a numbered arrangement means; None if there are not as many cards."""
    arranged = _arranged(view, meaning)
    if arranged is None:
        return None
    if meaning.type == KeepCard.type:
        return KeepCard(arranged[0], tuple(arranged[1:]))
    return GiveHands(tuple(sorted(zip(_receiving_seats(view), arranged, strict=True))))


def _arranged(view: GameState, meaning: Arrangement) -> list[str] | None:
    """Returns the cards that are to be arranged, in the order of a numbered arrangement that fits them."""
    decision = view.decision
    if decision is None or decision.kind != meaning.type:
        return None
    holders = [decision.seat] if decision.kind == KeepCard.type else _receiving_seats(view)
    cards = _in_order(view, [card for seat in holders for card in view.seats[seat].hand if card is not None])
    return [cards[place] for place in meaning.places] if len(cards) == len(meaning.places) else None


def _receiving_seats(view: GameState) -> list[int]:
    """Returns the seats that a numbered arrangement gives cards to, the nearest first."""
    assert view.decision is not None, "cards are given in answer to a question"
    still_in = [seat for seat in view.decision.seats if view.is_in_round(seat)]
    return sorted(still_in, key=lambda seat: nearness(view, seat))


def _in_order(view: GameState, cards: Sequence[str]) -> list[str]:
    """Returns the cards of a numbered arrangement in the order of the edition's table."""
    return sorted(cards, key=list(view.book.cards).index)


def _places(cards: Sequence[str], arranged: Sequence[str]) -> tuple[int, ...]:
    """Returns the places of a numbered arrangement: where the arranged cards lie among the cards, each place once."""
    free = list(range(len(cards)))
    places = []
    for wanted in arranged:
        place = next(place for place in free if cards[place] == wanted)
        free.remove(place)
        places.append(place)
    return tuple(places)


def nearness(view: GameState, seat: int) -> int:
    """Returns how many seats after the one that acts a seat is, clockwise, for the numbering of actions."""
    me = view.to_act
    assert me is not None, "seats are counted from the one that acts"
    return (seat - me) % view.book.seats
