"""Writes a portable log as a scoresheet, a text for people, and reads a scoresheet back into the same log.

A sheet holds what cannot be derived: the table, the secret, and each step's time and cause. The rest, such as decks and
winners, is there for the reader; a sheet where it does not match is refused. `scoresheet_notation` defines the lines of
causes, and `docs/scoresheets.md` describes the format.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from typing import Any, Final

import orjson

from engine.errors import IllegalAction, MalformedNotation, UnknownEdition
from engine.events import (
    CardDrawn,
    Event,
    GameAborted,
    GameCreated,
    GameFinished,
    KnockedOut,
    RoundEnded,
    RoundStarted,
    TokenAwarded,
    TurnStarted,
)
from engine.logs import codec
from engine.positions import complete, given_of, position_of
from engine.rules import RULES_VERSION
from engine.scoresheets.notation import parse_position, print_deck, print_position
from engine.scoresheets.replay import dealt_order
from engine.shuffle import commitment
from games.causes import Cause, Open, read_cause, store_cause
from games.messages import Message
from games.records.admissible import objection
from games.records.portable import PortableLog, Unreadable, canonical, digest_of, portable
from games.records.schema import read_fault
from games.records.scoresheet_notation import parse_cause, parse_value, print_cause, print_value, single_spaced
from games.records.verdicts import sentence
from games.records.verification import UNFIT, verify
from games.snapshot import Entry, Snapshot, first_snapshot
from games.steps import events_of
from games.times import ms_of, text_of

FIRST_LINE: Final = "billet scoresheet 1"
DERIVED: Final = frozenset({"commitment"})
"""What `game_created` says and a sheet does not."""
_TABLE: Final = tuple(one.name for one in fields(GameCreated) if one.name not in DERIVED)
_LISTS: Final = frozenset({"sandbox_rounds", "sandbox_positions"})
"""The fields of `game_created` that have a line for each of their items."""
_STEP: Final = re.compile(
    r"(?:[0-9]+\. )?\+(?P<seconds>[0-9]{1,12})\.(?P<ms>[0-9]{3}) (?P<cause>.+?)(?: \([^()\"]*\))?"
)
LONGEST_LINE: Final = 10_000
"""In characters; a valid one has a tenth of it."""
_READ_ONLY: Final = re.compile(r"(?:round|deck|position|won|game) .+")
_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "secret": str,
    "begins": str,
    "sandbox_positions": lambda line: complete(parse_position(line)),
}
"""What reads a line of the head, by its name, where it is no value."""


class Unwritable(ValueError):
    """A log cannot be written as a scoresheet."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.key)
        self.why = Message("log.sheet_unwritable", {"why": why})


# --- writing ---


def print_sheet(log: PortableLog) -> str:
    """Returns the scoresheet of a portable log, from which `parse_sheet` makes the same log.

    Raises:
        Unwritable: the log is not valid here, or follows other rules.
    """
    verdict = verify(log)
    if not verdict.valid:
        raise Unwritable(verdict.unchecked[0].why if verdict.divergence is None else sentence(verdict))
    text = "".join(f"{line}\n" for line in _lines(log))
    if canonical(_read(text)) != canonical(log):
        raise Unwritable(Message("log.sheet_not_the_same"))
    return text


def _lines(log: PortableLog) -> Iterator[str]:
    """Yields the lines of a portable log's scoresheet."""
    events = log["events"]
    data = events[0]["data"]
    yield FIRST_LINE
    yield f"package {print_value(log['package_version'])}"
    yield f"rules {print_value(log['rules_version'])}"
    for name in _TABLE:
        for value in data[name] if name in _LISTS else [data[name]]:
            written = print_position(given_of(value)) if name == "sandbox_positions" else print_value(value)
            yield f"{name} {written}".rstrip()
    yield f"secret {log['secret']}"
    yield f"begins {events[0]['at']}"
    yield ""
    begins = [i for i, event in enumerate(events) if event["cause"] is not None]
    writer = _SheetWriter(events[0]["at"], data["seats"])
    for begin, end in zip(begins, [*begins[1:], len(events)], strict=True):
        yield from writer.step(events[begin:end])


