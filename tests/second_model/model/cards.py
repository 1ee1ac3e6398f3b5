"""The cards as the tests know them: the tables of `docs/rules.md`, which people write and the engine never reads.

The second model plays by them, the oracle of the secrecy tests deals by them, and the decks of the engine and of
`verify.mjs` are held against them. What may be done with the cards is elsewhere.
"""

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


@dataclass(frozen=True)
class Card:
    """A row of a table of the rules."""

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


RULES = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")


def cards_in(section: str, copies: str, small: str | None = None) -> dict[str, Card]:
    """Returns the rows of a table of the rules that have copies in a column, and in `small` those of a smaller deck."""
    lines = RULES.split(f"\n## {section}\n")[1].split("\n## ")[0].splitlines()
    head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    found = {}
    for cells in rows:
        row = dict(zip(head, cells, strict=True))
        if row[copies]:
            found[row["card"].strip("`")] = Card(
                number=int(row["number"]),
                copies=int(row[copies]),
                chooses=row["chooses"] or NOBODY,
                names=row["names"],
                insanity=bool(row.get("insane")),
                insane_chooses=row.get("insane chooses") or None,
                small=int(row[small]) if small and row[small] else None,
            )
    return found


CARDS = {
    "standard": cards_in("The cards of standard and classic", "standard"),
    "classic": cards_in("The cards of standard and classic", "classic"),
    "premium": cards_in("The cards of premium", "5 to 8 seats", "2 to 4 seats"),
    "lovecraft": cards_in("The cards of lovecraft", "copies"),
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
