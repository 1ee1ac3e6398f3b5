"""Reads the positions of moments: names and values, as in `docs/cards/`; seats are divided by `/`.

hands guard,prince/priest discards none/spy deck guard*2 set_aside princess out 2 marks jester:0>1 tokens 2,0 turn 0
"""

import re
from typing import Any

SCALARS = ("bound", "turn")
NUMBERS = ("out", "protected", "tokens", "insane_tokens")


def parse_position(text: str) -> dict[str, Any]:
    """Returns a position as the HTTP interface takes it, not checked by the rules."""
    words = text.split()
    return {name: _value(name, value) for name, value in zip(words[::2], words[1::2], strict=True)}


def _value(name: str, text: str) -> Any:
    if name in ("hands", "discards"):
        return [_cards(pile) for pile in text.split("/")]
    if name in ("deck", "shown_aside"):
        return _cards(text)
    if name in NUMBERS:
        return [int(one) for one in _items(text)]
    if name == "marks":
        return [_mark(one) for one in _items(text)]
    return int(text) if name in SCALARS else text


def _items(text: str) -> list[str]:
    return [] if text == "none" else text.split(",")


def _cards(text: str) -> list[str]:
    """Returns a pile of cards, the top first; a repeated card has a count."""
    runs = [one.partition("*") for one in _items(text)]
    return [card for card, _, count in runs for _ in range(int(count or 1))]


def _mark(text: str) -> dict[str, Any]:
    card, seat, target = re.split("[:>]", text)
    return {"card": card, "seat": int(seat), "target": int(target)}
