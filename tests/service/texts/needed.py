"""Which entries every catalogue must have, read off the code that asks for them and the things that have words.

A call `words.text("a.b")` needs that entry; `words.text(f"card.{card}.name")` needs one for each thing that `PATTERNS`
names for `card.*.name`. Keys that reach `text` another way are listed by a function in `FURTHER`.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

from api.kinds import reasons
from engine import errors
from engine.editions import EDITIONS

ROOT = Path(__file__).parents[3]
PACKAGES = ("service", "api", "workers", "billet")


def cards_of(edition):
    """Returns the keys of all cards of an edition, whatever the table."""
    return list(dict.fromkeys(card.key for seats in edition.seats for card in edition.cards_for(seats)))


def all_cards():
    return list(dict.fromkeys(card for edition in EDITIONS.values() for card in cards_of(edition)))


def told_cards():
    return [
        f"{edition.id}.{card}"
        for edition in EDITIONS.values()
        if edition.id == "standard"
        for card in cards_of(edition)
    ]


def engine_reasons():
    """Returns the reasons of the engine but for those that name a card."""
    named = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)}
    return sorted(named - {errors.MUST_PLAY})


def all_reasons():
    documented = {reason for _, reason, _ in reasons() if not reason.startswith(errors.MUST_PLAY)}
    return sorted(documented | set(engine_reasons()))


PATTERNS: dict[str, Callable[[], list[str]]] = {
    "edition.*.title": lambda: list(EDITIONS),
    "card.*.name": all_cards,
    "card.*.object": all_cards,
    "card.*.text": told_cards,
    "card.*.short": told_cards,
    "face.*.played": lambda: ["sane", "insane"],
    "reason.*": all_reasons,
}
"""By the key with a star for what is filled in: what it is filled with."""

FURTHER: list[Callable[[], list[str]]] = []
"""What returns the keys that no call of `text` shows."""


def needed_keys() -> set[str]:
    """Returns the keys of all entries that are needed, and needed only."""
    keys = {key for further in FURTHER for key in further()}
    for key in set(keys_in_code()):
        keys |= {key.replace("*", filling) for filling in PATTERNS[key]()} if "*" in key else {key}
    return keys


def keys_in_code() -> Iterator[str]:
    """Yields the keys that the code asks for, with one star for all that is filled in."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "text":
                    yield from _keys(node.args[0])


def _keys(node: ast.expr) -> Iterator[str]:
    """Yields the keys that an argument may be; each must be written where it is used."""
    if isinstance(node, ast.IfExp):
        yield from _keys(node.body)
        yield from _keys(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "*" for part in node.values]
        yield "".join(parts).replace("*.*", "*")
    else:
        assert isinstance(node, ast.Constant), f"not a key: {ast.unparse(node)}"
        yield node.value
