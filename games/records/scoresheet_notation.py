"""One line of a scoresheet: what caused a step, and the values of the head; whole sheets are for `scoresheets`.

    open 0 join p0 nonce 5f...; 1 invite p1    the table is opened
    1 join p1                                  with `nonce` and the digest of one's contribution, if there is any
    1 join p1 hash 5f...                       with the hash of a nonce to be revealed
    1 reveals "a nonce"                        a player reveals their nonce
    start without nonces                       the time to reveal nonces is up
    1 invite p2, 1 withdraw p2                 an invitation is made, or taken back
    1 decline p2 later                         it is declined, for a reason
    1 guard>2:priest                           a seat acts, as in `engine.scoresheets.notation`
    1 spy by expert 3 200ms 14 looks           by a bot of the service: its name and version, how it found the action
    1 spy clock by cautious 1                  a seat's time is up, and this is done for it
    1 leaves, 1 leaves clock                   a player gets up or resigns; a seat leaves because its time is up
    1 comes back                               a player takes their seat back
    again 1 guard>2:priest                     a fork: the same move as in the game that it goes on from
    again 1 look none leaves resigned          so left a seat there, with what was answered for it if anything was asked
    abort                                      the game is called off
    expire                                     the service ends a game that nobody has touched
    restore                                    the service ends a game that a restored backup holds unfinished

A word that is not made of letters, digits, `_`, `.` and `-` alone, or that could be taken for something else, is
written as a string of JSON.
"""

import json
import re
from typing import Any, Final

from engine.errors import MalformedNotation
from engine.scoresheets.notation import parse_action, parse_deck, print_action, print_deck
from engine.scoresheets.scoresheet import Move, print_move
from games.causes import (
    Abort,
    Act,
    Cause,
    ComeBack,
    Decline,
    EndReveal,
    Expire,
    Invite,
    Join,
    Leave,
    Open,
    Remove,
    Repeat,
    Restore,
    Reveal,
    Thought,
    TimeOut,
    Withdraw,
)

_TEXT: Final = r'"(?:[^"\\]|\\.)*"'
_OPEN_TEXT: Final = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
"""A text, or all of a line after one begins that has no end: looking for one again from each `"` in it would take the
square of the line's length."""
_BARE: Final = r"[A-Za-z0-9_.-]+"
_WORD: Final = rf"(?:{_BARE}|{_TEXT})"
_NUMBER: Final = r"[0-9]{1,16}"
_FIXED: Final = {"none": None, "yes": True, "no": False}
_PARTS: Final = re.compile(rf"{_OPEN_TEXT}|[^\s;\"]+|;")
_SPACES: Final = re.compile(rf"({_OPEN_TEXT})|\s+")
_THOUGHT: Final = rf" by (?P<bot>{_WORD}) (?P<version>{_NUMBER})(?: (?P<think>{_NUMBER})ms (?P<looks>{_NUMBER}) looks)?"
_ACT: Final = re.compile(rf"(?P<seat>{_NUMBER}) (?P<action>[^\"]+?)(?P<clock> clock)?(?:{_THOUGHT})?")
_AGAIN: Final = re.compile(
    rf"again (?P<seat>{_NUMBER})(?: (?P<action>(?!leaves )[^\"]+?))?(?: leaves (?P<leaves>resigned|timed_out))?"
)
_MADE: Final = re.compile(
    rf"(?P<seat>{_NUMBER}) (?P<verb>join|invite|withdraw|decline|remove) (?P<player>{_WORD})"
    rf"(?: (?P<given>nonce|hash) (?P<digest>[0-9a-f]+)| (?P<reason>{_WORD}))?"
)
_END_REVEAL: Final = "start without nonces"
_FIXED_CAUSES: Final[dict[str, Cause]] = {
    "abort": Abort(),
    "expire": Expire(),
    "restore": Restore(),
    _END_REVEAL: EndReveal(),
}
_DECKS: Final = frozenset({"order"})
"""The members of objects in the head that are lists of cards."""


# --- causes ---


def print_cause(cause: Cause) -> str:
    """Returns a cause as one line of a log's scoresheet."""
    match cause:
        case Open(joining, inviting):
            lines = [*map(print_cause, joining), *map(print_cause, inviting)]
            return f"open {'; '.join(lines)}".rstrip()
        case Join(seat, player, nonce, nonce_hash):
            given = f" hash {nonce_hash}" if nonce_hash else f" nonce {nonce}" if nonce else ""
            return f"{seat} join {_word(player)}{given}"
        case Reveal(seat, nonce):
            return f"{seat} reveals {_word(nonce)}"
        case EndReveal():
            return _END_REVEAL
        case Invite(seat, player):
            return f"{seat} invite {_word(player)}"
        case Withdraw(seat, player):
            return f"{seat} withdraw {_word(player)}"
        case Remove(seat, player):
            return f"{seat} remove {_word(player)}"
        case Decline(seat, player, reason):
            return f"{seat} decline {_word(player)} {_word(reason)}"
        case Leave(seat):
            return f"{seat} leaves"
        case TimeOut(seat, None):
            return f"{seat} leaves clock"
        case Act(seat, action, thought):
            return f"{seat} {print_action(action)}{_by(thought)}"
        case TimeOut(seat, action, thought):
            assert action is not None, "a seat without an action leaves, which is above"
            return f"{seat} {print_action(action)} clock{_by(thought)}"
        case ComeBack(seat):
            return f"{seat} comes back"
        case Repeat(seat, action, leaves):
            return f"again {print_move(Move(seat, action, leaves=leaves))}"
        case Abort():
            return "abort"
        case Expire():
            return "expire"
        case Restore():
            return "restore"


