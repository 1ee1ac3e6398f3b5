"""Makes the tables of cards in `docs/rules.md` from `docs/cards/`, which people write and the engine never reads."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tools.docs.markdown import table

CARDS: Final = Path(__file__).parents[2] / "docs" / "cards"
CHOICES: Final = {"chooses": "chooses", "names": "names"}
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "standard": {"standard": "copies", "classic": "classic", **CHOICES, "what it does here": "does"},
    "premium": {"2 to 4 seats": "small_deck", "5 to 8 seats": "copies", **CHOICES, "what it does here": "does"},
    "lovecraft": {
        "copies": "copies",
        **CHOICES,
        "sane": "does",
        "insane chooses": "insane_chooses",
        "insane": "insane_does",
    },
}
"""The further columns of an edition's table: the heading, and the member of a card."""


def file_of(edition: str) -> dict[str, Any]:
    """Returns the file about the cards of an edition and their moments; empty if there is none."""
    path = CARDS / f"{edition}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def cards_table(edition: str) -> str:
    """Returns the table of an edition's cards; that of `standard` has the copies in `classic`, too."""
    columns = {"number": "number"} | COLUMNS[edition]
    rows, classic = [], file_of("classic")
    for card, about in file_of(edition).items():
        if isinstance(about, dict):
            about["classic"] = classic.get(card, {}).get("copies", "")
            rows.append([f"`{card}`", *[str(about.get(name, "")) for name in columns.values()]])
    return table(["card", *columns], rows)
