"""The words in events that an edition knows: its cards, and the keys of what has happened; true logs hold no others."""

from collections.abc import Mapping
from typing import Any, Final

from engine.events import DecisionOpened, DecisionTaken, Event, RoundEnded, SeatDeclined, SeatLeft, TokenAwarded
from engine.rulebook import Rulebook
from service.invitations import REASONS

CARD_FIELDS: Final = frozenset({"card", "cards", "deck", "guess", "hands", "set_aside", "shown_aside", "target_cards"})
"""The fields of events whose strings are cards."""
_KINDS: Final = frozenset({"play_card", "keep_card", "redraw_hand", "peek_hand", "give_hands"})
_OF_ANY: Final[Mapping[str, frozenset[str]]] = {
    "source": frozenset({"deck", "set_aside"}),
    "face": frozenset({"sane", "insane"}),
}
_OF_TYPE: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    (DecisionOpened.type, "kind"): _KINDS,
    (DecisionTaken.type, "kind"): _KINDS,
    (RoundEnded.type, "reason"): frozenset({"last_seat", "showdown", "card"}),
    (SeatDeclined.type, "reason"): frozenset(REASONS),
    (SeatLeft.type, "reason"): frozenset({"resigned", "timed_out"}),
    (TokenAwarded.type, "kind"): frozenset({"favor", "sane", "insane"}),
}


def unknown_word(event: Event, book: Rulebook) -> str | None:
    """Returns the field of an event with a word that the edition does not know, or None."""
    cards = frozenset(book.cards)  # also the one that lies beside the deck
    for name in event.fields:
        known = cards if name in CARD_FIELDS else _OF_ANY.get(name) or _OF_TYPE.get((event.type, name))
        if isinstance(event, TokenAwarded) and name == "reason":
            known = cards | {"round"}
        if known is not None and not known.issuperset(_words(getattr(event, name))):
            return name
    return None


def _words(value: Any) -> list[Any]:
    """Returns the words of a field: it holds one or some, and null where there is none."""
    return [one for one in (value if isinstance(value, tuple | list) else (value,)) if one is not None]
