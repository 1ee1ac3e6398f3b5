"""Tables of the lovecraft edition for tests: names for its long card keys, and hands written with them."""

from collections.abc import Mapping, Sequence

from engine.events import CardPlayed
from tests.engine.given import Situation, given

BRAINCASE = "mi_go_braincase"
INVESTIGATORS = "investigators"
DEEP_ONES = "deep_ones"
CATS = "cats_of_ulthar"
MEAD = "golden_mead"
YITH = "great_race_of_yith"
HOUND = "hound_of_tindalos"
SIGN = "elder_sign"
LIBER = "liber_ivonis"
ARMITAGE = "professor_henry_armitage"
MI_GO = "mi_go"
CARTER = "randolph_carter"
NYARLATHOTEP = "nyarlathotep"
KEY = "silver_key"
TRAPEZOHEDRON = "shining_trapezohedron"
NECRONOMICON = "necronomicon"
CTHULHU = "cthulhu"

Cards = str | Sequence[str]
"""One card, or several."""

HARMLESS = (SIGN, CATS, SIGN, CATS)
"""A deck from which anybody may draw or reveal without consequence."""


def lovecraft(
    *hands: Cards | None, deck: Cards = HARMLESS, discards: Mapping[int, Cards] | None = None, **situation
) -> Situation:
    """Returns a table at which seat 0 acts; with an insanity card in its discards it is insane."""
    return given(
        "lovecraft",
        hands=[None if cards is None else text(cards) for cards in hands],
        deck=text(deck),
        discards={seat: text(cards) for seat, cards in (discards or {}).items()},
        **{"set_aside": SIGN, **situation},
    )


def played(card, *targets, names=None, face=None):
    """Returns the event of a play by seat 0."""
    return CardPlayed(0, card, targets, None, names, face)


def text(cards: Cards) -> str:
    """Returns cards as one text, as `given` reads them and as a situation shows them."""
    return cards if isinstance(cards, str) else " ".join(cards)
