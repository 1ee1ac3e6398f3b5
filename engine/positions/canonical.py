"""Converts a position to the canonical form that `game_created` stores."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.positions.checks import check_position, entrants_of, scored
from engine.positions.position import Position, complete, drawn_places, given_of, undealt
from engine.rulebook import Rulebook
from engine.state import GameState


def canonical(book: Rulebook, data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a sandbox's position in canonical form, as `game_created` keeps it: equal positions are equal there.

    Lists by seat have an item for each seat, and whose turn it is is said. None stands for what chance or the game so
    far decides, and for what is nothing.

    Raises:
        ImpossiblePosition: no game could begin with it.
    """
    given = given_of(data)
    if not given:
        return complete({})
    state = GameState.empty(book)
    position = check_position(state, given)
    entrants = entrants_of(scored(state, position))
    rest = undealt(book, position)
    places = drawn_places(book, position, entrants)
    if len({*rest}) < 2:  # nothing that is drawn could be another card
        position = _filled_position(position, dict(zip(places, rest, strict=False)), rest[len(places) :])
    elif len(rest) == len(places) and position.deck is None:
        position = position._replace(deck=())
    return {
        "hands": _listed_piles(position.hands) if any(position.hands) else None,
        "discards": _listed_piles(position.discards) if any(position.discards) else None,
        "deck": None if position.deck is None else [*position.deck],
        "set_aside": position.set_aside,
        "shown_aside": [*position.shown_aside] if position.shown_aside is not None and book.shown_aside else None,
        "out": [*position.out] or None,
        "protected": [*position.protected] or None,
        "bound": position.bound,
        "marks": [{"card": card, "seat": seat, "target": target} for card, seat, target in position.marks] or None,
        "tokens": None if position.tokens is None else [*position.tokens],
        "insane_tokens": [*position.insane_tokens] if position.insane_tokens and any(position.insane_tokens) else None,
        "turn": position.turn,
    }


def _filled_position(position: Position, drawn: Mapping[str, str], rest: Sequence[str]) -> Position:
    """Returns a sandbox's position in which the cards that chance draws lie where they come to lie."""
    shown = tuple([drawn[place] for place in drawn if place.startswith("shown")])
    hands = [(drawn[f"hand {i}"],) if f"hand {i}" in drawn else hand for i, hand in enumerate(position.hands)]
    return position._replace(
        hands=tuple(hands),
        deck=tuple(rest) if position.deck is None else position.deck,
        set_aside=drawn.get("set_aside", position.set_aside),
        shown_aside=shown if position.shown_aside is None else position.shown_aside,
    )


def _listed_piles(piles: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[*pile] for pile in piles]
