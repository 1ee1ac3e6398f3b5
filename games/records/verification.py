"""Verifies a portable log: its deals follow from its secret, and all its events from their causes.

It plays the log again from its first event, secret and causes, and compares the result with the log. `verify` needs
only the log: no Redis, clock or settings. `portable` and `schema` define the format.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any, Final

from engine.editions import rulebook
from engine.errors import (
    IllegalAction,
    ImpossibleMove,
    ImpossiblePosition,
    MalformedAction,
    MalformedEvent,
    UnknownEdition,
)
from engine.events import BANK, Event, GameCreated, SecretRevealed
from engine.logs import codec
from engine.positions import canonical, given_of
from engine.rulebook import Rulebook
from engine.rules import RULES_VERSION
from engine.shuffle import commitment
from games.causes import Cause, Open, read_cause, store_cause
from games.messages import Message
from games.records.admissible import objection
from games.records.portable import FORMAT, FORMAT_VERSION, PortableLog, digest_of, portable_event
from games.records.portable import canonical as canonical_json
from games.records.schema import event_fault, fault
from games.snapshot import Entry, Snapshot, first_snapshot
from games.steps import Step, step_of
from games.times import SKEW_MS, is_time, ms_of

SCHEMA: Final = "schema"
HEAD: Final = "head"
VERSIONS: Final = "versions"
TIMES: Final = "times"
COMMITMENT: Final = "commitment"
STEPS: Final = "steps"
DIGEST: Final = "digest"

Members = Mapping[str, Any]
UNFIT: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, OverflowError)
"""Errors raised by folding events that do not fit their game."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a log is wrong."""

    check: str
    version: int | None
    """Of the event; None where it is the head."""
    expected: Members | None
    """None where there must be nothing, or where more than one thing would do."""
    found: Members | None
    """None where there is nothing."""
    why: Message


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A check that this release cannot make, from a version on."""

    check: str
    version: int
    why: Message


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of verifying a log."""

    divergence: Divergence | None = None
    unchecked: Sequence[Unchecked] = ()
    """At most one: nothing after it is checked."""
    unproven: Sequence[str] = ()
    """Members of a valid log that nothing else in it depends on: a forger may write anything there."""

    @property
    def valid(self) -> bool:
        """Returns whether a verified log is valid: everything was checked and nothing diverges."""
        return self.divergence is None and not self.unchecked