def parse_cause(line: str) -> Cause:
    """Returns the cause that a line of a log's scoresheet stands for, in which parts are one space apart.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    if line in _FIXED_CAUSES:
        return _FIXED_CAUSES[line]
    if line == "open" or line.startswith("open "):
        return _opening(line.removeprefix("open").strip())
    if found := re.fullmatch(rf"({_NUMBER}) (leaves|leaves clock|comes back)", line):
        kind: Any = {"leaves": Leave, "leaves clock": TimeOut, "comes back": ComeBack}[found[2]]
        made: Cause = kind(int(found[1]))
        return made
    if found := re.fullmatch(rf"({_NUMBER}) reveals ({_WORD})", line):
        return Reveal(int(found[1]), _text(found[2]))
    if found := _AGAIN.fullmatch(line):
        repeated = parse_action(found["action"]) if found["action"] else None
        return Repeat(int(found["seat"]), repeated, found["leaves"])
    if found := _MADE.fullmatch(line):
        return _seating(found)
    if found := _ACT.fullmatch(line):
        action = parse_action(found["action"])
        done: Any = TimeOut if found["clock"] else Act
        acted: Cause = done(int(found["seat"]), action, _thought(found))
        return acted
    raise MalformedNotation(f"not what causes a step: {line!r}")


def _opening(line: str) -> Open:
    parts: list[list[str]] = [[]]
    for part in _PARTS.findall(line):
        if part == ";":
            parts.append([])
        else:
            parts[-1].append(part)
    made = [parse_cause(" ".join(part)) for part in parts] if line else []
    joining = tuple([one for one in made if isinstance(one, Join)])
    inviting = tuple([one for one in made if isinstance(one, Invite)])
    if len(joining) + len(inviting) < len(made):
        raise MalformedNotation(f"not how a table is opened: {line!r}")
    return Open(joining, inviting)


def _seating(found: "re.Match[str]") -> Cause:
    seat, player = int(found["seat"]), _text(found["player"])
    match found["verb"], found["given"], found["reason"]:
        case "join", "hash", None:
            return Join(seat, player, "", found["digest"])
        case "join", _, None:
            return Join(seat, player, found["digest"] or "")
        case "invite", None, None:
            return Invite(seat, player)
        case "withdraw", None, None:
            return Withdraw(seat, player)
        case "remove", None, None:
            return Remove(seat, player)
        case "decline", None, str(reason):
            return Decline(seat, player, _text(reason))
    raise MalformedNotation(f"not how seats are taken: {found[0]!r}")


def _by(thought: Thought | None) -> str:
    if thought is None:
        return ""
    how = f" {thought.think_ms}ms {thought.looks} looks" if thought.think_ms or thought.looks else ""
    return f" by {_word(thought.bot)} {thought.version}{how}"


def _thought(found: "re.Match[str]") -> Thought | None:
    if found["bot"] is None:
        return None
    return Thought(_text(found["bot"]), int(found["version"]), int(found["think"] or 0), int(found["looks"] or 0))


# --- values of the head ---


def print_value(value: Any) -> str:
    """Returns a value of a scoresheet's head: a word, number, `yes`, `no`, `none`, or an object's names and values."""
    if value is None or isinstance(value, bool):
        return next(word for word, known in _FIXED.items() if known is value)
    if isinstance(value, dict):
        return " ".join(
            f"{_word(name)} {print_deck(one) if name in _DECKS else print_value(one)}" for name, one in value.items()
        )
    return str(value) if isinstance(value, int) else _word(value)


def parse_value(line: str) -> Any:
    """Returns the value that a line of a scoresheet's head stands for; no word is {}, several are an object's members.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    parts = _PARTS.findall(line)
    if len(parts) == 1:
        return _value(parts[0])
    if len(parts) % 2:
        raise MalformedNotation(f"not names and values: {line!r}")
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {_text(name): list(parse_deck(one)) if _text(name) in _DECKS else _value(one) for name, one in pairs}


def single_spaced(line: str) -> str:
    """Returns a line of a log's scoresheet in which parts are one space apart."""
    return _SPACES.sub(lambda found: found[1] or " ", line).strip()


def _value(part: str) -> Any:
    if part in _FIXED:
        return _FIXED[part]
    return int(part) if re.fullmatch(_NUMBER, part) else _text(part)


def _word(text: str) -> str:
    plain = re.fullmatch(_BARE, text) is not None and text not in _FIXED and re.fullmatch("[0-9]+", text) is None
    # Of the characters that a terminal acts on, JSON lets one through.
    return text if plain else json.dumps(text).replace("\x7f", r"\u007f")


def _text(part: str) -> str:
    """Returns the text that a part of a line on a log's scoresheet stands for."""
    if not part.startswith('"'):
        if re.fullmatch(_BARE, part) is None:
            raise MalformedNotation(f"not a word: {part!r}")
        return part
    try:
        text: str = json.loads(part, strict=False)
        text.encode()
    except ValueError:
        raise MalformedNotation(f"not a string of JSON: {part!r}") from None
    return text
