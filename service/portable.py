"""The portable log: one whole game outside of any installation, as JSON or as lines of it. This module owns the format.

What an event or a cause looks like is for `portable_schema`, whether a log is true for `verification`. Nothing here
knows where logs are kept. The format is described in `docs/logs.md`.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, NoReturn, TypeAlias

import orjson

from engine.codec import read_event
from engine.events import GameCreated, GameStarted, RoundStarted, SeatTaken, SeatVacated, SecretRevealed
from service.said import Said

FORMAT: Final = "billet-log"
FORMAT_VERSION: Final = 1
"""Counts up when a reader of the format before would misread the present one."""
PACKAGE_VERSION: Final = version("billet")

PortableLog: TypeAlias = dict[str, Any]
"""The head's members, and `events`."""
Stored: TypeAlias = Mapping[str, Any]
"""An event as it is stored; the first one of a step with its `cause` and the version of the `rules` it followed."""

FIRST_RULES: Final = 1
"""The rules of the steps whose causes were kept before the version of the rules was."""
LONGEST_NUMBER: Final = 16
"""In digits: all numbers of a log are exact wherever they are read."""


MOST_FILES: Final = 16
"""One after the other in what gzip has compressed; whoever packs a log makes one."""
DEEPEST: Final = 32
"""How deep the objects and lists of a log may be nested; no true one has more than a few levels."""


class Unreadable(ValueError):
    """A text holds no log at all, or one that could be read in two ways."""

    def __init__(self, why: Said) -> None:
        super().__init__(why.key)
        self.why = why


class TooLong(Unreadable):
    """A text holds more than is accepted."""


# --- making ---


def portable(stored: Sequence[Stored]) -> PortableLog:
    """Returns the portable log of a game that has ended, from its events as they are stored, in order."""
    events = [_event(number, one) for number, one in enumerate(stored, 1)]
    created, revealed = read_event(stored[0]), read_event(stored[-1])
    assert isinstance(created, GameCreated), "a log begins with game_created"
    assert isinstance(revealed, SecretRevealed), "a log ends with secret_revealed"
    players, nonces = _table(stored, created.seats)
    log = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "package_version": PACKAGE_VERSION,
        "rules_version": events[0]["rules"],
        "game": created.game,
        "edition": created.edition,
        "options": created.options,
        "seats": created.seats,
        "players": players,
        "nonces": nonces,
        "commitment": created.commitment,
        "secret": revealed.secret,
        "digest": "",
        "events": events,
    }
    log["digest"] = digest_of(log)
    return log


def _event(number: int, stored: Stored) -> dict[str, Any]:
    """Returns an event of a portable log; every member is there, and null where no step begins."""
    cause = stored.get("cause")
    members = {name: stored[name] for name in ("v", "type", "at", "data")}
    rules = stored.get("rules", FIRST_RULES) if cause is not None else None
    return {"version": number, **members, "cause": cause, "rules": rules}


