"""Defines how events are stored in Redis, with checksums, and checks that what is read is whole and unchanged.

An event is stored as `[v, type, at, data]`, and `cause` and `rules` where a step begins. `at` is in milliseconds since
1970, and `data` lists the values in the order in which the event's version declares them. That takes 82 bytes where an
object with names takes 150 (decision 032).

Every reader uses the checks, so nothing of a damaged game is taken for whole (decision 053). Each checksum is of a text
that says what is stored where, and of the bytes: what belongs to another game, or to another place of its log, is found
too. They detect damage, not forgery.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias
from zlib import crc32

from engine.errors import MalformedEvent
from engine.events import EVENTS, VALUES_OF
from engine.logs.upcasts import version_of
from engine.rules import RULES_VERSION
from games.causes import store_cause
from games.errors import Damaged
from games.steps import Step, causes_of
from games.times import ms_of, text_of

NamedEvent: TypeAlias = Mapping[str, Any]
"""An event as an object: the members `v`, `type`, `at`, `data`, and `cause` and `rules` where a step begins."""

VERSIONS: Final = {name: version_of(name) for name in EVENTS}
FIELDS: Final[Mapping[tuple[str, int], tuple[str, ...]]] = {
    (name, VERSIONS[name]): kind.fields for name, kind in EVENTS.items()
}
"""The names of an event's fields, by type and version."""


def encoded(stored: NamedEvent) -> list[Any]:
    """Returns an event in the form in which it is stored."""
    v, kind, data = stored["v"], stored["type"], stored["data"]
    caused = [stored["cause"], stored["rules"]] if "cause" in stored else []
    return [v, kind, ms_of(stored["at"]), [data[name] for name in FIELDS[kind, v]], *caused]


def encoded_step(new: Step) -> list[list[Any]]:
    """Returns the entries of a step in the form in which they are stored, each cause with its first event."""
    stored: list[list[Any]] = []
    for entry in new.entries:
        event = entry.event
        stored.append([VERSIONS[event.type], event.type, _ms(entry.at), VALUES_OF[event.type](event)])
    for index, cause in causes_of(new).items():
        stored[index] += store_cause(cause), RULES_VERSION
    return stored


def decoded(stored: list[Any]) -> dict[str, Any]:
    """Returns a stored event as an object.

    Raises:
        ValueError: it has not the fields that its type and version have.
        TypeError: it is no event.
        MalformedEvent: there are no events of its type and version.
    """
    v, kind, at, data, *caused = stored
    fields = FIELDS.get((kind, v))
    if fields is None:
        raise MalformedEvent(f"{kind!r} has no version {v!r} here")
    found = {"v": v, "type": kind, "at": text_of(at), "data": dict(zip(fields, data, strict=True))}
    if caused:
        found["cause"], found["rules"] = caused
    return found


_ms: Final = lru_cache(1024)(ms_of)
"""As `ms_of`; the entries of a step have one time."""


SUM: Final = "sum"
"""The field of the hash beside a log with the checksum of the secret and the join code, which are nowhere else."""
PACKED: Final = "packed"
"""The field with the checksum of the packed log."""
SUMMARY: Final = "summary"
"""The field with the checksum of the summary. A game has it once its log is packed or archived."""


def checksum_of_entry(game: str, version: int, raw: bytes) -> int:
    """Returns the checksum that is stored with an event of a game's log."""
    return crc32(raw, crc32(b"%b %d" % (game.encode(), version))) >> 1  # Redis keeps 31 bits in fewer bytes than 32


def checksum_of_value(game: str, field: str, raw: bytes) -> int:
    """Returns the checksum of a stored value of a game, which has this field in the hash beside its log."""
    return crc32(raw, crc32(f"{game} {field}".encode())) >> 1


def checksum_of_secrets(game: str, secret: str, join_code: str) -> int:
    """Returns the checksum of a stored game's secret and join code."""
    return checksum_of_value(game, SUM, f"{secret} {join_code}".encode())


_HEAD: Final = re.compile(r"([1-9][0-9]*):[0-9a-f]{8}")
_FIELDS: Final = (b"e", b"c")
"""The fields of an entry: the event, and its checksum."""


def sound_events(game: str, raw: Sequence[Any], first: int) -> list[tuple[int, bytes]]:
    """Returns consecutive stored events of a game with their versions, from the entries of its log since `first`.

    Raises:
        Damaged: an event is missing, doubled or changed.
    """
    found = []
    for version, (entry_id, fields) in enumerate(raw, first):
        if entry_id != b"%d-0" % version:
            raise Damaged(f"event {version} is missing, or another one is doubled")
        if len(fields) != 4 or (fields[0], fields[2]) != _FIELDS:
            raise Damaged(f"event {version} has been changed")
        event, checksum = fields[1], fields[3]
        if checksum != b"%d" % checksum_of_entry(game, version, event):
            raise Damaged(f"event {version} has been changed")
        found.append((version, event))
    return found


def check_length(found: int, wanted: int) -> None:
    """Checks that a log is as long as the head beside it says.

    Raises:
        Damaged: it is not.
    """
    if found < wanted:
        raise Damaged(f"event {found + 1} is missing")
    if found > wanted:
        raise Damaged(f"event {wanted + 1} is one too many, or the head beside the log is an older one")


def version_of_head(head: str | None) -> int:
    """Returns the version of the log to which a stored game's head belongs.

    Raises:
        Damaged: there is no head, or it is none.
    """
    found = _HEAD.fullmatch(head) if head is not None else None
    if found is None:
        raise Damaged("the hash beside its log has no head")
    return int(found[1])


def sound_value(game: str, field: str, raw: bytes | None, checksum: str | None) -> bytes:
    """Returns the packed log or the summary of a stored game.

    Raises:
        Damaged: it is missing, or has been changed.
    """
    if raw is None or checksum is None:
        raise Damaged(f"`{field}` or its checksum is missing")
    if checksum != str(checksum_of_value(game, field, raw)):
        raise Damaged(f"`{field}` has been changed")
    return raw
