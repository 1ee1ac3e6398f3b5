"""One-line text for actions and decks: short enough for a bug report, exact enough to be read back.

Actions (a seat is its number, a card its key):

    spy                     play a card that chooses nobody
    guard>1:priest          choose seat 1 and name the Priest (or a number: `guard>1:5`)
    cardinal>1,2            choose two seats
    hound.insane>1          play a card by its second face
    keep princess/guard,spy keep one card, put the others under the deck, the last one undermost
    redraw                  discard the hand and draw; `stay` keeps it
    look 2                  look at a hand on offer; `look none` at none of them
    give 1:cats,2:hound     give each seat a card; `give none` when nobody is left to give to

Decks list cards from the top, repeated ones with a count: `guard*2,spy,princess`.

Positions are names and values, with the names of the HTTP interface; seats are divided by `/`:

    hands guard,prince/priest discards none/spy deck none set_aside princess out 2 marks jester:0>1 tokens 2,0 turn 0

What such a text means in a game is not known here; whole games are written in `scoresheet`.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final

from engine.actions import Action, GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import MalformedNotation

RESERVED: Final = frozenset({"keep", "redraw", "stay", "look", "give", "leaves", "clock", "none"})
"""Words of the notation; no card may have one of them as its key."""

_CARD: Final = r"[a-z][a-z_]*"
_PLAY: Final = re.compile(
    rf"(?P<card>{_CARD})(?:\.(?P<face>{_CARD}))?(?:>(?P<targets>[0-9]+(?:,[0-9]+)*))?(?::(?:(?P<guess>{_CARD})|(?P<number>[0-9]+)))?"
)
_KEEP: Final = re.compile(rf"keep (?P<keep>{_CARD})/(?P<bottom>{_CARD}(?:,{_CARD})*)?")
_LOOK: Final = re.compile(r"look (?:(?P<seat>[0-9]+)|none)")
_GIVE: Final = re.compile(rf"give (?:(?P<hands>[0-9]+:{_CARD}(?:,[0-9]+:{_CARD})*)|none)")
_RUN: Final = re.compile(rf"(?P<card>{_CARD})(?:\*(?P<count>[1-9][0-9]?))?")
_MARK: Final = re.compile(rf"(?P<card>{_CARD}):(?P<seat>[0-9])>(?P<target>[0-9])")
_MEMBERS: Final = {
    "hands": "piles",
    "discards": "piles",
    "deck": "cards",
    "set_aside": "card",
    "shown_aside": "cards",
    "out": "numbers",
    "protected": "numbers",
    "bound": "number",
    "marks": "marks",
    "tokens": "numbers",
    "insane_tokens": "numbers",
    "turn": "number",
}
"""The members of a position, and how each is written."""


def print_action(action: Action) -> str:
    """Returns an action as one line."""
    if isinstance(action, PlayCard):
        return _print_play(action)
    if isinstance(action, KeepCard):
        return f"keep {action.keep}/{','.join(action.bottom)}"
    if isinstance(action, RedrawHand):
        return "redraw" if action.redraw else "stay"
    if isinstance(action, PeekHand):
        return "look none" if action.seat is None else f"look {action.seat}"
    return "give " + (",".join(f"{seat}:{card}" for seat, card in action.hands) or "none")


def parse_action(text: str) -> Action:
    """Returns the action that a line stands for.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    if text in ("redraw", "stay"):
        return RedrawHand(text == "redraw")
    if found := _KEEP.fullmatch(text):
        return KeepCard(found["keep"], tuple(found["bottom"].split(",")) if found["bottom"] else ())
    if found := _LOOK.fullmatch(text):
        return PeekHand(int(found["seat"]) if found["seat"] else None)
    if found := _GIVE.fullmatch(text):
        pairs = [pair.split(":") for pair in found["hands"].split(",")] if found["hands"] else []
        return GiveHands(tuple((int(seat), card) for seat, card in pairs))
    found = _PLAY.fullmatch(text)
    if found is None or found["card"] in RESERVED:
        raise MalformedNotation(f"not an action: {text!r}")
    targets = tuple(int(seat) for seat in found["targets"].split(",")) if found["targets"] else ()
    guess = int(found["number"]) if found["number"] else found["guess"]
    return PlayCard(found["card"], targets, guess, found["face"])


def print_deck(cards: Iterable[str]) -> str:
    """Returns cards in their order as one line."""
    runs = [(card, len(list(run))) for card, run in groupby(cards)]
    return ",".join(card if count == 1 else f"{card}*{count}" for card, count in runs) or "none"


def parse_deck(text: str) -> tuple[str, ...]:
    """Returns the cards that a line lists.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    if text == "none":
        return ()
    cards: list[str] = []
    for run in text.split(","):
        found = _RUN.fullmatch(run)
        if found is None:
            raise MalformedNotation(f"not a deck: {text!r}")
        cards += [found["card"]] * int(found["count"] or 1)
    return tuple(cards)


def print_position(position: Mapping[str, Any]) -> str:
    """Returns a position, as plain data, as one line; an empty one has no words."""
    return " ".join(f"{name} {_print_member(name, value)}" for name, value in position.items())


def parse_position(text: str) -> dict[str, Any]:
    """Returns the position that a line stands for, as plain data; whether it can be is not known here.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    words = text.split()
    names = words[::2]
    if len(words) % 2 or not {*names} <= {*_MEMBERS} or len({*names}) < len(names):
        raise MalformedNotation(f"not a position: {text!r}")
    return {name: _parse_member(name, value) for name, value in zip(names, words[1::2], strict=True)}


def _print_member(name: str, value: Any) -> str:
    match _MEMBERS[name]:
        case "piles":
            return "/".join(map(print_deck, value)) or "-"
        case "cards":
            return print_deck(value)
        case "numbers":
            return ",".join(map(str, value)) or "none"
        case "marks":
            return ",".join(f"{one['card']}:{one['seat']}>{one['target']}" for one in value) or "none"
    return str(value)


def _parse_member(name: str, text: str) -> Any:
    match _MEMBERS[name]:
        case "piles":
            return [] if text == "-" else [list(parse_deck(pile)) for pile in text.split("/")]
        case "cards":
            return list(parse_deck(text))
        case "numbers":
            return [] if text == "none" else [_number(one) for one in text.split(",")]
        case "marks":
            return [] if text == "none" else [_mark(one) for one in text.split(",")]
        case "card":
            return _card(text)
    return _number(text)


def _number(text: str) -> int:
    if re.fullmatch("[0-9]{1,9}", text, re.ASCII) is None:
        raise MalformedNotation(f"not a number: {text!r}")
    return int(text)


def _card(text: str) -> str:
    if re.fullmatch(_CARD, text) is None:
        raise MalformedNotation(f"not a card: {text!r}")
    return text


def _mark(text: str) -> dict[str, Any]:
    found = _MARK.fullmatch(text)
    if found is None:
        raise MalformedNotation(f"not a mark: {text!r}")
    return {"card": found["card"], "seat": int(found["seat"]), "target": int(found["target"])}


def _print_play(play: PlayCard) -> str:
    face = "" if play.face is None else f".{play.face}"
    targets = ">" + ",".join(map(str, play.targets)) if play.targets else ""
    guess = "" if play.guess is None else f":{play.guess}"
    return f"{play.card}{face}{targets}{guess}"
