"""Tracks who has seen which card in whose hand in a round; the caller checks that the hand still holds it."""

from collections.abc import Sequence
from typing import TypeAlias

from engine.events import CardPlayed, Event, HandsCompared, HandShown, HandsTraded
from engine.state import GameState

Sightings: TypeAlias = dict[tuple[int, int], str | None]
"""By who has seen and whose hand: the card, None where a viewer knows only that it was seen."""


def take_in(seen: Sightings, events: Sequence[Event]) -> None:
    """Notes in the expert's sightings what events show of hands."""
    for event in events:
        kind = type(event)
        if kind is HandShown:
            assert isinstance(event, HandShown)
            seen[event.to, event.seat] = event.cards[0]
        elif kind is HandsCompared:
            assert isinstance(event, HandsCompared)
            seen[event.seat, event.target] = event.target_cards[0]
            seen[event.target, event.seat] = event.cards[0]
        elif kind is HandsTraded:
            assert isinstance(event, HandsTraded)
            _trade(seen, event)


def _trade(seen: Sightings, trade: HandsTraded) -> None:
    """Lets the expert's sightings of others follow traded cards; the two know each other's."""
    there = {trade.seat: trade.target, trade.target: trade.seat}
    moved = {(viewer, there.get(seat, seat)): card for (viewer, seat), card in seen.items()}
    seen.clear()
    seen.update(moved)
    seen[trade.seat, trade.target] = trade.target_cards[0]
    seen[trade.target, trade.seat] = trade.cards[0]


def seen_in_round(events: Sequence[Event]) -> Sightings:
    """Returns the expert's sightings of a round, from its events as one seat saw them.

    A card that this seat has not seen itself counts as unknown once its owner has played a card.
    """
    seen: Sightings = {}
    for event in events:
        if isinstance(event, CardPlayed):
            for pair in [pair for pair, card in seen.items() if card is None and pair[1] == event.seat]:
                del seen[pair]
        take_in(seen, [event])
    return seen


def in_deal(seen: Sightings, deal: GameState) -> Sightings:
    """Returns the expert's sightings with the cards that a deal puts where they are unknown."""
    return {
        pair: deal.seats[pair[1]].hand[0] if card is None and deal.seats[pair[1]].hand else card
        for pair, card in seen.items()
    }