@dataclass(slots=True)
class _SheetWriter:
    """Writes down the steps of a game, one after the other."""

    at: str
    seats: int
    turn: int = 0
    shown: int = 0
    """The last turn whose number has been written."""
    tokens: Counter[int] = field(default_factory=Counter)

    def step(self, stored: Sequence[Any]) -> Iterator[str]:
        """Yields a log's step on its scoresheet: time, cause and what came of it, then what ends and begins with it."""
        events = [codec.read_event(one) for one in stored]
        waited = ms_of(stored[0]["at"]) - ms_of(self.at)
        self.at = stored[0]["at"]
        number = f"{self.turn}." if self.turn > self.shown else ""
        self.shown = self.turn
        came = "; ".join(note for event in events if (note := _note(event)))
        time = f"+{waited // 1000}.{waited % 1000:03d}"
        yield f"{number:>4} {time:>9}  {print_cause(read_cause(stored[0]['cause']))}{f'  ({came})' if came else ''}"
        self.tokens.update(event.seat for event in events if isinstance(event, TokenAwarded))
        for event in events:
            yield from self._landmark(event)

    def _landmark(self, event: Event) -> Iterator[str]:
        match event:
            case TurnStarted():
                self.turn += 1
            case RoundEnded(winners=winners, reason=reason):
                tokens = ",".join(str(self.tokens[seat]) for seat in range(self.seats))
                yield f"won {_seat_list(winners)} {reason} tokens {tokens}"
            case RoundStarted(number, starter, seats):
                self.turn = self.shown = 0
                yield ""
                dealt_in = f" seats {_seat_list(seats)}" if len(seats) < self.seats else ""
                yield f"round {number} starter {starter}{dealt_in}"
                yield _dealt(event)
            case GameFinished(winners):
                yield ""
                yield f"game {_seat_list(winners)}"
            case GameAborted():
                yield ""
                yield "game aborted"


def _dealt(begun: RoundStarted) -> str:
    if begun.position is not None:
        return f"position {print_position(position_of(begun))}"
    return f"deck {print_deck(dealt_order(begun))}"


def _note(event: Event) -> str:
    """Returns what a reader of a log's scoresheet wants to know of an event, if anything."""
    match event:
        case CardDrawn(seat, card, source):
            return f"{seat} draws {card}" if source == "deck" else f"{seat} draws {card} set aside"
        case KnockedOut(seat):
            return f"{seat} out"
    return ""


def _seat_list(seats: Sequence[int]) -> str:
    """Returns seats as the scoresheet of a portable log lists them, as in "0,2"."""
    return ",".join(map(str, seats)) or "none"


# --- reading ---


def is_sheet(text: str) -> bool:
    """Returns whether a text, or the beginning of one, says that it is the scoresheet of a portable log."""
    lines = (line.strip() for line in text.lstrip("\ufeff").split("\n"))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return first.startswith(FIRST_LINE.rpartition(" ")[0])


def parse_sheet(text: str) -> PortableLog:
    """Returns the portable log that a whole scoresheet stands for, made again step by step; it is valid.

    Empty lines, lines that begin with `#`, and the number of spaces between words mean nothing.

    Raises:
        Unreadable: it is no scoresheet, is of other rules, or something on it does not follow from the rest.
    """
    log = _read(text)
    if not (verdict := verify(log)).valid:
        raise Unreadable(sentence(verdict))
    return log


def _read(text: str) -> PortableLog:
    """Returns the portable log that a scoresheet stands for, made again but not verified."""
    given = [*enumerate(text.lstrip("\ufeff").split("\n"), 1)]
    for number, line in given:
        if len(line) > LONGEST_LINE:
            raise Unreadable(Message("log.sheet_long_line", {"line": number, "most": LONGEST_LINE}))
    lines = [(number, single_spaced(line)) for number, line in given]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] != FIRST_LINE:
        raise Unreadable(Message("log.sheet_first_line", {"line": FIRST_LINE}))
    begins = next((i for i, (_, line) in enumerate(lines) if line.startswith("begins ")), len(lines) - 1)
    head = _read_head(lines[1 : begins + 1])
    log = _made(head, lines[begins + 1 :])
    _check_same_lines(lines, [shown for line in _lines(log) if (shown := single_spaced(line))])
    return log


