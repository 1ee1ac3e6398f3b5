"""Everything that somebody could ask for, legal or not, in the plain-data form of the interface."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

from tests.second_model.model.cards import cards_of
from tests.second_model.model.position import Position

FACES = (None, "sane", "insane")
KINDS = ("play_card", "keep_card", "redraw_hand", "peek_hand", "give_hands")


@cache
def target_lists(seats: int) -> list[tuple[int, ...]]:
    """Returns all lists of up to three seats in any order, with repeats and with one seat that does not exist."""
    return [targets for length in range(4) for targets in product(range(seats + 1), repeat=length)]


def guesses(position: Position) -> list[str | int | None]:
    """Returns everything that could be named: nothing, each character, each number and one that no card has."""
    return [None, *cards_of(position.edition, position.seats), *range(11)]


def play(card: str, face: str | None, targets: tuple[int, ...], guess: str | int | None) -> dict[str, Any]:
    """Returns a play as plain data; what is absent is left out."""
    action: dict[str, Any] = {"type": "play_card", "card": card, "targets": list(targets)}
    if guess is not None:
        action["guess" if isinstance(guess, str) else "guess_value"] = guess
    if face is not None:
        action["face"] = face
    return action


def plays(position: Position) -> Iterator[dict[str, Any]]:
    """Yields every play: all cards x effects x targets x guesses."""
    cards = cards_of(position.edition, position.seats)
    for card, face, targets, guess in product(cards, FACES, target_lists(position.seats), guesses(position)):
        yield play(card, face, targets, guess)


def keeps(cards: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yields every way to keep one of these cards and to return up to two, with repeats."""
    kinds = list(dict.fromkeys(cards))
    for keep, length in product(kinds, range(3)):
        for bottom in product(kinds, repeat=length):
            yield {"type": "keep_card", "keep": keep, "bottom": list(bottom)}


def redraws() -> Iterator[dict[str, Any]]:
    """Yields both answers."""
    for redraw in (True, False):
        yield {"type": "redraw_hand", "redraw": redraw}


def peeks(position: Position) -> Iterator[dict[str, Any]]:
    """Yields looking at nobody, at each seat, and at one that does not exist."""
    yield {"type": "peek_hand"}
    for seat in range(position.seats + 1):
        yield {"type": "peek_hand", "seat": seat}


def gifts(receivers: tuple[int, ...], cards: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yields every way to give each of these seats one of these cards, with repeats."""
    for given in product(dict.fromkeys(cards), repeat=len(receivers)):
        hands = [{"seat": seat, "card": card} for seat, card in zip(receivers, given, strict=True)]
        yield {"type": "give_hands", "hands": hands}


def answers(position: Position) -> Iterator[dict[str, Any]]:
    """Yields every answer to every kind of question; gifts to up to three seats only, or there would be too many."""
    cards = cards_of(position.edition, position.seats)
    yield from keeps(cards)
    yield from redraws()
    yield from peeks(position)
    held = {card for hand in position.hands for card in hand}
    asked = position.question.seats if position.question else ()
    every = tuple(range(position.seats))
    for receivers in {asked[:3], asked[1:], every[:1], every[1:3], every[:3]}:
        yield from gifts(receivers, sorted(held)[:5])


def everything(position: Position) -> Iterator[dict[str, Any]]:
    """Yields every action that a seat of this position could ask for."""
    yield from plays(position)
    yield from answers(position)
