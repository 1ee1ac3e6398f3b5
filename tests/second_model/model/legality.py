"""The rules of legality a second time, as plain sentences: simple, slow, and without a line of the engine.

It was written from the rules alone, to be compared with the engine. `allowed` says of any conceivable action whether
the rules allow it; `legal` lists those that they do. How cards work out belongs to `effects` and `course`, what is
asked in the middle of a turn to `questions`. Sections are those of `docs/rules.md`.

Where the rules leave a doubt, the model reads them so; this was written down before anything was compared:

- Both 7s of `lovecraft`: either may be played, by an insane seat the Trapezohedron with either effect.
- The Trapezohedron has two effects although neither chooses anything: a sane seat plays it `sane`; an insane seat may
  play it with either effect. Cthulhu and the Liber Ivonis likewise. The Braincase has one effect.
- The insane Deep Ones name a number when they are played, for no second question is listed for them.
- A play that can choose nobody still says which effect it uses: an effect is not a target.
- A marked seat that is out of the round cannot be chosen, so the card has no effect, the Prince and the Sycophant too.
  (No game comes to that: a mark is lifted when its seat leaves. Arbitrary positions do.)
- The Cardinal's player may look at either of the two hands, also where one of them is its own.
- Nyarlathotep asks also where only one hand was collected; two equal cards make one answer, not two.
- In a tie-break round every token wins the game, so that a Bishop that hits asks nobody.
- Where a card says "any", its own seat can be chosen whatever protects it.

One reading was added when a comparison met a case that the rules do not mention:

- A seat that leaves the game while a question about its hand is open has no hand any more: it cannot be looked at, and
  it is given nothing back; what the others held is given back to them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.second_model.model.cards import (
    INSANITY_CARDS,
    NOBODY,
    ONE_OF_ALL,
    ONE_OTHER,
    TWO_EFFECTS,
    TWO_OF_ALL,
    cards_of,
    chooses,
    may_be_named,
)
from tests.second_model.model.conceivable import FACES, guesses, play, target_lists
from tests.second_model.model.position import Position, choosable_others
from tests.second_model.model.questions import asked_for, may_answer


def seat_to_act(position: Position) -> int | None:
    """Who may act: whoever is asked, else whose turn it is (A round), nobody in a game that is over."""
    if not position.running:
        return None
    return position.turn if position.question is None else position.question.seat


def kind_to_act(position: Position) -> str:
    """What the seat to act must do: play a card, or answer what it was asked."""
    return "play_card" if position.question is None else position.question.kind


def legal(position: Position, seat: int) -> Iterator[dict[str, Any]]:
    """Yields what is allowed among everything conceivable.

    What begins wrongly is given up early, which is all that tells it from trying everything.
    """
    if seat != seat_to_act(position):
        return
    kind, question = kind_to_act(position), position.question
    if kind == "play_card":
        yield from _legal_plays(position, seat)
    else:
        assert question is not None
        yield from (action for action in asked_for(position, question) if allowed(position, seat, action))


def _legal_plays(position: Position, seat: int) -> Iterator[dict[str, Any]]:
    for card in cards_of(position.edition, position.seats):
        if not card_allowed(position, seat, card):
            continue
        for face in FACES:
            if not face_allowed(position, seat, card, face):
                continue
            choice = choice_of(position, seat, card, face)
            for targets in target_lists(position.seats):
                if not targets_allowed(choice, targets):
                    continue
                for guess in guesses(position):
                    if guess_allowed(position, card, targets, guess):
                        yield play(card, face, targets, guess)


def allowed(position: Position, seat: int, action: dict[str, Any]) -> bool:
    """Whether the rules allow a seat an action."""
    if seat != seat_to_act(position) or action["type"] != kind_to_act(position):
        return False
    if action["type"] == "play_card":
        card, face, targets = action["card"], action.get("face"), tuple(action["targets"])
        return (
            card_allowed(position, seat, card)
            and face_allowed(position, seat, card, face)
            and targets_allowed(choice_of(position, seat, card, face), targets)
            and guess_allowed(position, card, targets, action.get("guess", action.get("guess_value")))
        )
    assert position.question is not None
    return may_answer(position, position.question, action)


# --- which card ----------------------------------------------------------------------------------------------------


def card_allowed(position: Position, seat: int, card: str) -> bool:
    """Whether a card is in the hand, and no other card of the hand must be played instead."""
    hand = position.hands[seat]
    if card not in hand:
        return False
    forced = [held for held in hand if must_be_played(position, seat, held)]
    return not forced or card in forced


def must_be_played(position: Position, seat: int, card: str) -> bool:
    """Whether a card of a hand leaves no choice."""
    others = list(position.hands[seat])
    others.remove(card)
    if card == "countess":
        # The cards of standard and classic: beside the King or a Prince; in premium the Dowager changes nothing.
        return "king" in others or "prince" in others
    numbers = cards_of(position.edition, position.seats)
    if card == "silver_key":
        # The cards of lovecraft: when the other card is above 4. Decided: the two sevens together. The insane are free.
        if "shining_trapezohedron" in others and is_insane(position, seat):
            return False
        return any(numbers[other] > 4 for other in others)
    if card == "shining_trapezohedron":
        # The cards of lovecraft: the same, but an insane seat need not.
        return any(numbers[other] > 4 for other in others) and not is_insane(position, seat)
    return False


# --- which effect --------------------------------------------------------------------------------------------------


def is_insane(position: Position, seat: int) -> bool:
    """The cards of lovecraft: while the discard pile holds an insanity card, however it came there."""
    return any(card in INSANITY_CARDS for card in position.discards[seat])


def face_allowed(position: Position, seat: int, card: str, face: str | None) -> bool:
    """The cards of lovecraft: who is insane chooses the effect of a card that has two; others use the sane one."""
    if card not in TWO_EFFECTS:
        return face is None
    return face == "sane" or (face == "insane" and is_insane(position, seat))


# --- which targets -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """Whom a play may choose: from `fewest` to `most` of these seats, one of which may have to be among them."""

    seats: frozenset[int] = frozenset()
    fewest: int = 0
    most: int = 0
    included: int | None = None


def choice_of(position: Position, seat: int, card: str, face: str | None) -> Choice:
    """Whom a seat may choose with one effect of a card."""
    whom = chooses(card, face)
    if whom == NOBODY:
        return Choice()
    candidates = choosable_others(position, seat)
    if whom in (ONE_OF_ALL, TWO_OF_ALL):
        candidates.add(seat)
    fewest = 2 if whom == TWO_OF_ALL else 1
    most = 1 if whom in (ONE_OTHER, ONE_OF_ALL) else 2
    # Choosing seats: when nobody is choosable the card is played without effect, with no target; and so it is where
    # the Cardinal finds fewer than two, and where the card cannot include the marked seat (the Sycophant).
    if len(candidates) < fewest or (position.bound is not None and position.bound not in candidates):
        return Choice()
    return Choice(frozenset(candidates), fewest, most, position.bound)


def targets_allowed(choice: Choice, targets: tuple[int, ...]) -> bool:
    """Whether these are seats to choose, in ascending order without repeats; nobody is no choice (Choosing seats)."""
    return (
        choice.fewest <= len(targets) <= choice.most
        and choice.seats.issuperset(targets)
        and list(targets) == sorted(set(targets))
        and (choice.included is None or choice.included in targets)
    )


# --- which guess ---------------------------------------------------------------------------------------------------


def guess_allowed(position: Position, card: str, targets: tuple[int, ...], guess: str | int | None) -> bool:
    """A card that names something does so if it has chosen somebody, and only then (Choosing seats)."""
    nameable = may_be_named(position.edition, position.seats, card)
    if nameable and targets:
        return guess in nameable
    return guess is None
