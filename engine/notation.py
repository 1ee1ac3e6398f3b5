"""One-line text for actions, as the dataset has them: short enough for a bug report, exact enough to be read back.

A seat is its number, a card its key:

    spy                     play a card that chooses nobody
    guard>1:priest          choose seat 1 and name the Priest (or a number: `guard>1:5`)
    cardinal>1,2            choose two seats
    hound.insane>1          play a card by its second face
    keep princess/guard,spy keep one card, put the others under the deck, the last one undermost
    redraw                  discard the hand and draw; `stay` keeps it
    look 2                  look at a hand on offer; `look none` at none of them
    give 1:cats,2:hound     give each seat a card; `give none` when nobody is left to give to
"""

import re
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
    """Returns the one-line notation of the answers of a type, as a pattern."""
    values = {one.name: f"(?P<{one.name}>{_VALUES.get(one.kind, '|'.join(one.words))})" for one in MEMBERS[name]}
    return re.compile(ACTIONS[name].notation.format(**values))


_ANSWERS: Final = {name: _answer_notation(name) for name in ACTIONS if name != PlayCard.type}
RESERVED: Final = frozenset(
    {
        "none",
        *(ACTIONS[name].notation.partition(" ")[0] for name in _ANSWERS if " " in ACTIONS[name].notation),
        *(word for name in _ANSWERS for one in MEMBERS[name] for word in one.words if word),
    }
)
"""Words of the notation; no card may have one of them as its key."""


def print_action(action: Action) -> str:
    """Returns an action in one-line notation, as a line."""
    if isinstance(action, PlayCard):
        return _print_play(action)
    written = {one.name: _print_action_member(one, getattr(action, one.field)) for one in MEMBERS[action.type]}
    return action.notation.format(**written)


def parse_action(text: str) -> Action:
    """Returns the action that a line of one-line notation stands for.

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
