"""Writes and reads the portable log: one whole game outside any installation, as JSON or NDJSON (`docs/logs.md`).

This module owns the format. `schema` describes events and causes; `verification` verifies logs.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias

import orjson

from engine.events import GameCreated, GameStarted, RoundStarted, SeatCleared, SeatTaken, SeatVacated, SecretRevealed
from engine.logs.codec import read_event
from games.messages import Message
from games.strict_json import shape, unique
from games.version import VERSION

FORMAT: Final = "billet-log"
FORMAT_VERSION: Final = 1
"""Incremented when readers of the previous format would misread the new one."""

PortableLog: TypeAlias = dict[str, Any]
"""The head's members, and `events`."""
StoredEvent: TypeAlias = Mapping[str, Any]
"""A stored event; the first one of a step has its `cause` and the version of the `rules` it followed."""

GREATEST_NUMBER: Final = 2**53 - 1
"""All numbers of a log are exact wherever they are read, also in JavaScript."""


PIECE: Final = 4096
"""How many bytes of a gzip to unpack at a time: what is left of them is copied for each of the files in it."""
LONGEST_QUICK: Final = 2**20
"""In characters: orjson takes twelve times as much memory as a text has besides what it makes of it."""
DEEPEST: Final = 32
"""How deep a log's objects and lists may be nested; valid logs have only a few levels."""


class Unreadable(ValueError):
    """A text is not a log, or could be read in two ways."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.key)
        self.why = why


class TooLong(Unreadable):
    """A text is longer than allowed."""


# --- making ---


def portable(stored: Sequence[StoredEvent]) -> PortableLog:
    """Returns the portable log of a game that has ended, from its events as they are stored, in order."""
    events = [portable_event(number, one) for number, one in enumerate(stored, 1)]
    created, revealed = read_event(stored[0]), read_event(stored[-1])
    assert isinstance(created, GameCreated), "a log begins with game_created"
    assert isinstance(revealed, SecretRevealed), "a log ends with secret_revealed"
    players, nonces = _table(stored, created.seats)
    log = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "package_version": VERSION,
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


def portable_event(number: int, stored: StoredEvent) -> dict[str, Any]:
    """Returns a stored event as portable logs have it; every member is present, null where no step begins."""
    cause = stored.get("cause")
    members = {name: stored[name] for name in ("v", "type", "at", "data")}
    return {"version": number, **members, "cause": cause, "rules": stored.get("rules")}


def stored_in(events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the events of a portable log in stored form, from which `portable` makes the same log."""
    names = ("v", "type", "at", "data")
    return [
        {name: one[name] for name in (names if one["cause"] is None else (*names, "cause", "rules"))} for one in events
    ]


def _table(stored: Sequence[StoredEvent], seats: int) -> tuple[list[str | None], list[str]]:
    """Returns who sat where for a portable log, and their nonces, when the game started or else ended."""
    players: list[str | None] = [None] * seats
    nonces = [""] * seats
    for one in stored:
        match read_event(one):
            case SeatTaken(seat, player, nonce):
                players[seat], nonces[seat] = player, nonce
            case SeatVacated(seat) | SeatCleared(seat):
                players[seat], nonces[seat] = None, ""
            case GameStarted() as started:
                return players, list(started.nonces)
            case RoundStarted():
                break
    return players, nonces


def digest_of(log: Mapping[str, Any]) -> str:
    """Returns the hex SHA-256 of a portable log: each line canonical (RFC 8785), the head without the digest itself.

    It detects accidental changes, also of values that nothing else depends on. It does not detect forgery.
    """
    head = {name: value for name, value in log.items() if name not in ("digest", "events")}
    return hashlib.sha256(b"".join([canonical(line) + b"\n" for line in (head, *log["events"])])).hexdigest()


def canonical(value: Any) -> bytes:
    """Returns the canonical bytes (RFC 8785) of what logs hold as JSON: the same, however an object is ordered."""
    # The names are ASCII, and no number is a fraction.
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


# --- writing ---


def as_json(log: PortableLog) -> bytes:
    """Returns a portable log as one JSON object; equal logs give equal bytes."""
    return orjson.dumps(log)


def as_ndjson(log: PortableLog) -> bytes:
    """Returns a portable log as NDJSON, its head and then one event a line; equal logs give equal bytes."""
    head = {name: value for name, value in log.items() if name != "events"}
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in (head, *log["events"]))


def packed(raw: bytes) -> bytes:
    """Returns a portable log's bytes gzipped, without a name or a time, so that equal logs give equal bytes."""
    return gzip.compress(raw, compresslevel=6, mtime=0)


# --- reading ---


