"""Whether a portable log is true: its deals follow from its secret, and its events from what caused them, all of them.

A log is made once more from its first event, its secret and its causes, and held against what it says. `verify` needs
nothing but the log: no Redis, no clock, no settings. The format is for `portable` and `portable_schema`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

import orjson

from engine import codec
from engine.editions import EDITIONS, rulebook
from engine.errors import IllegalAction, MalformedAction, MalformedEvent, MalformedNotation, UnknownEdition
from engine.events import BANK, Event, GameCreated, RoundStarted, SecretRevealed
from engine.rounds import deal
from engine.rules import RULES_VERSION
from engine.shuffle import commitment
from engine.state import GameState
from service.admissible import objection
from service.causes import Cause, Open, read_cause, store_cause
from service.portable import FORMAT, FORMAT_VERSION, PortableLog, digest_of
from service.portable_schema import event_fault, fault, read_fault
from service.said import Said
from service.snapshot import Entry, Snapshot, fresh
from service.steps import SKEW_MS, events_of
from service.times import ms_of, text_of

SCHEMA: Final = "schema"
HEAD: Final = "head"
VERSIONS: Final = "versions"
TIMES: Final = "times"
COMMITMENT: Final = "commitment"
SECRET: Final = "secret"
DEALS: Final = "deals"
STEPS: Final = "steps"
DIGEST: Final = "digest"
CHECKS: Final = (SCHEMA, HEAD, VERSIONS, TIMES, COMMITMENT, SECRET, DEALS, STEPS, DIGEST)
"""What is checked. The deals are a part of the steps, and checked by themselves where those cannot be made again."""

Members = Mapping[str, Any]
UNFIT: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, OverflowError, MemoryError)
"""What comes of events that are folded though they do not fit the game they are said to be of."""

MOST_ORDERED: Final = 8
"""No true game asks about more cards. Steps that were not made again may say so, and all their orders are legal."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a log is not what it must be."""

    check: str
    version: int | None
    """Of the event; None where it is the head."""
    expected: Members | None
    """None where there must be nothing, or where more than one thing would do."""
    found: Members | None
    """None where there is nothing."""
    why: Said


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A check that cannot be made here, from a version on."""

    check: str
    version: int
    why: Said


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of verifying a log."""

    divergence: Divergence | None = None
    unchecked: Sequence[Unchecked] = ()

    @property
    def valid(self) -> bool:
        """Whether everything was checked, and nothing diverges."""
        return self.divergence is None and not self.unchecked


