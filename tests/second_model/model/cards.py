"""The cards as the tests know them: the files of `docs/cards/`, which people write and the engine never reads.

The second model plays by them, the oracle of the secrecy tests deals by them, and the decks of the engine and of
`verify.mjs` are held against them. What may be done with the cards is elsewhere.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NOBODY = "nobody"
ONE_OTHER = "another"
ONE_OF_ALL = "any"
TWO_OF_ALL = "any two"
ONE_OR_TWO_OTHERS = "one or two others"

CHARACTERS_BUT_ITSELF = "a character"
NUMBERS_BUT_ONE = "a number"

CHOOSES = (NOBODY, ONE_OTHER, ONE_OF_ALL, TWO_OF_ALL, ONE_OR_TWO_OTHERS)
VALUES = {
    "number": range(10),
    "copies": range(10),
    "small_deck": range(10),
    "chooses": CHOOSES,
    "names": (CHARACTERS_BUT_ITSELF, NUMBERS_BUT_ONE),
    "insanity": (True,),
    "insane_chooses": CHOOSES,
}
"""What may be written of a card beside its sentences, by name."""
SENTENCES = ("does", "insane_does")
NEEDED = {"number", "copies", "does"}


@dataclass(frozen=True)
class Card:
    """A card of an edition, by the rules."""

    number: int
    copies: int
    """In the deck of the largest table."""
    chooses: str
    """Whom its only or its sane effect chooses."""
    names: str
    insanity: bool
    insane_chooses: str | None
    """Whom the insane effect chooses; None for a card with one effect."""
    small: int | None
    """In the smaller deck of `premium`; None for a card that is not in it."""


FILES = Path(__file__).parents[3] / "docs" / "cards"


def cards_in(file: str) -> dict[str, Card]:
    """Returns the cards of a file; what one leaves out, it has from the file that this one is like."""
    source = tomllib.loads((FILES / f"{file}.toml").read_text(encoding="utf-8"))
    like = tomllib.loads((FILES / f"{source['like']}.toml").read_text(encoding="utf-8")) if "like" in source else {}
    found = {}
    for card in (name for name, about in source.items() if isinstance(about, dict)):
        row = {
            name: value for name, value in (like.get(card, {}) | source[card]).items() if not isinstance(value, dict)
        }
        wrong = [name for name, value in row.items() if name not in SENTENCES and value not in VALUES.get(name, ())]
        assert not wrong, f"{file}.toml: {card} has {wrong}, of which nobody knows what it means"
        assert row.keys() >= NEEDED, f"{file}.toml: {card} has no {NEEDED - row.keys()}"
        found[card] = Card(
            number=row["number"],
            copies=row["copies"],
            chooses=row.get("chooses", NOBODY),
            names=row.get("names", ""),
            insanity=row.get("insanity", False),
            insane_chooses=row.get("insane_chooses"),
            small=row.get("small_deck"),
        )
    return found


CARDS = {
    "standard": cards_in("standard"),
    "classic": cards_in("classic"),
    "premium": cards_in("premium"),
    "lovecraft": cards_in("lovecraft"),
}
"""By edition, by the key of the card."""

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
"""Any of the cards of a key: whom it chooses is the same in all editions."""
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