class _Diverges(Exception):  # expected, so not called an error
    """A log is wrong at this place; nothing after it is checked."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(divergence.check)
        self.divergence = divergence


class _OtherRules(Exception):  # expected, so not called an error
    """From this version on a log was made by rules that this release does not have; nothing after it is checked."""

    def __init__(self, version: int, rules: int) -> None:
        super().__init__(version, rules)
        why = Message("log.other_rules", {"rules": rules, "here": RULES_VERSION})
        self.unchecked = Unchecked(STEPS, version, why)


def verify(log: Any) -> Verdict:
    """Verifies a portable log as returned by `portable.parsed`, which may be anything, from anywhere."""
    try:
        _verify(log)
    except _OtherRules as found:
        return Verdict(None, (found.unchecked,))
    except _Diverges as found:
        return Verdict(found.divergence)
    return Verdict(None, (), _unproven(log))


def _unproven(log: PortableLog) -> tuple[str, ...]:
    """Returns the names of the members of a verified log, which is valid, that nothing else in it depends on."""
    first = log["events"][0]
    created, came = first["data"], [one["player"] for one in first["cause"]["joining"]]
    names = ["package_version", "at", "visibility", "starter", "sandbox", "rated", "aids"]
    names += [] if created["creator"] in came else ["creator"]
    names += [name for name in ("clock", "previous_game", "forked_from", "match", "deal") if created[name] is not None]
    has_thoughts = any(event["cause"] is not None and "thought" in event["cause"] for event in log["events"])
    return (*names, "thought") if has_thoughts else tuple(names)


def _verify(log: Any) -> None:
    """Verifies a portable log from its head to its end, playing it again step by step.

    Raises:
        _Diverges: it is not as it must be.
        _OtherRules: the rest of it was made by rules that this release does not have.
    """
    _check_head(log)
    events: list[Any] = log["events"]
    ended = _opened(log)
    begins = [0, *(i for i in range(1, len(events)) if _begins_step(events[i])), len(events)]
    for begin, end in pairwise(begins):
        ended = _after_step(ended, events[begin:end], begin + 1)
    if not (ended.ended and isinstance(ended.entries[-1].event, SecretRevealed)):
        raise _diverges(STEPS, len(events) + 1, None, None, "log.breaks_off")
    _check_table(log, ended)
    if (digest := digest_of(log)) != log["digest"]:
        raise _diverges(DIGEST, None, {"digest": digest}, {"digest": log["digest"]}, "log.other_digest")


def _after_step(before: Snapshot, step: Sequence[Any], version: int) -> Snapshot:
    """Returns the game after a step of the log to verify, having checked all of it."""
    first = step[0]
    _check_event(first, before, version, first=True)
    if first["rules"] != RULES_VERSION:
        raise _OtherRules(version, first["rules"])
    expected = _expected(before, _cause_of(first, version), first, version)
    told = [entry.event for entry in expected.entries]
    _compare(before, [before.table, *told] if version == 1 else told, step, version)
    return expected.after


# --- the head and the first event ---


def _check_head(log: Any) -> None:
    """Checks that a log to verify has this format; its head is held against the events when they are there."""
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
    """Returns the game of a log to verify, of which nothing but its first event has happened."""
    first = log["events"][0]
    if (member := event_fault(first)) is not None:
        raise _diverges(SCHEMA, 1, None, _member(first, member), "log.not_as_schema", member=member)
    created = _read(first, 1)
    if not isinstance(created, GameCreated):
        raise _diverges(STEPS, 1, {"type": GameCreated.type}, {"type": first["type"]}, "log.begins_otherwise")
    for name in ("game", "edition", "options", "seats", "commitment"):
        _check_same(HEAD, 1, name, log[name], getattr(created, name))
    _check_same(HEAD, 1, "rules", log["rules_version"], first["rules"])
    _check_same(COMMITMENT, 1, "commitment", commitment(bytes.fromhex(log["secret"])), created.commitment)
    if log["rules_version"] != RULES_VERSION:
        raise _OtherRules(1, log["rules_version"])
    if _impossible(created):
        raise _diverges(STEPS, 1, None, first, "log.no_such_table")
    return first_snapshot(Entry(1, first["at"], created), bytes.fromhex(log["secret"]), "")


def _impossible(created: GameCreated) -> bool:
    """Returns whether no table could be opened as the log to verify says."""
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
        or any(not _possible(one, book) for one in created.sandbox_positions)
        or any(
            one and given_of(other)
            for one, other in zip(created.sandbox_rounds, created.sandbox_positions, strict=False)
        )
        or (bool(created.sandbox_rounds or created.sandbox_positions or created.forked_from) and not created.sandbox)
        or (created.rated and (created.sandbox or created.visibility != "public"))
        or (created.aids and (created.rated or created.match is not None or created.deal is not None))
        or (created.match is not None and created.sandbox)
        or (created.deal is not None and (created.sandbox or created.rated))
        or (created.clock is not None and created.clock["increment"] > 0 and created.clock["kind"] != BANK)
    )


def _possible(position: Members, book: Rulebook) -> bool:
    """Returns whether a round of the log to verify could begin with a position, which must be canonical."""
    try:
        return _same(position, canonical(book, position))
    except ImpossiblePosition:
        return False


def _check_table(log: PortableLog, ended: Snapshot) -> None:
    """Checks what the head of a verified log says of who sat where, when the events have said it."""
    nonces = ended.nonces
    if ended.started is None:  # called off: only those who still sat there contribute
        nonces = [nonce if player is not None else "" for nonce, player in zip(nonces, ended.players, strict=True)]
    for name, found in (("players", ended.players), ("nonces", nonces)):
        _check_same(HEAD, None, name, found, log[name])


# --- events ---


def _begins_step(stored: Any) -> bool:
    return isinstance(stored, dict) and stored.get("cause") is not None


def _check_event(stored: Any, before: Snapshot, version: int, first: bool) -> None:
    """Checks a verified log's event: its form and version, and the time of the `first` of a step."""
    if (member := event_fault(stored)) is not None:
        raise _diverges(SCHEMA, version, None, _member(stored, member), "log.not_as_schema", member=member)
    _check_same(VERSIONS, version, "version", version, stored["version"])
    _check_same(STEPS, version, "rules", stored["rules"] if stored["cause"] else None, stored["rules"])
    if stored["cause"] is not None and stored["rules"] is None:
        raise _diverges(STEPS, version, None, {"rules": None}, "log.not_the_same", member="rules")
    if first:
        _check_time(before, stored, version)