class _Diverges(Exception):  # a course of events, not an error
    """Nothing after this place is looked at."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(divergence.check)
        self.divergence = divergence


def verify(log: Any) -> Verdict:
    """Returns whether a portable log is true, as `portable.parsed` returns it; it may be anything, from anywhere."""
    verifier = _Verifier()
    try:
        verifier.verify(log)
    except _Diverges as found:
        return Verdict(found.divergence, tuple(verifier.unchecked))
    return Verdict(None, tuple(verifier.unchecked))


@dataclass(slots=True)
class _Verifier:
    """Makes one log once more, step by step."""

    unchecked: list[Unchecked] = field(default_factory=list)

    def verify(self, log: Any) -> None:
        """Checks a log from its head to its end.

        Raises:
            _Diverges: it is not as it must be.
        """
        _check_head(log)
        events: list[Any] = log["events"]
        if log["rules_version"] not in (None, RULES_VERSION) and log["edition"] not in EDITIONS:
            self.unchecked.append(Unchecked(STEPS, 1, _other_rules(log["rules_version"])))
            return
        before = _opened(log)
        begins = [0, *(i for i, event in enumerate(events) if i and _begins(event))]
        for begin, end in zip(begins, [*begins[1:], len(events)], strict=True):
            before = self._step(before, events[begin:end], begin + 1)
        if not (before.ended and isinstance(before.entries[-1].event, SecretRevealed)):
            raise _diverges(STEPS, len(events) + 1, None, None, "log.breaks_off")
        _check_table(log, before)
        if (digest := digest_of(log)) != log["digest"]:
            raise _diverges(DIGEST, None, {"digest": digest}, {"digest": log["digest"]}, "log.other_digest")

    def _step(self, before: Snapshot, step: Sequence[Any], version: int) -> Snapshot:
        """Returns the game after a step, having checked all of it."""
        first = step[0]
        _check_event(first, before, version, first=True)
        if first["cause"] is None:
            return self._taken_as_it_is(before, step, version, Said("log.no_causes"), deals=True)
        if first["rules"] != RULES_VERSION:
            return self._taken_as_it_is(before, step, version, _other_rules(first["rules"]), deals=False)
        cause = _cause_of(first, version)
        try:
            if self.unchecked and _cards_asked_about(before.state) > MOST_ORDERED:
                raise ValueError("more cards than any question is about")
            expected = _expected(before, cause, first, version)
        except UNFIT:
            if not self.unchecked:
                raise
            raise _diverges(STEPS, version, None, first["cause"], "log.does_not_fit") from None
        return _compared(before, expected, step, version)

    def _taken_as_it_is(
        self, before: Snapshot, step: Sequence[Any], version: int, why: Said, *, deals: bool
    ) -> Snapshot:
        """Returns the game after a step that cannot be made again, having checked what can be checked of it."""
        # One for each reason: rules that differ in every step would make a list as long as the log, read ever again.
        if not any(one.why.key == why.key for one in self.unchecked):
            self.unchecked.append(Unchecked(STEPS, version, why))
        for number, stored in enumerate(step, version):
            if number == 1:
                continue
            _check_event(stored, before, number, first=True)
            event = _read(stored, number)
            _check_read(event, stored, before.table.seats, number)
            if isinstance(event, RoundStarted) and deals:
                _check_deal(before, event, number)
            if isinstance(event, SecretRevealed):
                _check_secret(before, event, number)
            last = isinstance(before.entries[-1].event, SecretRevealed)
            if last or before.ended != isinstance(event, SecretRevealed):
                raise _diverges(STEPS, number, None, stored, "log.superfluous")
            try:
                before = before.after([Entry(number, stored["at"], event)], "")
            except UNFIT:
                raise _diverges(STEPS, number, None, stored, "log.does_not_fit") from None
        return before


def _cards_asked_about(state: GameState) -> int:
    """Returns how many cards the open question is about at most, which the seats may hold in any order."""
    if state.decision is None:
        return 0
    asked, hands = state.decision, [len(seat.hand) for seat in state.seats]
    return max(hands[asked.seat], sum(hands[seat] for seat in asked.seats))


# --- the head and the first event ---


def _check_head(log: Any) -> None:
    """Checks that this is a log of this format; what it says is held against the events when they are there."""
    if not isinstance(log, dict) or log.get("format") != FORMAT:
        found = {"format": log["format"]} if isinstance(log, dict) and "format" in log else None
        raise _diverges(SCHEMA, None, {"format": FORMAT}, found, "log.other_format")
    if (number := log.get("format_version")) != FORMAT_VERSION or type(number) is not int:
        expected = {"format_version": FORMAT_VERSION}
        raise _diverges(SCHEMA, None, expected, {"format_version": number}, "log.other_format_version")
    if not isinstance(log.get("events"), list) or not log["events"]:
        raise _diverges(SCHEMA, None, None, None, "log.no_events")
    if (member := fault(log)) is not None:
        raise _diverges(SCHEMA, None, None, _member(log, member), "log.not_as_schema", member=member)


def _opened(log: PortableLog) -> Snapshot:
    """Returns the game of which nothing but its first event has happened."""
    first = log["events"][0]
    if (member := event_fault(first)) is not None:
        raise _diverges(SCHEMA, 1, None, _member(first, member), "log.not_as_schema", member=member)
    created = _read(first, 1)
    if not isinstance(created, GameCreated):
        raise _diverges(STEPS, 1, {"type": GameCreated.type}, {"type": first["type"]}, "log.begins_otherwise")
    _check_read(created, first, created.seats, 1)
    for name in ("game", "edition", "options", "seats", "commitment"):
        _check_same(HEAD, 1, name, log[name], getattr(created, name))
    _check_same(HEAD, 1, "rules", log["rules_version"], first["rules"])
    _check_same(COMMITMENT, 1, "commitment", commitment(bytes.fromhex(log["secret"])), created.commitment)
    if _impossible(created):
        raise _diverges(STEPS, 1, None, first, "log.no_such_table")
    return fresh(Entry(1, first["at"], created), bytes.fromhex(log["secret"]), "")


def _impossible(created: GameCreated) -> bool:
    """Whether no table could be opened like this."""
    try:
        book = rulebook(created.edition, created.seats, created.options)
    except UnknownEdition:
        return True
    seats = range(created.seats)
    chosen = [one.get("starter") for one in created.sandbox_rounds]
    return (
        created.options != book.options
        or (created.starter is not None and created.starter not in seats)
        or any(seat is not None and seat not in seats for seat in chosen)
        or any(Counter(one.get("order", ())) - Counter(book.deck) for one in created.sandbox_rounds)
        or ((bool(created.sandbox_rounds) or created.forked_from is not None) and not created.sandbox)
        or (created.clock is not None and created.clock["increment"] > 0 and created.clock["kind"] != BANK)
    )


def _check_table(log: PortableLog, ended: Snapshot) -> None:
    """Checks what the head says of who sat where, when the events have said it."""
    nonces = ended.nonces if ended.started is not None else _contributions(ended)
    for name, told in (("players", ended.players), ("nonces", nonces)):
        _check_same(HEAD, None, name, told, log[name])


def _contributions(ended: Snapshot) -> list[str]:
    """Returns the contributions of those who sat at a table when it was called off before the start."""
    return [nonce if player is not None else "" for nonce, player in zip(ended.nonces, ended.players, strict=True)]


# --- events ---


def _begins(event: Any) -> bool:
    return isinstance(event, dict) and event.get("cause") is not None


def _check_event(stored: Any, before: Snapshot, version: int, first: bool) -> None:
    """Checks the form of an event and its version, and the time of the `first` of a step, which the others share."""
    if (member := event_fault(stored)) is not None:
        raise _diverges(SCHEMA, version, None, _member(stored, member), "log.not_as_schema", member=member)
    _check_same(VERSIONS, version, "version", version, stored["version"])
    _check_same(STEPS, version, "rules", stored["rules"] if stored["cause"] else None, stored["rules"])
    if stored["cause"] is not None and stored["rules"] is None:
        raise _diverges(STEPS, version, None, {"rules": None}, "log.not_the_same", member="rules")
    if not first:
        return
    try:
        canonical = text_of(ms_of(stored["at"])) == stored["at"]
    except ValueError:
        canonical = False
    if not canonical:
        raise _diverges(SCHEMA, version, None, {"at": stored["at"]}, "log.not_as_schema", member="at")
    known = before.entries[-1].at if before.entries else stored["at"]
    # A clock that was set back by more is followed: `steps.step_of`.
    if 0 < ms_of(known) - ms_of(stored["at"]) <= SKEW_MS:
        raise _diverges(TIMES, version, None, {"at": stored["at"]}, "log.time_goes_back", before=known)


def _read(stored: Members, version: int) -> Event:
    """Returns an event as it is today."""
    try:
        return codec.read_event(stored)
    except MalformedEvent:
        raise _diverges(SCHEMA, version, None, _told(stored), "log.not_as_schema", member="data") from None


def _check_read(event: Event, stored: Members, seats: int, version: int) -> None:
    """Checks that an event is as today's form has it, whichever it was stored in, and its seats those of the table."""
    if (member := read_fault(event, seats)) is not None:
        raise _diverges(SCHEMA, version, None, _told(stored), "log.not_as_schema", member=member)


