"""The questions in the middle of a turn: which cards ask, what could be answered, what is allowed, what it does.

Sections are those of `docs/rules.md`.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from tests.second_model.model.cards import cards_of
from tests.second_model.model.ends import champions
from tests.second_model.model.game import Effect, Game, Named
from tests.second_model.model.moves import discard_and_draw, draw, gain, has, look, swap
from tests.second_model.model.position import Position, Question

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


# --- the cards that ask ---------------------------------------------------------------------------------------------


def chancellor(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Draws two, or one if there is no more, and asks; none left: no effect."""
    if draw(game, seat):
        draw(game, seat)
        game.question = Question(seat, "chancellor", "keep_card")


def cardinal(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Two seats swap hands; then the player may look at one of the two."""
    swap(game, *targets)
    game.question = Question(seat, "cardinal", "peek_hand", targets)


def bishop(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """A hit pays a token at once; if the game goes on, the seat that was hit decides."""
    (target,) = targets
    if has(game, target, named):
        game.used.add("the Bishop pays")
        gain(game, seat)
        if not champions(game):
            game.question = Question(target, "bishop", "redraw_hand")


def golden_mead(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: shows a hand; the player draws and plays one more; with an empty deck only shows."""
    look(game, seat, targets[0])
    if draw(game, seat):
        game.question = Question(seat, "golden_mead", "play_card")
    else:
        game.used.add("a Golden Mead finds no card")


def mi_go(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: takes another seat's card, gives it the Braincase, and the player plays one more of two."""
    (target,) = targets
    game.hands[seat] += game.hands[target]
    game.hands[target] = ["mi_go_braincase"]
    game.question = Question(seat, "mi_go", "play_card")


def nyarlathotep(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: shows the hands of all other seats that can be chosen, and the player says who of them gets which."""
    others = tuple(sorted(game.in_round - game.protected - {seat}))
    for other in others:
        look(game, seat, other)
    if others:
        game.question = Question(seat, "nyarlathotep", "give_hands", others)


ASKING: dict[str, Effect] = {
    "chancellor": chancellor,
    "cardinal": cardinal,
    "bishop": bishop,
}
"""The effects of cards that ask."""
ASKING_WHEN_INSANE: dict[str, Effect] = {
    "golden_mead": golden_mead,
    "mi_go": mi_go,
    "nyarlathotep": nyarlathotep,
}
"""The insane effects that ask."""


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
    for receivers in {asked[:3], asked[1:], asked[1::-1], asked[:1] * 2, every[:1], every[1:3], every[:3]}:
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


# --- what an answer does --------------------------------------------------------------------------------------------


def answer(game: Game, seat: int, action: dict[str, Any]) -> None:
    """What an answer does to a question other than which card to play."""
    if action["type"] == "keep_card":
        # Keeps one of the three, puts the others under the deck in an order of one's choice.
        game.hands[seat] = [action["keep"]]
        game.deck += action["bottom"]
    elif action["type"] == "peek_hand":
        if "seat" in action:
            look(game, seat, action["seat"])
    elif action["type"] == "redraw_hand":
        if action["redraw"]:
            discard_and_draw(game, seat)
    else:
        for gift in action["hands"]:
            game.hands[gift["seat"]] = [gift["card"]]
