"""The questions in the middle of a turn: which plays lead to one, what could be answered, and what the rules allow.

What an answer does belongs to `effects`. Sections are those of `docs/rules.md`.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from tests.second_model.model.cards import TOKENS_TO_WIN, cards_of
from tests.second_model.model.position import Position, Question, choosable_others

QUESTIONS = {
    # The rows of the cards: by edition and card, what is asked.
    ("standard", "chancellor"): "keep_card",
    ("premium", "bishop"): "redraw_hand",
    ("premium", "cardinal"): "peek_hand",
    ("lovecraft", "golden_mead"): "play_card",
    ("lovecraft", "mi_go"): "play_card",
    ("lovecraft", "nyarlathotep"): "give_hands",
}
NAMING_A_SEAT = ("peek_hand",)
"""The kinds of answers that name a seat, or nobody."""
DECLINED: dict[str, dict[str, Any]] = {
    "redraw_hand": {"type": "redraw_hand", "redraw": False},
    "peek_hand": {"type": "peek_hand"},
}
"""What a seat answers that leaves: after a Bishop the hand is kept, after a Cardinal no hand is looked at."""


def question_after(position: Position, seat: int, action: dict[str, Any]) -> Question | None:
    """Returns the question that an allowed action leads to, its cards left open, or None."""
    if action["type"] != "play_card":
        return None
    card, targets = action["card"], tuple(action["targets"])
    kind = QUESTIONS.get((position.edition, card))
    if kind is None:
        return None
    if card == "chancellor":
        # The Chancellor: none left, no effect and no decision.
        return Question(seat, card, kind) if position.deck_size else None
    if card == "cardinal":
        return Question(seat, card, kind, targets) if targets else None
    if card == "bishop":
        return _question_of_the_bishop(position, seat, targets, action.get("guess_value"))
    if action["face"] == "sane":
        return None
    if card == "nyarlathotep":
        others = tuple(sorted(choosable_others(position, seat)))
        return Question(seat, card, kind, others) if others else None
    if card == "golden_mead" and not position.deck_size:
        # The Golden Mead: where the deck is empty one only looks.
        return None
    return Question(seat, card, kind) if targets else None


def _question_of_the_bishop(position: Position, seat: int, targets: tuple[int, ...], named: Any) -> Question | None:
    """The Bishop: a hit gives a token; unless that wins the game, the guessed seat decides."""
    if not targets:
        return None
    (guessed,) = targets
    numbers = cards_of(position.edition, position.seats)
    hit = [numbers[card] for card in position.hands[guessed]] == [named]
    wins = position.tokens[seat] + 1 >= TOKENS_TO_WIN[position.edition][position.seats]
    return Question(guessed, "bishop", "redraw_hand") if hit and not wins else None


# --- what could be answered ----------------------------------------------------------------------------------------


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


def seats_named(kind: str, position: Position) -> Iterator[dict[str, Any]]:
    """Yields naming nobody, each seat, and one that does not exist."""
    yield {"type": kind}
    for seat in range(position.seats + 1):
        yield {"type": kind, "seat": seat}


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
    for kind in NAMING_A_SEAT:
        yield from seats_named(kind, position)
    held = {card for hand in position.hands for card in hand}
    asked = position.question.seats if position.question else ()
    every = tuple(range(position.seats))
    for receivers in {asked[:3], asked[1:], every[:1], every[1:3], every[:3]}:
        yield from gifts(receivers, sorted(held)[:5])


# --- what may be answered ------------------------------------------------------------------------------------------


def asked_for(position: Position, question: Question) -> Iterator[dict[str, Any]]:
    """Returns every answer of the kind that is asked for, with the cards and seats that the question is about."""
    if question.kind == "keep_card":
        return keeps(position.hands[question.seat])
    if question.kind == "redraw_hand":
        return redraws()
    if question.kind in NAMING_A_SEAT:
        return seats_named(question.kind, position)
    return gifts(still_asked_about(position, question), question.collected)


def may_answer(position: Position, question: Question, action: dict[str, Any]) -> bool:
    """Whether the rules allow an answer of the kind that is asked for."""
    if action["type"] == "keep_card":
        # The Chancellor: keep one, put the others back in an order of one's choice, whatever the Countess demands.
        return sorted([action["keep"], *action["bottom"]]) == sorted(position.hands[question.seat])
    if action["type"] in NAMING_A_SEAT:
        # The Cardinal: first, second or none.
        return "seat" not in action or action["seat"] in still_asked_about(position, question)
    if action["type"] == "give_hands":
        # Nyarlathotep: one of the collected hands back to each; seats are listed in order.
        receivers = tuple(gift["seat"] for gift in action["hands"])
        cards = [gift["card"] for gift in action["hands"]]
        return receivers == still_asked_about(position, question) and sorted(cards) == sorted(question.collected)
    # The Bishop: keep, or discard and draw; as one likes.
    return True


def still_asked_about(position: Position, question: Question) -> tuple[int, ...]:
    """The seats of a question that still have a hand (Leaving a running game)."""
    return tuple(seat for seat in question.seats if seat in position.in_round)
