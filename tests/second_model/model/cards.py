"""The cards as the tests know them: one table, copied by hand from the rules, and no code of the project.

The second model plays by it, the oracle of the secrecy tests deals by it, and the decks of `verify.mjs` are held
against it. What may be done with the cards is elsewhere.
"""

from dataclasses import dataclass
from functools import cache

NOBODY = "nobody"
ONE_OTHER = "one other"
ONE_OF_ALL = "one, oneself included"
TWO_OF_ALL = "two, oneself included"
ONE_OR_TWO_OTHERS = "one or two others"

NOTHING = "nothing"
CHARACTERS_BUT_ITSELF = "any character but itself"
NUMBERS_BUT_ONE = "any number but 1"


@dataclass(frozen=True)
class Card:
    """A row of a table of the rules."""

    number: int
    copies: int
    """In the deck of the largest table."""
    chooses: str = NOBODY
    """Whom its only or its sane effect chooses."""
    names: str = NOTHING
    insanity: bool = False
    insane_chooses: str | None = None
    """Whom the insane effect chooses; None for a card with one effect."""
    small: int | None = None
    """How many there are up to four seats, where that is another deck."""


CARDS = {
    # The cards of standard and classic
    "standard": {
        "spy": Card(0, 2),
        "guard": Card(1, 6, ONE_OTHER, CHARACTERS_BUT_ITSELF),
        "priest": Card(2, 2, ONE_OTHER),
        "baron": Card(3, 2, ONE_OTHER),
        "handmaid": Card(4, 2),
        "prince": Card(5, 2, ONE_OF_ALL),
        "chancellor": Card(6, 2),
        "king": Card(7, 1, ONE_OTHER),
        "countess": Card(8, 1),
        "princess": Card(9, 1),
    },
    "classic": {
        "guard": Card(1, 5, ONE_OTHER, CHARACTERS_BUT_ITSELF),
        "priest": Card(2, 2, ONE_OTHER),
        "baron": Card(3, 2, ONE_OTHER),
        "handmaid": Card(4, 2),
        "prince": Card(5, 2, ONE_OF_ALL),
        "king": Card(7, 1, ONE_OTHER),
        "countess": Card(8, 1),
        "princess": Card(9, 1),
    },
    # The cards of premium: those with `small` are also in the deck for up to four seats.
    "premium": {
        "guard": Card(1, 8, ONE_OTHER, NUMBERS_BUT_ONE, small=5),
        "priest": Card(2, 2, ONE_OTHER, small=2),
        "baron": Card(3, 2, ONE_OTHER, small=2),
        "handmaid": Card(4, 2, small=2),
        "prince": Card(5, 2, ONE_OF_ALL, small=2),
        "king": Card(6, 1, ONE_OTHER, small=1),
        "countess": Card(7, 1, small=1),
        "princess": Card(8, 1, small=1),
        "jester": Card(0, 1, ONE_OTHER),
        "assassin": Card(0, 1),
        "cardinal": Card(2, 2, TWO_OF_ALL),
        "baroness": Card(3, 2, ONE_OR_TWO_OTHERS),
        "sycophant": Card(4, 2, ONE_OF_ALL),
        "count": Card(5, 2),
        "constable": Card(6, 1),
        "dowager_queen": Card(7, 1, ONE_OTHER),
        "bishop": Card(9, 1, ONE_OTHER, NUMBERS_BUT_ONE),
    },
    # The cards of lovecraft: the second of each pair is an insanity card, the Necronomicon is not one. The Braincase
    # lies beside the deck, and its insane column says "the same".
    "lovecraft": {
        "mi_go_braincase": Card(0, 0, insanity=True),
        "investigators": Card(1, 5, ONE_OTHER, NUMBERS_BUT_ONE),
        "deep_ones": Card(1, 1, ONE_OTHER, NUMBERS_BUT_ONE, insanity=True, insane_chooses=ONE_OTHER),
        "cats_of_ulthar": Card(2, 2, ONE_OTHER),
        "golden_mead": Card(2, 1, ONE_OTHER, insanity=True, insane_chooses=ONE_OTHER),
        "great_race_of_yith": Card(3, 2, ONE_OTHER),
        "hound_of_tindalos": Card(3, 1, ONE_OTHER, insanity=True, insane_chooses=ONE_OTHER),
        "elder_sign": Card(4, 2),
        "liber_ivonis": Card(4, 1, insanity=True, insane_chooses=NOBODY),
        "professor_henry_armitage": Card(5, 2, ONE_OF_ALL),
        "mi_go": Card(5, 1, ONE_OF_ALL, insanity=True, insane_chooses=ONE_OTHER),  # "take another seat's card"
        "randolph_carter": Card(6, 1, ONE_OTHER),
        # "the hands of all choosable others"
        "nyarlathotep": Card(6, 1, ONE_OTHER, insanity=True, insane_chooses=NOBODY),
        "silver_key": Card(7, 1),
        "shining_trapezohedron": Card(7, 1, insanity=True, insane_chooses=NOBODY),
        "necronomicon": Card(8, 1),
        "cthulhu": Card(8, 1, insanity=True, insane_chooses=NOBODY),
    },
}
"""Editions, in `docs/rules.md`."""

