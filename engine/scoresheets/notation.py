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

from engine.actions import ACTIONS, CARD, CARDS, FACE, HANDS, MEMBERS, NUMBER, SEAT, Action, Member, PlayCard
from engine.errors import MalformedNotation

_CARD: Final = r"[a-z][a-z_]*"
_PLAY: Final = re.compile(
    rf"(?P<card>{_CARD})(?:\.(?P<face>{_CARD}))?(?:>(?P<targets>[0-9]+(?:,[0-9]+)*))?(?::(?:(?P<guess>{_CARD})|(?P<number>[0-9]+)))?"
)
_VALUES: Final = {
    CARD: _CARD,
    CARDS: rf"(?:{_CARD}(?:,{_CARD})*)?",
    SEAT: "[0-9]+|none",
    NUMBER: "[0-9]+",
    FACE: _CARD,
    HANDS: rf"[0-9]+:{_CARD}(?:,[0-9]+:{_CARD})*|none",
}
"""By kind of member: how its value is written; a flag has two words of its own."""


def _answer_notation(name: str) -> re.Pattern[str]:
    """Returns the scoresheet notation of the answers of a type, as a pattern."""
    values = {one.name: f"(?P<{one.name}>{_VALUES.get(one.kind, '|'.join(one.words))})" for one in MEMBERS[name]}
    return re.compile(ACTIONS[name].notation.format(**values))


_ANSWERS: Final = {name: _answer_notation(name) for name in ACTIONS if name != PlayCard.type}
RESERVED: Final = frozenset(
    {
        "leaves",
        "clock",
        "none",
        *(ACTIONS[name].notation.partition(" ")[0] for name in _ANSWERS if " " in ACTIONS[name].notation),
        *(word for name in _ANSWERS for one in MEMBERS[name] for word in one.words if word),
    }
)
"""Words of the notation; no card may have one of them as its key."""
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
    """Returns an action in scoresheet notation, as one line."""
    if isinstance(action, PlayCard):
        return _print_play(action)
    written = {one.name: _print_action_member(one, getattr(action, one.field)) for one in MEMBERS[action.type]}
    return action.notation.format(**written)


def parse_action(text: str) -> Action:
    """Returns the action that a line of scoresheet notation stands for.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    for name, pattern in _ANSWERS.items():
        if found := pattern.fullmatch(text):
            answer: Action = ACTIONS[name](
                **{one.field: _parse_action_member(one, found[one.name]) for one in MEMBERS[name]}
            )
            return answer
    found = _PLAY.fullmatch(text)
    if found is None or found["card"] in RESERVED:
        raise MalformedNotation(f"not an action: {text!r}")
    targets = tuple(int(seat) for seat in found["targets"].split(",")) if found["targets"] else ()
    guess = int(found["number"]) if found["number"] else found["guess"]
    return PlayCard(found["card"], targets, guess, found["face"])


def print_deck(cards: Iterable[str]) -> str:
    """Returns a deck's cards in their order in scoresheet notation, as one line."""
    runs = [(card, len(list(run))) for card, run in groupby(cards)]
    return ",".join(card if count == 1 else f"{card}*{count}" for card, count in runs) or "none"


def parse_deck(text: str) -> tuple[str, ...]:
    """Returns the cards of a deck that a line of scoresheet notation lists.

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
    """Returns a position, as plain data, as one line of scoresheet notation; an empty one has no words."""
    return " ".join(f"{name} {_print_position_member(name, value)}" for name, value in position.items())


def parse_position(text: str) -> dict[str, Any]:
    """Returns the position that a line of scoresheet notation stands for, as plain data, not checked by the rules.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    words = text.split()
    names = words[::2]
    if len(words) % 2 or not {*names} <= {*_MEMBERS} or len({*names}) < len(names):
        raise MalformedNotation(f"not a position: {text!r}")
    return {name: _parse_position_member(name, value) for name, value in zip(names, words[1::2], strict=True)}


def _print_position_member(name: str, value: Any) -> str:
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


def _parse_position_member(name: str, text: str) -> Any:
    match _MEMBERS[name]:
        case "piles":
            return [] if text == "-" else [list(parse_deck(pile)) for pile in text.split("/")]
        case "cards":
            return list(parse_deck(text))
        case "numbers":
            return [] if text == "none" else [_parse_number(one) for one in text.split(",")]
        case "marks":
            return [] if text == "none" else [_parse_mark(one) for one in text.split(",")]
        case "card":
            return _parse_card(text)
    return _parse_number(text)


def _parse_number(text: str) -> int:
    if re.fullmatch("[0-9]{1,9}", text, re.ASCII) is None:
        raise MalformedNotation(f"not a number: {text!r}")
    return int(text)


def _parse_card(text: str) -> str:
    if re.fullmatch(_CARD, text) is None:
        raise MalformedNotation(f"not a card: {text!r}")
    return text


def _parse_mark(text: str) -> dict[str, Any]:
    found = _MARK.fullmatch(text)
    if found is None:
        raise MalformedNotation(f"not a mark: {text!r}")
    return {"card": found["card"], "seat": int(found["seat"]), "target": int(found["target"])}


def _print_play(play: PlayCard) -> str:
    face = "" if play.face is None else f".{play.face}"
    targets = ">" + ",".join(map(str, play.targets)) if play.targets else ""
    guess = "" if play.guess is None else f":{play.guess}"
    return f"{play.card}{face}{targets}{guess}"


def _print_action_member(one: Member, value: Any) -> str:
    match value:
        case None | ():
            return "" if one.kind == CARDS else "none"
        case bool():
            return one.words[value]
        case tuple():
            return ",".join(f"{item[0]}:{item[1]}" if one.kind == HANDS else str(item) for item in value)
    return str(value)


def _parse_action_member(one: Member, text: str) -> Any:
    if text in one.words and text:
        return text == one.words[1]
    if text in ("", "none"):
        return None if one.kind == SEAT else ()
    items = text.split(",")
    match one.kind:
        case "cards":
            return tuple(items)
        case "hands":
            pairs = [item.split(":") for item in items]
            return tuple((int(seat), card) for seat, card in pairs)
        case "seat" | "number":
            return int(text)
    return text
