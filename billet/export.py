"""`billet export`: writes the logs of ended games out of an installation; which games and in which order is elsewhere.

They go on the standard output or into one file, a log on each line, or into a folder, a file for each. Whatever is cut
off goes on when it is run again: into a file after the last whole log of it, into a folder with what is missing there.
"""

import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, Protocol

import orjson

from billet.errors import StartError
from service.ended import BEGINNING, Damaged, Ended, Place
from service.log_lines import kind_of
from service.portable import FORMAT, as_json, packed, portable
from service.settings import Settings
from service.times import ms_of

PACKED: Final = ".gz"
BLOCK: Final = 1 << 16
BEGIN: Final = orjson.dumps({"format": FORMAT})[:-1]
"""How each log begins."""
IN_FOLDER: Final = ".json.gz"


class Goal(Protocol):
    """Where logs go."""

    after: Place
    """Of which place it has all that came before, too."""

    def has(self, game: str) -> bool:
        """Whether it has a game already."""

    def write(self, game: str, log: bytes) -> None:
        """Writes a log, whole or not at all."""


class Count(NamedTuple):
    """What came of an export."""

    written: int
    damaged: int


def run(settings: Settings, goal: Goal, since: int, edition: str | None) -> Count:
    """Writes the games that ended since a time, in milliseconds since 1970; what is damaged is named on stderr."""
    written = damaged = 0
    after = max(goal.after, Place(since - 1, "\U0010ffff")) if since else goal.after
    for one in Ended(settings).stored_logs(after, edition, goal.has):
        if isinstance(one, Damaged):
            damaged += 1
            _say(one.game, one.why)
            continue
        try:
            log = as_json(portable(one.log))
        except Exception as error:  # whatever is wrong with one of them, the others are written
            damaged += 1
            _say(one.place.game, kind_of(error))
            continue
        goal.write(one.place.game, log)
        written += 1
    return Count(written, damaged)


def since_of(text: str) -> int:
    """Returns the time that a date, or a date with a time, begins at, in milliseconds since 1970; UTC if none is said.

    Raises:
        ValueError: it is neither.
    """
    moment = datetime.fromisoformat(text)
    return int((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp() * 1000)


@contextmanager
def goal_of(output: str | None) -> Iterator[Goal]:
    """Yields where logs go: a folder, or a name that ends in a slash; any other name is a file; None is the output.

    Raises:
        StartError: it cannot be written to, or what is there is no export.
    """
    try:
        if output is None:
            yield _Output(sys.stdout.buffer)
        elif output.endswith(os.sep) or os.path.isdir(output):
            yield _Folder(Path(output))
        else:
            path = Path(output)
            path.touch()
            with path.open("r+b") as file:
                yield _File(path, file)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StartError(f"cannot write to {output or 'the output'}: {error.strerror or error}") from error


class _Output:
    """The standard output, from the beginning each time."""

    after = BEGINNING

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def has(self, game: str) -> bool:
        return False

    def write(self, game: str, log: bytes) -> None:
        self._file.write(log + b"\n")


class _Folder:
    """A folder with a file for each game."""

    after = BEGINNING

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def has(self, game: str) -> bool:
        return (self._folder / f"{game}{IN_FOLDER}").exists()

    def write(self, game: str, log: bytes) -> None:
        part = self._folder / f"{game}.part"
        part.write_bytes(packed(log))
        part.replace(self._folder / f"{game}{IN_FOLDER}")


class _File:
    """A file to which logs are added, a line each; each is a gzip of its own if the file's name says gzip."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._packed = path.name.endswith(PACKED)
        self._file = file
        _demand_export(self._file.read(BLOCK), path)
        self._file.seek(0)
        end, last = 0, b""
        for end, last in _members(self._file) if self._packed else _lines(self._file):  # noqa: B007  # the last counts
            pass
        self.after = _place_of(last, path) if last else BEGINNING
        self._file.truncate(end)
        self._file.seek(end)

    def has(self, game: str) -> bool:
        return False

    def write(self, game: str, log: bytes) -> None:
        line = log + b"\n"
        self._file.write(packed(line) if self._packed else line)
        self._file.flush()


def _demand_export(begin: bytes, path: Path) -> None:
    """Does nothing if a file is empty or begins as exports do, however early it was cut off.

    Raises:
        StartError: it is something else, which is left as it is.
    """
    if path.name.endswith(PACKED):
        try:
            begin, known = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(begin), BEGIN
        except zlib.error:
            known = b""
    else:
        known = BEGIN
    if begin[: len(BEGIN)] != known[: len(begin)]:
        raise StartError(f"{path} holds something else than exported logs")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields the whole lines of a file, each with the place in the file after it."""
    end = 0
    for line in file:
        if line.endswith(b"\n"):
            end += len(line)
            yield end, line


def _members(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields what each whole gzip of a file holds, with the place in the file after it."""
    end, raw = 0, file.read(BLOCK)
    while raw:
        stream, parts = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), []
        while raw and not stream.eof:
            try:
                parts.append(stream.decompress(raw))
            except zlib.error:
                return
            end += len(raw) - len(stream.unused_data)
            raw = stream.unused_data or file.read(BLOCK)
        if stream.eof:
            yield end, b"".join(parts)


def _place_of(log: bytes, path: Path) -> Place:
    try:
        last = orjson.loads(log)
        return Place(ms_of(last["events"][-1]["at"]), str(last["game"]))
    except (LookupError, TypeError, ValueError):
        raise StartError(f"{path} holds something else than exported logs") from None


def _say(game: str, why: str) -> None:
    print(f"billet: game {game} is left out, for it is damaged: {why}", file=sys.stderr, flush=True)