def _cause_of(first: Members, version: int) -> Cause:
    try:
        cause = read_cause(first["cause"])
    except (KeyError, TypeError, MalformedAction):
        raise _diverges(SCHEMA, version, None, first["cause"], "log.not_as_schema", member="cause") from None
    if not _same(store_cause(cause), first["cause"]):
        raise _diverges(SCHEMA, version, store_cause(cause), first["cause"], "log.not_as_schema", member="cause")
    return cause


def _expected(before: Snapshot, cause: Cause, first: Members, version: int) -> list[Event]:
    """Returns what follows from a cause."""
    now = ms_of(first["at"])
    against = objection(before, cause, now)
    if against is None and isinstance(cause, Open) != (version == 1):
        against = Said("log.no_such_opening")
    if against is not None:
        raise _diverges(STEPS, version, None, first["cause"], "log.no_cause", why=against)
    try:
        events = events_of(before, cause, now)
    except IllegalAction as illegal:
        said = Said("log.illegal", {"reason": illegal.reason})
        raise _diverges(STEPS, version, None, first["cause"], "log.no_cause", why=said) from None
    except MalformedNotation:
        raise _diverges(STEPS, version, None, first["cause"], "log.no_cause", why=Said("log.not_repeated")) from None
    return [before.table, *events] if version == 1 else events


