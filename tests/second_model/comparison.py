"""Compares the engine with the second model: states as positions, actions in one form; rules belong to neither."""

from functools import cache
from typing import Any

from engine import rules
from engine.actions import ACTIONS, MEMBERS, Action, GiveHands, PlayCard
from engine.logs.codec import action_data
from engine.state import ACTIVE, GameState
from tests.second_model.model import legality
from tests.second_model.model.position import Position, Question


def position_of(state: GameState) -> Position:
    """Returns a state as the model sees it."""
    seats = range(len(state.seats))
    return Position(
        edition=state.book.edition.id,
        seats=len(seats),
        running=state.status == ACTIVE,
        turn=state.turn,
        hands=tuple(tuple(seat.hand) for seat in state.seats),
        discards=tuple(tuple(seat.discards) for seat in state.seats),
        tokens=tuple(seat.tokens for seat in state.seats),
        in_round=frozenset(seat for seat in seats if state.is_in_round(seat)),
        protected=frozenset(seat for seat in seats if state.is_protected(seat)),
        bound=state.bound,
        deck_size=len(state.deck),
        question=question_of(state),
    )


def question_of(state: GameState) -> Question | None:
    """Returns the open question of a state; collected hands stay with their seats until they are given back."""
    decision = state.decision
    if decision is None:
        return None
    collected = ()
    if decision.kind == "give_hands":
        collected = tuple(card for seat in decision.seats for card in state.seats[seat].hand)
    return Question(decision.seat, decision.card, decision.kind, decision.seats, collected)


def in_one_form(data: dict[str, Any]) -> str:
    """Returns plain data of an action so that it can be sorted and compared."""
    return repr(sorted(data.items()))


@cache
def form_of(action: Action) -> str:
    """Returns an action of the engine in the same form."""
    return in_one_form(action_data(action))


def as_given(data: dict[str, Any]) -> Action:
    """Returns plain data as an action of the engine, without putting anything in order as requests do."""
    if data["type"] == "play_card":
        guess = data.get("guess", data.get("guess_value"))
        return PlayCard(data["card"], tuple(data["targets"]), guess, data.get("face"))
    if "hands" in data:
        return GiveHands(tuple((gift["seat"], gift["card"]) for gift in data["hands"]))
    members = {one.name: data.get(one.name) for one in MEMBERS[data["type"]]}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in members.items()}
    return ACTIONS[data["type"]](**values)


def difference(position: Position, listed: list[Action]) -> str:
    """Says what a list of actions has too much or too little of; an empty text says that it is right."""
    seat = legality.seat_to_act(position)
    expected = [] if seat is None else sorted(in_one_form(action) for action in legality.legal(position, seat))
    found = sorted(form_of(action) for action in listed)
    if found == expected:
        return ""
    missing, added = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    return f"{len(found)} for {len(expected)}; missing: {missing}; added: {added}; in {position}"


def compare(state: GameState, position: Position) -> list[Action]:
    """Compares the actions of the seat to act, and that nobody else may do them; returns them."""
    listed = list(rules.legal_actions(state))
    wrong = difference(position, listed)
    assert not wrong, wrong
    actor = legality.seat_to_act(position)
    assert state.to_act == actor
    for other in range(position.seats):
        for action in (listed[0], listed[-1]):
            assert (rules.refusal(state, other, action) is None) is (other == actor)
    return listed


def situations(position: Position) -> set[str]:
    """Names what is special about a position, so that a test can insist on having met it."""
    seat, question = legality.seat_to_act(position), position.question
    assert seat is not None
    if question is not None and question.kind != "play_card":
        about = len(question.collected) if question.kind == "give_hands" else len(position.hands[seat])
        gone = {"asked about is out"} if not position.in_round.issuperset(question.seats) else set()
        return {f"{question.card} asks", f"asks for {about}"} | gone
    hand = set(position.hands[seat])
    playable = {card for card in hand if legality.card_allowed(position, seat, card)}
    insane = legality.is_insane(position, seat)
    found = {
        "insane": insane,
        "nobody choosable": not legality.choosable_others(position, seat),
        "protected": bool(position.protected),
        "seat out": len(position.in_round) < position.seats,
        "bound to another": position.bound not in (None, seat),
        "bound to oneself": position.bound == seat,
        "bound to nobody": position.bound is not None and position.bound not in position.in_round,
        "both 7s": hand == {"silver_key", "shining_trapezohedron"} and not insane,
        "both 7s insane": hand == {"silver_key", "shining_trapezohedron"} and insane,
        "7 not forced": "shining_trapezohedron" in hand and insane and len(playable) == 2,
    }
    named = {name for name, is_so in found.items() if is_so}
    if question is not None:
        named.add(f"{question.card} asks")
    if len(playable) < len(hand):
        named |= {f"{card} forced" for card in playable}
    if insane:
        named |= {f"{card} insane" for card in playable if legality.face_allowed(position, seat, card, "insane")}
    return named
