"""Reads logs from files and the standard input: portable logs as JSON or JSON lines, gzipped or not.

It keeps at most one log in memory at a time.
"""

import io
import json
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, Final, NamedTuple

from games.messages import Message
from games.records.portable import PIECE, TooLong, Unreadable, parsed, unpacked_pieces
from service.store.archive import MARKER
from service.verifying.bounds import TooCostly, bounded

MOST: Final = 1 << 26
"""The longest log, and the longest run of empty lines between two, in bytes, unpacked."""
TOO_COSTLY: Final = Message("log.too_costly")
"""The message about a log whose checks exceed a limit."""
STANDARD_INPUT: Final = "-"
SUFFIXES: Final = tuple(form + packed for form in (".json", ".ndjson", ".jsonl") for packed in ("", ".gz"))
"""The suffixes of logs in a directory; a file given by name may have any."""


class FoundLog(NamedTuple):
    """A log in a file, not read yet, or the reason why it is unreadable."""

    name: str
    """The file's name, with the line number if it holds many logs."""
    raw: bytes
    fault: Message | None = None


def _below(name: str, closed: list[OSError]) -> Iterator[str]:
    """Yields the names of logs below a directory given to a command, sorted; notes directories it cannot read.

    The marker of an archive is no log.
    """
    for folder, inner, files in os.walk(name, onerror=closed.append):
        inner.sort()
        paths = (os.path.join(folder, file) for file in sorted(files) if file.endswith(SUFFIXES) and file != MARKER)
        yield from (path for path in paths if _may_be_read(path))


def _may_be_read(path: str) -> bool:
    """Returns whether a path given to a command for logs is a regular file; a pipe or device could block forever."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True  # do not skip it: opening it reports the error


def found_by(names: Sequence[str]) -> Iterator[FoundLog]:
    """Yields the logs of files and directories given to a command; a directory without any yields the error.

    An empty file, such as an export before any game has ended, has no logs.
    """
    for name in names:
        if not os.path.isdir(name):
            yield from (one for one in found_in(name) if one.raw or one.fault is not None)
            continue
        closed: list[OSError] = []
        files = _below(name, closed)
        first = next(files, None)
        if first is None and not closed:
            yield FoundLog(name, b"", Message("log.none_below", {"endings": ", ".join(SUFFIXES)}))
        for file in chain([] if first is None else [first], files):
            yield from found_in(file)
        for error in closed:
            yield FoundLog(str(error.filename), b"", _unreadable_file(error))


def found_in(name: str) -> Iterator[FoundLog]:
    """Yields the logs of a file given to a command, in order; an unreadable part yields one entry with the error."""
    try:
        with _opened_log_file(name) as file:
            yield from _logs_in(name, file)
    except Unreadable as error:
        yield FoundLog(name, b"", error.why)
    except TooCostly:
        yield FoundLog(name, b"", TOO_COSTLY)
    except OSError as error:
        yield FoundLog(name, b"", _unreadable_file(error))


def _unreadable_file(error: OSError) -> Message:
    return Message("log.no_file", {"why": error.strerror or type(error).__name__})


@contextmanager
def opened(found: FoundLog) -> Iterator[Any]:
    """Yields a log found by a command, not verified; bounds the work of a `with` block by the log's length.

    Raises:
        Unreadable: it cannot be read, or takes too much work.
    """
    if found.fault is not None:
        raise Unreadable(found.fault)
    try:
        with bounded(len(found.raw)):
            yield parsed(found.raw)
    except TooCostly:
        raise Unreadable(TOO_COSTLY) from None


@contextmanager
def _opened_log_file(name: str) -> Iterator[io.BufferedReader]:
    """Yields a file of logs given to a command, decompressed if it is gzipped."""
    if name == STANDARD_INPUT:
        with open(sys.stdin.fileno(), "rb", closefd=False) as given:
            yield _gunzipped(given)
        return
    with open(name, "rb") as file:
        yield _gunzipped(file)


def _gunzipped(file: io.BufferedReader) -> io.BufferedReader:
    packed = file.peek(2)[:2] == b"\x1f\x8b"
    return io.BufferedReader(_UnpackedFile(file)) if packed else file


class _UnpackedFile(io.RawIOBase):
    """What a gzipped file of logs holds."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._pieces = unpacked_pieces(iter(partial(file.read, PIECE), b""))
        self._left = b""

    def readable(self) -> bool:
        """Returns that a gzipped file of logs can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads the next bytes that a gzipped file of logs holds, and returns how many; 0 at the end.

        Raises:
            Unreadable: as `unpacked_pieces`.
        """
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = piece
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count


def _logs_in(name: str, file: BinaryIO) -> Iterator[FoundLog]:
    """Yields the logs of a file given to a command: one on each line if the first line is a whole log, else one."""
    first = _log_line(file)
    if not _is_whole(first):
        rest = file.read(MOST)
        if file.read(1):
            raise TooLong(Message("log.too_long", {"most": MOST}))
        yield FoundLog(name, first + rest)
        return
    second = _log_line(file)
    if not second.strip() and not file.peek(1):  # type: ignore[attr-defined]  # BinaryIO lacks it; gzip and buffers have it
        yield FoundLog(name, first)
        return
    yield FoundLog(f"{name}:1", first)
    number, empty = 2, 0
    while second:
        if second.strip():
            yield FoundLog(f"{name}:{number}", second)
            empty = 0
        elif (empty := empty + len(second)) > MOST:
            raise TooLong(Message("log.too_long", {"most": MOST}))
        second, number = _log_line(file), number + 1


def _log_line(file: BinaryIO) -> bytes:
    line = file.readline(MOST + 1)
    if len(line) > MOST:
        raise TooLong(Message("log.too_long", {"most": MOST}))
    return line


def _is_whole(line: bytes) -> bool:
    """Returns whether a line of a file is a whole log, not the head of one or the start of a multi-line object.

    Raises:
        TooCostly: the check takes too much work.
    """
    if not line.rstrip().endswith(b"}"):
        return False
    try:
        with bounded(len(line)):
            value = json.loads(line.decode("utf-8-sig"))  # of bytes it would accept UTF-16
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "events" in value