def _read_head(lines: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """Returns what the lines of a log's scoresheet before the first step say, by name."""
    head: dict[str, Any] = dict.fromkeys(_LISTS, ())
    for number, line in lines:
        name, _, rest = line.partition(" ")
        if name in head and name not in _LISTS:
            raise Unreadable(Message("log.sheet_line", {"line": number}))
        try:
            value = _READERS.get(name, parse_value)(rest)
        except MalformedNotation:
            raise Unreadable(Message("log.sheet_line", {"line": number})) from None
        head[name] = (*head[name], value) if name in _LISTS else value
    missing = [name for name in ("package", "rules", *_TABLE, "secret", "begins") if name not in head]
    if missing:
        raise Unreadable(Message("log.sheet_head", {"name": missing[0]}))
    if head["rules"] != RULES_VERSION:
        raise Unreadable(Message("log.other_rules", {"rules": head["rules"], "here": RULES_VERSION}))
    return head


def _made(head: dict[str, Any], lines: Sequence[tuple[int, str]]) -> PortableLog:
    """Returns the portable log that a scoresheet's head and steps make, with the package's version from the head."""
    try:
        secret = bytes.fromhex(head["secret"])
        now = ms_of(head["begins"])
        created = GameCreated(**{name: head[name] for name in _TABLE}, commitment=commitment(secret))
        if read_fault(created, created.seats) is not None:
            raise ValueError("not the table of any game")
        stored = [codec.store_event(created, text_of(now))]
        before = first_snapshot(Entry(1, text_of(now), created), secret, "")
    except (*UNFIT, UnknownEdition):
        raise Unreadable(Message("log.no_such_table")) from None
    for number, line in lines:
        if (found := _STEP.fullmatch(line)) is None:
            if _READ_ONLY.fullmatch(line) is None:
                raise Unreadable(Message("log.sheet_line", {"line": number}))
            continue
        now += int(found["seconds"]) * 1000 + int(found["ms"])
        try:
            cause = parse_cause(found["cause"])
        except MalformedNotation:
            raise Unreadable(Message("log.sheet_line", {"line": number})) from None
        before = _after(before, cause, now, number, stored)
    if not before.ended:
        raise Unreadable(Message("log.breaks_off"))
    log = portable(stored)
    log["package_version"] = head["package"]
    log["digest"] = digest_of(log)
    made: PortableLog = orjson.loads(orjson.dumps(log))
    return made


def _after(before: Snapshot, cause: Cause, now: int, line: int, stored: list[Any]) -> Snapshot:
    """Returns the game after a step on a log's scoresheet, whose events are added to the stored ones."""
    against = objection(before, cause, now)
    opens = "cause" not in stored[0]
    if against is None and isinstance(cause, Open) != opens:
        against = Message("log.no_such_opening")
    if against is not None:
        raise Unreadable(Message("log.sheet_step", {"line": line, "why": against}))
    try:
        at = text_of(now)
        events = events_of(before, cause, now)
    except IllegalAction as illegal:
        why = Message("log.illegal", {"reason": illegal.reason})
        raise Unreadable(Message("log.sheet_step", {"line": line, "why": why})) from None
    except UNFIT:
        raise Unreadable(Message("log.sheet_line", {"line": line})) from None
    new = [codec.store_event(event, at) for event in events]
    begun = stored if opens else new
    begun[0] |= {"cause": store_cause(cause), "rules": RULES_VERSION}
    stored += new
    return before.after([Entry(before.version + i, at, event) for i, event in enumerate(events, 1)], "")


def _check_same_lines(given: Sequence[tuple[int, str]], made: Sequence[str]) -> None:
    """Raises Unreadable unless the given lines are those of the scoresheet of the log that was made of them."""
    for one, expected in zip_longest(given, made):
        if one is None or expected != one[1]:
            number = one[0] if one is not None else given[-1][0] + 1
            raise Unreadable(Message("log.sheet_other_line", {"line": number, "expected": expected or "-"}))