FACE_UP = {"standard": 3, "classic": 3, "premium": 3, "lovecraft": 5}
"""Editions: how many cards lie face up with two seats; with more there are none."""

TOKENS_TO_WIN = {
    "standard": {2: 6, 3: 5, 4: 4, 5: 3, 6: 3},
    "classic": {2: 6, 3: 5, 4: 4},
    "premium": {2: 7, 3: 5, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4},
}
"""Editions."""

SANE_TOKENS_TO_WIN = 2
INSANE_TOKENS_TO_WIN = 3
"""Editions, `lovecraft`: enough of one kind; the two do not add up."""

ROWS = {card: row for cards in CARDS.values() for card, row in cards.items()}
"""Any row of a card: whom it chooses is the same in all editions."""
INSANITY_CARDS = {card for card, row in ROWS.items() if row.insanity}
TWO_EFFECTS = {card for card, row in ROWS.items() if row.insane_chooses is not None}


@cache
def table_of(edition: str, seats: int) -> dict[str, tuple[int, int]]:
    """Returns the number and the copies of each card that a table of this size plays with."""
    cards = CARDS[edition]
    if edition == "premium" and seats < 5:
        return {card: (row.number, row.small) for card, row in cards.items() if row.small is not None}
    return {card: (row.number, row.copies) for card, row in cards.items()}


@cache
def cards_of(edition: str, seats: int) -> dict[str, int]:
    """Returns the number of each card that a table of this size plays with."""
    return {card: number for card, (number, _) in table_of(edition, seats).items()}


def deck_of(edition: str, seats: int) -> list[str]:
    """Returns the cards that a table of this size shuffles."""
    return [card for card, (_, copies) in table_of(edition, seats).items() for _ in range(copies)]


def chooses(card: str, face: str | None) -> str:
    """Returns whom a card chooses in one of its effects."""
    row = ROWS[card]
    return row.insane_chooses if face == "insane" and row.insane_chooses is not None else row.chooses


@cache
def may_be_named(edition: str, seats: int, card: str) -> set[str | int]:
    """Returns the characters or numbers that a card may name; nothing for the cards that name nothing."""
    names, cards = CARDS[edition][card].names, cards_of(edition, seats)
    if names == CHARACTERS_BUT_ITSELF:
        # The cards of standard and classic: however many of it are visible already.
        return set(cards) - {card}
    # The cards of premium: that a card of the table has. The insane Deep Ones name one as well.
    return set(cards.values()) - {1} if names == NUMBERS_BUT_ONE else set()
