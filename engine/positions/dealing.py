"""Deals the cards of a given position, and finds the position that a round began with."""

from typing import Any

from engine.errors import ImpossiblePosition
from engine.events import RoundStarted, breaks_of
from engine.positions.checks import check_position, entrants_of, scored
from engine.positions.position import Position, drawn_places, given_of, undealt
from engine.shuffle import Chance
from engine.state import SEATS_OF, GameState


def begin_position(state: GameState, number: int, chance: Chance) -> RoundStarted | None:
    """Returns how a round begins with a sandbox's position; None if none was given, or it no longer can.

    That is so once a seat has left the game, and where the tokens make it a round of some seats alone or nobody's.
    """
    data = given_of(state.positions[number - 1] or {}) if number <= len(state.positions) else {}
    if not data or any(seat.left for seat in state.seats):
        return None
    try:
        position = check_position(state, data)
    except ImpossiblePosition:
        return None
    return _dealt_from_position(state, position, number, chance)


def _dealt_from_position(state: GameState, position: Position, number: int, chance: Chance) -> RoundStarted:
    """Returns how a round begins in a position: what it leaves out is drawn in the order in which a deck is dealt."""
    book, placed = state.book, scored(state, position)
    entrants = entrants_of(placed)
    places = drawn_places(book, position, entrants)
    anything = places or position.deck is None
    rest = chance.order(undealt(book, position), number) if anything else []
    drawn = dict(zip(places, rest, strict=False))
    hands: list[str | None] = [None] * book.seats
    for seat in entrants:
        if seat not in position.out:
            hands[seat] = position.hands[seat][0] if position.hands[seat] else drawn[f"hand {seat}"]
    shown = position.shown_aside
    deck = tuple(rest[len(places) :]) if position.deck is None else position.deck
    return RoundStarted(
        number,
        position.turn,
        entrants,
        tuple([seat.tokens for seat in placed.seats]),
        tuple([seat.insane_tokens for seat in placed.seats]),
        (),
        tuple(hands),
        # A seat that has drawn already drew the second card of its hand: it is drawn as the turn starts.
        (*position.hands[position.turn][1:], *deck),
        drawn["set_aside"] if position.set_aside is None else position.set_aside,
        tuple([drawn[f"shown {i}"] for i in range(book.shown_aside)]) if shown is None else shown,
        state.banks,
        SEATS_OF[state.away],
        breaks_of(state),
        _open_in_position(position),
    )


def _open_in_position(position: Position) -> dict[str, Any]:
    """Returns what everybody sees of a sandbox's position beside the cards, as in `RoundStarted`."""
    return {
        "discards": [[*pile] for pile in position.discards],
        "out": [*position.out],
        "protected": [*position.protected],
        "bound": position.bound,
        "marks": [{"card": card, "seat": seat, "target": target} for card, seat, target in position.marks],
        "drawn": position.drawn,
    }


def position_of(begun: RoundStarted) -> dict[str, Any]:
    """Returns the position that a sandbox's round began with, with nothing left to chance.

    Raises:
        AssertionError: it was dealt.
    """
    lying = begun.position
    assert lying is not None, "the round was dealt"
    hands = [[] if card is None else [card] for card in begun.hands]
    hands[begun.starter] += [card for card in begun.deck[:1] if lying["drawn"] and card is not None]
    return {
        "hands": hands,
        "discards": [[*pile] for pile in lying["discards"]],
        "deck": [*begun.deck[1:]] if lying["drawn"] else [*begun.deck],
        "set_aside": begun.set_aside,
        "shown_aside": [*begun.shown_aside],
        "out": [*lying["out"]],
        "protected": [*lying["protected"]],
        **({} if lying["bound"] is None else {"bound": lying["bound"]}),
        "marks": [{**mark} for mark in lying["marks"]],
        "tokens": [*begun.scores],
        "insane_tokens": [*begun.insane_scores],
        "turn": begun.starter,
    }
