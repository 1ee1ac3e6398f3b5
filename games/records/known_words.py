"""Finds what an edition does not know in events: cards, keys of what happened, and seats. True logs contain none."""

from collections.abc import Mapping
from typing import Any, Final

from engine.actions import ACTIONS
from engine.events import (
    DecisionOpened,
    DecisionTaken,
    Event,
    GameCreated,
    RoundEnded,
    RoundStarted,
    SeatDeclined,
    SeatLeft,
    TokenAwarded,
)
from engine.rulebook import Rulebook
from games.tables.seats import DECLINE_REASONS

CARD_FIELDS: Final = frozenset({"card", "cards", "deck", "guess", "hands", "set_aside", "shown_aside", "target_cards"})
"""The fields of events whose strings are cards."""
SEAT_FIELDS: Final = frozenset(
    {"seat", "target", "to", "targets", "seats", "winners", "away", "left", "starter", "committed", "unrevealed"}
)
"""The fields of events that are seats, or lists of them; only in `game_created` is `seats` how many there are."""
_OF_ANY: Final[Mapping[str, frozenset[str]]] = {
    "source": frozenset({"deck", "set_aside"}),
    "face": frozenset({"sane", "insane"}),
}
_OF_TYPE: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    (DecisionOpened.type, "kind"): frozenset(ACTIONS),
    (DecisionTaken.type, "kind"): frozenset(ACTIONS),
    (RoundEnded.type, "reason"): frozenset({"last_seat", "showdown", "card"}),
    (RoundEnded.type, "decided_by"): frozenset(
        {"last_seat", "nobody_left", "highest_number", "discard_sum", "equal_numbers", "card"}
    ),
    (SeatDeclined.type, "reason"): frozenset(DECLINE_REASONS),
    (SeatLeft.type, "reason"): frozenset({"resigned", "timed_out"}),
    (TokenAwarded.type, "kind"): frozenset({"favor", "sane", "insane"}),
}


def unknown_word(event: Event, book: Rulebook) -> str | None:
    """Returns the field of a portable log's event with a word that the edition does not know, or None."""
    cards = frozenset(book.cards)  # also the one that lies beside the deck
    for name in event.fields:
        known = cards if name in CARD_FIELDS else _OF_ANY.get(name) or _OF_TYPE.get((event.type, name))
        if isinstance(event, TokenAwarded) and name == "reason":
            known = cards | {"round"}
        if known is not None and not known.issuperset(_words(getattr(event, name))):
            return name
    if isinstance(event, RoundEnded) and not cards.issuperset(
        _words([one[name] for one in event.standings for name in ("card", "changed_by")])
    ):
        return "standings"
    if isinstance(event, RoundStarted) and event.position is not None:
        piles = [*event.position["discards"], [mark["card"] for mark in event.position["marks"]]]
        return None if cards.issuperset(card for pile in piles for card in pile) else "position"
    return None


def unknown_seat(event: Event, book: Rulebook) -> bool:
    """Returns whether a portable log's event names a seat that the table does not have."""
    if isinstance(event, GameCreated):
        return False
    seats = [seat for name in event.fields if name in SEAT_FIELDS for seat in _words(getattr(event, name))]
    if isinstance(event, RoundEnded):
        seats += [one["seat"] for one in event.standings]
    return any(seat >= book.seats for seat in seats)


def _words(value: Any) -> list[Any]:
    """Returns the words of a field of a portable log: it holds one or some, and null where there is none."""
    return [one for one in (value if isinstance(value, tuple | list) else (value,)) if one is not None]