def stored_in(events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the events of a portable log as they are stored: it makes the same log again."""
    return [_stored(one) for one in events]


def _stored(event: Mapping[str, Any]) -> dict[str, Any]:
    caused = ("cause", "rules") if event["cause"] is not None else ()
    return {name: event[name] for name in ("v", "type", "at", "data", *caused)}


def _table(stored: Sequence[Stored], seats: int) -> tuple[list[str | None], list[str]]:
    """Returns who sat where, and their contributions to the shuffle, when the game started or else ended."""
    players: list[str | None] = [None] * seats
    nonces = [""] * seats
    for one in stored:
        match read_event(one):
            case SeatTaken(seat, player, nonce):
                players[seat], nonces[seat] = player, nonce
            case SeatVacated(seat):
                players[seat], nonces[seat] = None, ""
            case GameStarted() | RoundStarted():
                break
    return players, nonces


def digest_of(log: Mapping[str, Any]) -> str:
    """Returns the hex SHA-256 over a log: each line of it canonical (RFC 8785), the head without the digest itself.

    It finds what was changed by accident, also where nothing else depends on it. Whoever forges a log makes it anew.
    """
    hashed = hashlib.sha256()
    for line in _lines({name: value for name, value in log.items() if name != "digest"}):
        # With sorted names this is the canonical form: the names are ASCII, and no number is a fraction.
        hashed.update(orjson.dumps(line, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
    return hashed.hexdigest()


# --- writing ---


def as_json(log: PortableLog) -> bytes:
    """Returns a log as one JSON object: the same bytes for the same log."""
    return orjson.dumps(log)


def as_ndjson(log: PortableLog) -> bytes:
    """Returns a log as lines of JSON: its head, then one event a line; the same bytes for the same log."""
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in _lines(log))


def packed(raw: bytes) -> bytes:
    """Returns bytes compressed by gzip: the same for the same, without a name or a time."""
    return gzip.compress(raw, compresslevel=6, mtime=0)


def _lines(log: Mapping[str, Any]) -> Iterator[Any]:
    yield {name: value for name, value in log.items() if name != "events"}
    yield from log["events"]


# --- reading ---


def unpacked(raw: bytes, most: int) -> bytes:
    """Returns what gzip has compressed, of which no more is ever unpacked than is accepted.

    Raises:
        Unreadable: it is no gzip, is cut off, or is made of more files than `MOST_FILES`.
        TooLong: it holds more than `most` bytes.
    """
    parts: list[bytes] = []
    room = most
    while raw or not parts:
        if len(parts) == MOST_FILES:  # each copies what is left, so that many empty ones would take for ever
            raise Unreadable(Said("log.too_many_files", {"most": MOST_FILES}))
        stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            parts.append(stream.decompress(raw, room + 1))
        except zlib.error:
            raise Unreadable(Said("log.no_gzip")) from None
        room -= len(parts[-1])
        if room < 0:
            raise TooLong(Said("log.too_long", {"most": most}))
        if not stream.eof:
            raise Unreadable(Said("log.gzip_cut_off"))
        raw = stream.unused_data  # gzip allows for one file after the other
    return b"".join(parts)


def parsed(raw: bytes) -> Any:
    """Returns what a text holds, JSON or lines of it, as a log would have it: a head with `events`.

    Which of the two it is shows by itself: an object on the first line without `events` is a head.

    Raises:
        Unreadable: it is neither, or could be read in two ways.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable(Said("log.not_utf_8")) from None
    first, *lines = text.split("\n")
    if not first.rstrip().endswith("}"):
        return _decoded(text, None)
    head = _decoded(first, 1) if lines else _decoded(text, None)
    if not isinstance(head, dict) or "events" in head:
        return head if not text[len(first) :].strip() else _decoded(text, None)
    if lines and not lines[-1]:
        lines.pop()
    return {**head, "events": [_decoded(line, number) for number, line in enumerate(lines, 2)]}


def _decoded(text: str, line: int | None) -> Any:
    """Returns the value of a text that is JSON; `line` is that of a larger one, or None if it is all there is."""
    try:
        data = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()  # only an escape brings in half of a character
    except json.JSONDecodeError as error:
        raise Unreadable(Said("log.not_json", {"line": line or error.lineno})) from None
    except UnicodeEncodeError:
        raise Unreadable(Said("log.no_character")) from None
    except RecursionError:
        raise Unreadable(Said("log.too_deep")) from None
    if _depth(data) > DEEPEST:
        raise Unreadable(Said("log.too_deep"))
    return data


def _depth(data: Any) -> int:
    """Returns how deep a value is nested, or one more than is allowed: nothing deeper is looked at."""
    depth, level = 0, [data]
    while depth <= DEEPEST and (level := [one for one in level if isinstance(one, list | dict)]):
        depth += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unreadable(Said("log.member_twice"))
    return members


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > LONGEST_NUMBER:
        raise Unreadable(Said("log.no_whole_number"))
    return int(text)


def _refuse_number(text: str) -> NoReturn:
    raise Unreadable(Said("log.no_whole_number"))


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_whole, parse_float=_refuse_number, parse_constant=_refuse_number
)
