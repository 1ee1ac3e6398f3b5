"""Logs in files: portable logs as JSON or lines of it, many in one file, scoresheets; gzipped or not; the input too.

What is in a log is for the service to say. Nothing here keeps more than one log at a time.
"""

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, Final, NamedTuple, cast

import orjson

from service.portable import TooLong, Unreadable, parsed
from service.said import Said
from service.sheets import is_sheet, parse_sheet

MOST: Final = 1 << 28
"""In bytes, unpacked: no log is longer."""
BEGINNING: Final = 4096
"""In bytes: what a file is shows within so much."""
STANDARD_INPUT: Final = "-"
SUFFIXES: Final = tuple(form + packed for form in (".json", ".ndjson", ".jsonl") for packed in ("", ".gz"))
"""How the names of logs in a directory end; a file that is named itself may be called as it likes."""


class Found(NamedTuple):
    """A log in a file, not read yet, or why there is none."""

    name: str
    """The file's name, with the line where it has many logs."""
    raw: bytes
    fault: Said | None = None


def named_by(names: Sequence[str]) -> Iterator[str]:
    """Yields the names of files, and in place of that of a directory those of the logs below it, in a fixed order."""
    for name in names:
        if not os.path.isdir(name):
            yield name
            continue
        yield from _below(name, [])


def _below(name: str, closed: list[OSError]) -> Iterator[str]:
    """Yields the names of the logs below a directory in a fixed order, and notes which directories cannot be read."""
    for folder, inner, files in os.walk(name, onerror=closed.append):
        inner.sort()
        paths = (os.path.join(folder, file) for file in sorted(files) if file.endswith(SUFFIXES))
        yield from (path for path in paths if _may_be_read(path))


def _may_be_read(path: str) -> bool:
    """Returns whether a name below a directory is of a file, not of a pipe or a device, on which one waits for ever."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True  # it is not passed over: who opens it says what is wrong


def found_by(names: Sequence[str]) -> Iterator[Found]:
    """Yields the logs of files and those below directories; a directory without any is one of them, with its fault."""
    for name in names:
        if not os.path.isdir(name):
            yield from found_in(name)
            continue
        closed: list[OSError] = []
        files = _below(name, closed)
        first = next(files, None)
        if first is None and not closed:
            yield Found(name, b"", Said("log.none_below", {"endings": ", ".join(SUFFIXES)}))
        for file in chain([] if first is None else [first], files):
            yield from found_in(file)
        for error in closed:
            yield Found(str(error.filename), b"", _no_file(error))


def found_in(name: str) -> Iterator[Found]:
    """Yields the logs of a file, one after the other; what cannot be read of it is one of them, with its fault."""
    try:
        with _opened(name) as file:
            yield from _split(name, file)
    except TooLong as error:
        yield Found(name, b"", error.why)
    except (gzip.BadGzipFile, zlib.error):
        yield Found(name, b"", Said("log.no_gzip"))
    except EOFError:
        yield Found(name, b"", Said("log.gzip_cut_off"))
    except OSError as error:
        yield Found(name, b"", _no_file(error))


def _no_file(error: OSError) -> Said:
    return Said("log.no_file", {"why": error.strerror or type(error).__name__})


def read_log(raw: bytes) -> Any:
    """Returns the log of a text, whichever of the forms it has; whether it is a true one is not said here.

    Raises:
        Unreadable: it is in none of them.
    """
    if is_sheet(raw[:BEGINNING].decode("utf-8", "replace")):
        try:
            return parse_sheet(raw.decode())
        except UnicodeDecodeError:
            raise Unreadable(Said("log.not_utf_8")) from None
    return parsed(raw)


@contextmanager
def _opened(name: str) -> Iterator[io.BufferedReader]:
    """Yields a file without its gzip."""
    if name == STANDARD_INPUT:
        with open(sys.stdin.fileno(), "rb", closefd=False) as given:
            yield _unpacked(given)
        return
    with open(name, "rb") as file:
        yield _unpacked(file)


def _unpacked(file: io.BufferedReader) -> io.BufferedReader:
    packed = file.peek(2)[:2] == b"\x1f\x8b"
    return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=file))) if packed else file


def _split(name: str, file: BinaryIO) -> Iterator[Found]:
    """Yields the logs of a file: one, or where the first line is a whole one, one on each line."""
    first = _line(file)
    if not _is_whole(first):
        rest = file.read(MOST)
        if file.read(1):
            raise TooLong(Said("log.too_long", {"most": MOST}))
        yield Found(name, first + rest)
        return
    second = _line(file)
    if not second.strip() and not file.peek(1):  # type: ignore[attr-defined]  # all that come here can be peeked into
        yield Found(name, first)
        return
    yield Found(f"{name}:1", first)
    number = 2
    while second:
        if second.strip():
            yield Found(f"{name}:{number}", second)
        second, number = _line(file), number + 1


def _line(file: BinaryIO) -> bytes:
    line = file.readline(MOST + 1)
    if len(line) > MOST:
        raise TooLong(Said("log.too_long", {"most": MOST}))
    return line


def _is_whole(line: bytes) -> bool:
    """Whether a line is a log by itself, and not the head of one or the beginning of an object on many lines."""
    if not line.rstrip().endswith(b"}"):
        return False
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and "events" in value
