"""Lets the player at the terminal choose among legal actions, however many."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from billet import reference
from billet.demo.names import TableNames
from games.texts.catalogue import Catalogue

LONG = 15
"""How many actions to list at once; more are grouped."""

Legal: TypeAlias = list[dict[str, Any]]
Chooser: TypeAlias = Callable[[Legal, TableNames], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Offer:
    """A line to choose: one action, or a group with a common beginning."""

    text: str
    actions: Legal


def take_any(legal: Legal, names: TableNames) -> dict[str, Any]:
    """Returns any legal action, for `billet demo --auto`."""
    return random.choice(legal)


def ask(legal: Legal, names: TableNames) -> dict[str, Any] | None:
    """Asks the demo's player at the terminal for a legal action and returns it; None when they want to leave."""
    some = legal
    while True:
        offered = offers(some, names)
        _print_offers(offered, names, narrowed=some is not legal)
        typed = _read_choice(offered, names)
        if typed is None:
            return None
        if isinstance(typed, str):
            some = _search_offers(typed, some, legal, names)
        elif len(offered[typed].actions) == 1:
            return offered[typed].actions[0]
        else:
            some = offered[typed].actions


def offers(some: Legal, names: TableNames) -> list[Offer]:
    """Returns the lines of the demo to choose from: every action, or groups if there are many."""
    parts = [_parts(choice["action"]) for choice in some]
    if len(some) <= LONG or not all(parts):
        return [Offer(choice["text"], [choice]) for choice in some]
    # Ask for the first part in which they differ; the parts before it are the same in all.
    depth = next((i for i, column in enumerate(zip(*parts, strict=False)) if len(set(column)) > 1), 0)
    groups: dict[object, Legal] = {}
    for choice, part in zip(some, parts, strict=True):
        groups.setdefault(part[depth], []).append(choice)
    return [
        Offer(group[0]["text"] if len(group) == 1 else _summary(group, depth, names), group)
        for group in groups.values()
    ]


def _parts(action: dict[str, Any]) -> tuple[object, ...]:
    """Returns the parts of an action that the demo asks for one after another; empty for one chosen at once."""
    if action["type"] == "play_card":
        guess = action.get("guess", action.get("guess_value"))
        targets = tuple(action["targets"])
        return (action["card"], action.get("face")), targets[:1], targets, guess
    return tuple((hand["seat"], hand["card"]) for hand in action.get("hands", ()))


def _summary(group: Legal, depth: int, names: TableNames) -> str:
    """Returns a line of the demo for actions whose parts are the same up to that `depth`."""
    words, action = names.words, group[0]["action"]
    if "hands" in action:
        given = [
            words.text("choice.gift", who=names.who(hand["seat"]), card=names.card(hand["card"]))
            for hand in action["hands"][: depth + 1]
        ]
        return words.text("choice.group", what="; ".join(given), count=len(group))
    what = names.card(action["card"])
    if action.get("face") is not None:
        what = words.text(f"face.{action['face']}.played", card=what)
    if targets := action["targets"][:depth]:
        what = words.text("choice.on", card=what, targets=names.all(targets))
    return words.text("choice.group", what=what, count=len(group))


def _print_offers(offered: list[Offer], names: TableNames, *, narrowed: bool) -> None:
    for number, offer in enumerate(offered, 1):
        print(f"  {number:>2}. {offer.text}")
    if narrowed:
        print(f"      {names.words.text('choice.narrowed')}")


def _read_choice(offered: list[Offer], names: TableNames) -> int | str | None:
    """Reads a line of the demo's player and returns the index of an offer, or text to search for; None to leave."""
    words = names.words
    prompt = words.text("choice.prompt.one" if len(offered) == 1 else "choice.prompt", last=len(offered)) + " "
    while True:
        try:
            typed = input(prompt).strip()
        except EOFError:
            print()
            return None
        if typed.casefold() in ("q", "quit"):
            if _confirm_resignation(words):
                return None
            continue
        if typed.startswith("?"):
            _explain(typed[1:].strip(), names)
        elif not (typed.isascii() and typed.isdigit()):
            return typed
        elif 1 <= int(typed) <= len(offered):
            return int(typed) - 1
        else:
            print(f"  {words.text('choice.no_such_number', typed=typed)}")


def _confirm_resignation(words: Catalogue) -> bool:
    """Asks the demo's player whether to resign; no answer means no, and the end of the input means yes."""
    try:
        return input(words.text("choice.resign") + " ").strip().casefold() in words.text("choice.yes").split()
    except EOFError:
        print()
        return True


def _explain(name: str, names: TableNames) -> None:
    """Prints the reference card for the demo's player, or the full texts of the cards of that name."""
    lines = reference.card_lines(names.edition, name, names.words) if name else []
    for line in lines or reference.lines(names.edition, names.words, seats=names.table["seats"]):
        print(f"  {line}".rstrip())


def _search_offers(typed: str, some: Legal, legal: Legal, names: TableNames) -> Legal:
    """Returns the demo's offers whose text contains all words of `typed`, also outside `some`; all for no words."""
    if not typed and some is legal:
        print(f"  {names.words.text('choice.by_number')}")
    wanted = typed.casefold().split()
    for among in (some, legal) if wanted else (legal,):
        found = [choice for choice in among if all(word in choice["text"].casefold() for word in wanted)]
        if found:
            return legal if len(found) == len(legal) else found
    print(f"  {names.words.text('choice.not_found', typed=typed)}")
    return some
