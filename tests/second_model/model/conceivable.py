"""Everything that somebody could ask for, legal or not, in the plain-data form of the interface."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from tests.second_model.model.cards import cards_of
from tests.second_model.model.position import Position
from tests.second_model.model.questions import answers

FACES = (None, "sane", "insane")


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


def everything(position: Position) -> Iterator[dict[str, Any]]:
    """Yields every action that a seat of this position could ask for."""
    yield from plays(position)
    yield from answers(position)
