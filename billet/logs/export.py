"""`billet export`: writes the logs of ended games to the output, a file or a folder.

The standard output and a file get a log on each line, a folder gets a file for each log. Run an interrupted export
again to resume it: a file continues after its last whole log, a folder gets the missing files. A file gets only games
that ended more than a minute ago: a game that ends during the export would otherwise be missing for good.
"""

import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

import orjson

from billet.errors import StartError
from games.errors import kind_of
from games.records.portable import FORMAT, as_json, packed, portable
from games.times import ms_of
from service.settings import Settings
from service.upkeep.ended_logs import BEGINNING, DamagedGame, EndedPlace, stored_logs

PACKED: Final = ".gz"
BLOCK: Final = 1 << 16
BEGIN: Final = orjson.dumps({"format": FORMAT})[:-1]
"""The first bytes of each log."""
IN_FOLDER: Final = ".json.gz"


ExportGoal: TypeAlias = "_ExportOutput | _ExportFolder | _ExportFile"
"""A destination for logs: it writes each atomically, `has` some already, and holds everything up to `after`.

If it resumes after its last log, it takes only `settled` games.
"""


def run(settings: Settings, goal: ExportGoal, since: int, edition: str | None) -> tuple[int, int]:
    """Runs `billet export` of the games ended since a time, in milliseconds since 1970; names damaged ones on stderr.

    Returns how many were written, and how many are damaged.
    """
    written = damaged = 0
    after = max(goal.after, EndedPlace(since - 1, "\U0010ffff")) if since else goal.after
    for one in stored_logs(settings, after, edition, goal.has, settled=goal.settled):
        if isinstance(one, DamagedGame):
            damaged += 1
            _report_game_not_exported(one.game, one.why)
            continue
        try:
            log = as_json(portable(one.log))
        except Exception as error:  # one broken game must not stop the others
            damaged += 1
            _report_game_not_exported(one.place.game, kind_of(error))
            continue
        goal.write(one.place.game, log)
        written += 1
    return written, damaged


def since_of(text: str) -> int:
    """Returns the time that a date names to `billet export`, in milliseconds since 1970; UTC by default.

    Raises:
        ValueError: it is neither.
    """
    moment = datetime.fromisoformat(text)
    return int((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp() * 1000)


@contextmanager
def goal_of(output: str | None) -> Iterator[ExportGoal]:
    """Yields where `billet export` writes: a folder if the name is one or ends in a slash, a file, or for None stdout.

    Raises:
        StartError: it is not writable, or already holds something that is not an export.
    """
    try:
        if output is None:
            yield _ExportOutput(sys.stdout.buffer)
        elif output.endswith(os.sep) or os.path.isdir(output):
            yield _ExportFolder(Path(output))
        else:
            path = Path(output)
            path.touch(0o600)
            with path.open("r+b") as file:
                yield _ExportFile(path, file)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StartError(f"cannot write to {output or 'the output'}: {error.strerror or error}") from error


class _ExportOutput:
    """The standard output, which never resumes."""

    after = BEGINNING
    settled = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def has(self, game: str) -> bool:
        return False

    def write(self, game: str, log: bytes) -> None:
        self._file.write(log + b"\n")


class _ExportFolder:
    """A folder with a file for each game."""

    after = BEGINNING
    settled = False

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def has(self, game: str) -> bool:
        return (self._folder / f"{game}{IN_FOLDER}").exists()

    def write(self, game: str, log: bytes) -> None:
        part = self._folder / f"{game}.part"
        part.touch(0o600)
        part.write_bytes(packed(log))
        part.replace(self._folder / f"{game}{IN_FOLDER}")


class _ExportFile:
    """A file with a log on each line; each log is its own gzip member if the file's name says gzip."""

    settled = True

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._packed = path.name.endswith(PACKED)
        self._file = file
        _check_export(self._file.read(BLOCK), path)
        self._file.seek(0)
        end, last = 0, b""
        for end, last in _members(self._file) if self._packed else _lines(self._file):  # noqa: B007  # the last counts
            pass
        self.after = _place_of_last_log(last, path) if last else BEGINNING
        self._file.truncate(end)
        self._file.seek(end)

    def has(self, game: str) -> bool:
        return False

    def write(self, game: str, log: bytes) -> None:
        line = log + b"\n"
        self._file.write(packed(line) if self._packed else line)
        self._file.flush()


def _check_export(begin: bytes, path: Path) -> None:
    """Checks that a file of `billet export` is empty or begins like an export, however early it was cut off.

    Raises:
        StartError: it is something else, which stays unchanged.
    """
    if path.name.endswith(PACKED):
        try:
            begin, known = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(begin), BEGIN
        except zlib.error:
            known = b""
    else:
        known = BEGIN
    if begin[: len(BEGIN)] != known[: len(begin)]:
        raise StartError(f"{path} holds something other than exported logs")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields the complete lines of a file that `billet export` has begun, each with the offset after it."""
    end = 0
    for line in file:
        if line.endswith(b"\n"):
            end += len(line)
            yield end, line


def _members(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields each complete gzip member of a file that `billet export` has begun, with the offset after it."""
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


def _place_of_last_log(log: bytes, path: Path) -> EndedPlace:
    try:
        last = orjson.loads(log)
        return EndedPlace(ms_of(last["events"][-1]["at"]), str(last["game"]))
    except (LookupError, TypeError, ValueError):
        raise StartError(f"{path} holds something other than exported logs") from None


def _report_game_not_exported(game: str, why: str) -> None:
    """Reports on the standard error that `billet export` leaves out the damaged log of a game."""
    print(f"billet: game {game} is damaged and left out: {why}", file=sys.stderr, flush=True)