def unpacked(raw: bytes, most: int) -> bytes:
    """Returns a gzipped portable log unpacked, never unpacking more than is allowed.

    Raises:
        Unreadable: it is not gzip, or is truncated.
        TooLong: it holds more than `most` bytes.
    """
    parts: list[bytes] = []
    room = most
    for part in unpacked_pieces(raw[at : at + PIECE] for at in range(0, len(raw), PIECE)):
        parts.append(part)
        room -= len(part)
        if room < 0:
            raise TooLong(Message("log.too_long", {"most": most}))
    return b"".join(parts)


def unpacked_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yields what gzipped logs hold, piece by piece: any number of gzip files in a row, and nothing else.

    Raises:
        Unreadable: it is not gzip, is truncated, or something else follows it, be it zeros.
    """
    stream = zlib.decompressobj(wbits=_GZIP)
    for piece in pieces:
        left = piece
        while left:
            if stream.eof:
                stream = zlib.decompressobj(wbits=_GZIP)
            try:
                yield stream.decompress(left, _MOST_AT_ONCE)
            except zlib.error:
                raise Unreadable(Message("log.no_gzip")) from None
            left = stream.unused_data if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        raise Unreadable(Message("log.gzip_cut_off"))


def parsed(raw: bytes) -> Any:
    """Parses a text, JSON or NDJSON, into the form of a portable log: a head with `events`.

    The format is recognized by the first line: an object without `events` is the head of NDJSON. Blank lines count for
    nothing, nor does a byte order mark, which some editors put at the beginning.

    Raises:
        Unreadable: it is neither, or could be read in two ways.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(Message("log.not_utf_8")) from None
    first, *lines = text.split("\n")
    quick = len(text) <= LONGEST_QUICK
    if quick and (values := _as_written([first, *lines[:-1]] if lines and not lines[-1] else [first, *lines])):
        head, *events = values
        if isinstance(head, dict) and "events" not in head:
            return {**head, "events": events}
        if not events:
            return head
    written = [(number, line) for number, line in enumerate([first, *lines], 1) if line.strip(_BLANKS)]
    if not written or not written[0][1].rstrip().endswith("}"):
        return _decoded(text, None)
    (number, first), *rest = written
    head = _decoded(first, number) if rest else _decoded(text, None)
    if not isinstance(head, dict) or "events" in head:
        return _decoded(text, None) if rest else head
    return {**head, "events": [_decoded(line, number) for number, line in rest]}


def _as_written(lines: Sequence[str]) -> list[Any] | None:
    """Returns the values of a portable log's lines if each is just as this release writes it, which most are, or None.

    What is written the same again has no member twice, and no number that is too long for those who read it.
    """
    try:
        values: list[Any] = orjson.loads(f"[{','.join(lines)}]")
        pairs = zip(values, lines, strict=True)
        if not all(orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER).decode() == line for value, line in pairs):
            return None
    except (ValueError, TypeError):
        return None
    depth, kinds = shape(values, DEEPEST)
    return None if depth > DEEPEST or float in kinds else values


def _decoded(text: str, line: int | None) -> Any:
    """Returns the value of a portable log's JSON; `line` is that of a larger text, or None if it is all there is."""
    try:
        data = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()  # only an escape brings in half of a character
    except json.JSONDecodeError as error:
        if line is None and "\n" not in text.rstrip():  # a number would be mixed up with that of the line in the file
            raise Unreadable(Message("log.not_json")) from None
        raise Unreadable(Message("log.line_not_json", {"line": line or error.lineno})) from None
    except UnicodeEncodeError:
        raise Unreadable(Message("log.no_character")) from None
    except RecursionError:
        raise Unreadable(Message("log.too_deep")) from None
    if shape(data, DEEPEST)[0] > DEEPEST:
        raise Unreadable(Message("log.too_deep"))
    return data


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > _MOST_DIGITS or abs(number := int(text)) > GREATEST_NUMBER:
        raise Unreadable(Message("log.no_whole_number"))
    return number


def _refuse_number(text: str) -> NoReturn:
    raise Unreadable(Message("log.no_whole_number"))


_GZIP: Final = zlib.MAX_WBITS | 16
_MOST_AT_ONCE: Final = 1 << 16
"""How many bytes to unpack at once: little may unpack to much."""
_BLANKS: Final = " \t\r"
"""What a blank line may hold: the blanks of JSON."""
_unique: Final = unique(lambda: Unreadable(Message("log.member_twice")))
_MOST_DIGITS: Final = len(str(GREATEST_NUMBER))
_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_whole, parse_float=_refuse_number, parse_constant=_refuse_number
)
