"""Reports what this release can do with a log from elsewhere: read, verify and replay it, but never continue it.

It checks the form of a log and the versions in it before it verifies or replays it.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engine.editions import rulebook
from engine.errors import MalformedAction
from engine.events import EVENTS, GameCreated
from engine.logs import codec
from engine.logs.upcasts import version_of
from games.causes import read_cause
from games.messages import Message
from games.records.known_words import unknown_seat, unknown_word
from games.records.portable import FORMAT, FORMAT_VERSION
from games.records.schema import event_fault
from games.records.verdicts import sentence
from games.records.verification import UNFIT, Verdict, verify
from games.snapshot import Entry, first_snapshot
from games.times import is_time


@dataclass(slots=True)
class Findings:
    """The findings about a log."""

    written_by: str | None = None
    """The package version that wrote it; None if unknown."""
    rules: Counter[int] = field(default_factory=Counter)
    """How many steps follow which version of the rules."""
    unreadable: Message | None = None
    """Why it cannot be read; None if it can."""
    unfit: Message | None = None
    """Why it cannot be replayed though it can be read; None if it can."""
    verdict: Verdict | None = None
    """The verdict on a readable log."""

    @property
    def replays(self) -> bool:
        """Returns whether an examined log can be read and replayed."""
        return self.unreadable is None and self.unfit is None


def examine(log: Any) -> Findings:
    """Returns what this release can do with a portable log, which may be anything, as `portable.parsed` returns it."""
    found = Findings()
    if not isinstance(log, dict) or log.get("format") != FORMAT:
        found.unreadable = Message("log.other_format")
        return found
    found.written_by = str(log.get("package_version"))
    if log.get("format_version") != FORMAT_VERSION:
        found.unreadable = Message("log.other_format_version")
    elif not isinstance(log.get("events"), list) or not log["events"]:
        found.unreadable = Message("log.no_events")
    else:
        found.unreadable = _look_at_events(log["events"], found)
    if found.unreadable is None:
        found.verdict = verify(log)
        found.unfit = None if found.verdict.valid else _replayed(log, found.verdict)
    return found


def _look_at_events(events: list[Any], found: Findings) -> Message | None:
    """Notes the versions of an examined log's events; returns why one of them cannot be read, or None."""
    for number, stored in enumerate(events, 1):
        kind, version = (stored.get("type"), stored.get("v")) if isinstance(stored, dict) else (None, None)
        if not isinstance(kind, str) or kind not in EVENTS:
            return Message("log.unknown_event", {"version": number})
        if type(version) is not int or version != version_of(kind):
            return Message("log.later_event", {"version": number, "type": kind})
        if (member := _malformed(stored, number)) is not None:
            return Message("log.event_not_as_schema", {"version": number, "member": member})
        if stored["rules"] is not None:
            found.rules[stored["rules"]] += 1
    return None


def _malformed(stored: Any, number: int) -> str | None:
    """Returns the member of an examined log's event that nobody could read, or None."""
    if (member := event_fault(stored)) is not None:
        return member
    if stored["version"] != number:
        return "version"
    try:
        if stored["cause"] is not None:
            read_cause(stored["cause"])
    except (KeyError, TypeError, MalformedAction):
        return "cause"
    return None if is_time(stored["at"]) else "at"


def _replayed(log: dict[str, Any], verdict: Verdict) -> Message | None:
    """Returns why an examined log cannot be replayed, though it is not valid; None if it can."""
    try:
        entries = [
            Entry(number, str(stored["at"]), codec.read_event(stored)) for number, stored in enumerate(log["events"], 1)
        ]
        if not isinstance(entries[0].event, GameCreated):
            return Message("log.begins_otherwise")
        created = entries[0].event
        book = rulebook(created.edition, created.seats, created.options)
        if any(unknown_seat(entry.event, book) for entry in entries):
            return sentence(verdict) if verdict.divergence is not None else Message("log.does_not_fit")
        for entry in entries:
            if (name := unknown_word(entry.event, book)) is not None:
                return Message("log.unknown_word", {"version": entry.version, "member": f"data.{name}"})
        first_snapshot(entries[0], bytes.fromhex(log["secret"]), "").after(entries[1:], "")
    except UNFIT:
        return sentence(verdict) if verdict.divergence is not None else Message("log.does_not_fit")
    return None