def _check_time(before: Snapshot, stored: Members, version: int) -> None:
    """Checks that a time in a verified log is in the one form that is written, and not before the last event's."""
    if not is_time(stored["at"]):
        raise _diverges(SCHEMA, version, None, {"at": stored["at"]}, "log.not_as_schema", member="at")
    known = before.entries[-1].at if before.entries else stored["at"]
    # A clock that was set back by more is followed: `steps.step_of`.
    if 0 < ms_of(known) - ms_of(stored["at"]) <= SKEW_MS:
        raise _diverges(TIMES, version, None, {"at": stored["at"]}, "log.time_goes_back", before=known)


def _read(stored: Members, version: int) -> Event:
    """Returns an event of the log to verify as it is today."""
    try:
        return codec.read_event(stored)
    except MalformedEvent:
        raise _diverges(SCHEMA, version, None, _shown_stored(stored), "log.not_as_schema", member="data") from None


def _cause_of(first: Members, version: int) -> Cause:
    try:
        cause = read_cause(first["cause"])
    except (KeyError, TypeError, MalformedAction):
        raise _diverges(SCHEMA, version, None, first["cause"], "log.not_as_schema", member="cause") from None
    if not _same(store_cause(cause), first["cause"]):
        raise _diverges(SCHEMA, version, store_cause(cause), first["cause"], "log.not_as_schema", member="cause")
    return cause


def _expected(before: Snapshot, cause: Cause, first: Members, version: int) -> Step:
    """Returns the step that follows from a cause of the log to verify; its first event is already in `before`."""
    now = ms_of(first["at"])
    against = objection(before, cause, now)
    if against is None and isinstance(cause, Open) != (version == 1):
        against = Message("log.no_such_opening")
    if against is not None:
        raise _diverges(STEPS, version, None, first["cause"], "log.no_cause", why=against)
    try:
        return step_of(before, cause, now, "")
    except IllegalAction as illegal:
        said = Message("log.illegal", {"reason": illegal.reason})
        raise _diverges(STEPS, version, None, first["cause"], "log.no_cause", why=said) from None
    except ImpossibleMove:
        raise _diverges(STEPS, version, None, first["cause"], "log.no_cause", why=Message("log.not_repeated")) from None


def _compare(before: Snapshot, expected: Sequence[Event], step: Sequence[Any], version: int) -> None:
    """Checks event for event that a step of a verified log is what follows from its cause."""
    at = step[0]["at"]
    if _is_as_written(expected, step, version):
        return
    for number, (event, stored) in enumerate(zip_longest(expected, step), version):
        if event is not None and stored is None:
            raise _diverges(STEPS, number, _shown(event), None, "log.missing")
        if number > version:
            _check_event(stored, before, number, first=False)
            _check_same(TIMES, number, "at", at, stored["at"])
        if event is None:
            raise _diverges(STEPS, number, None, _shown_stored(stored), "log.superfluous")
        found = _read(stored, number)
        if found.type != event.type or not _same(codec.event_data(event), codec.event_data(found)):
            raise _diverges(STEPS, number, _shown(event), _shown_stored(stored), "log.does_not_follow")


def _is_as_written(events: Sequence[Event], step: Sequence[Any], version: int) -> bool:
    """Returns whether a step of the log to verify is, to the byte, what this release writes, as nearly all are."""
    first = step[0]
    stored: list[dict[str, Any]] = [codec.store_event(event, first["at"]) for event in events]
    stored[0] |= {"cause": first["cause"], "rules": first["rules"]}
    return _same([portable_event(i, one) for i, one in enumerate(stored, version)], step)


# --- saying so ---


def _check_same(check: str, version: int | None, name: str, expected: Any, found: Any) -> None:
    if not _same(expected, found):
        raise _diverges(check, version, {name: expected}, {name: found}, "log.not_the_same", member=name)


def _same(one: Any, other: Any) -> bool:
    """Returns whether two values of a log to verify are the same as JSON, where 1 is not true."""
    try:
        return canonical_json(one) == canonical_json(other)
    except TypeError:  # nothing that could be written
        return False


def _shown(event: Event) -> Members:
    return {"type": event.type, "data": codec.event_data(event)}


def _shown_stored(stored: Members) -> Members:
    return {"type": stored["type"], "data": stored["data"]}


def _member(value: Any, member: str) -> Members | None:
    """Returns an object with the one member of a verified log in question, if there is such a member."""
    name = member.partition(".")[0]
    return {name: value[name]} if isinstance(value, dict) and name in value else None


def _diverges(
    check: str, version: int | None, expected: Members | None, found: Members | None, key: str, **values: object
) -> _Diverges:
    return _Diverges(Divergence(check, version, expected, found, Message(key, values)))