def _compared(before: Snapshot, expected: Sequence[Event], step: Sequence[Any], version: int) -> Snapshot:
    """Returns the game after a step that is event for event what follows from its cause."""
    at = step[0]["at"]
    for number, (event, stored) in enumerate(zip_longest(expected, step), version):
        if event is not None and stored is None:
            raise _diverges(STEPS, number, _as_told(event), None, "log.missing")
        if number > version:
            _check_event(stored, before, number, first=False)
            _check_same(TIMES, number, "at", at, stored["at"])
        if event is None:
            raise _diverges(STEPS, number, None, _told(stored), "log.superfluous")
        found = _read(stored, number)
        if found.type != event.type or not _same(codec.event_data(event), codec.event_data(found)):
            raise _diverges(STEPS, number, _as_told(event), _told(stored), "log.does_not_follow")
    entries = [Entry(number, at, event) for number, event in enumerate(expected, version) if number > 1]
    return before.after(entries, "")


def _check_deal(before: Snapshot, started: RoundStarted, version: int) -> None:
    """Checks that a round is dealt as the secret has it, to the seats that are said to be in it."""
    book = before.state.book
    try:
        order = before.chance().order(book.deck, started.number)
        dealt = deal(book, order, started.seats)
    except UNFIT:
        raise _diverges(DEALS, version, None, _as_told(started), "log.does_not_fit") from None
    expected, found = dealt._asdict(), {name: getattr(started, name) for name in dealt._fields}
    if not _same(expected, found):
        raise _diverges(DEALS, version, expected, found, "log.other_deal")


def _check_secret(before: Snapshot, revealed: SecretRevealed, version: int) -> None:
    _check_same(SECRET, version, "secret", before.secret.hex(), revealed.secret)


# --- saying so ---


def _other_rules(version: int) -> Said:
    return Said("log.other_rules", {"rules": version, "here": RULES_VERSION})


def _check_same(check: str, version: int | None, name: str, expected: Any, found: Any) -> None:
    if not _same(expected, found):
        raise _diverges(check, version, {name: expected}, {name: found}, "log.not_the_same", member=name)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same as JSON, where 1 is not true."""
    option = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(one, option=option) == orjson.dumps(other, option=option)


def _as_told(event: Event) -> Members:
    return {"type": event.type, "data": codec.event_data(event)}


def _told(stored: Members) -> Members:
    return {"type": stored["type"], "data": stored["data"]}


def _member(value: Any, member: str) -> Members | None:
    """Returns an object with the one member in question, if there is such a member."""
    name = member.partition(".")[0]
    return {name: value[name]} if isinstance(value, dict) and name in value else None


def _diverges(
    check: str, version: int | None, expected: Members | None, found: Members | None, key: str, **values: object
) -> _Diverges:
    return _Diverges(Divergence(check, version, expected, found, Said(key, values)))
