"""`billet export`: writes the logs of ended games to the output, one on each line, or to a folder, a file for each.

Run it again with the same folder to add the files that are missing.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from billet.errors import StartError
from games.errors import kind_of
from games.records.portable import as_json, packed, portable
from service.settings import Settings
from service.upkeep.ended_logs import DamagedGame, stored_logs

IN_FOLDER: Final = ".json.gz"

ExportGoal: TypeAlias = "_ExportOutput | _ExportFolder"
"""A destination for logs: it writes each atomically, and `has` some already."""


def run(settings: Settings, goal: ExportGoal, since: int, edition: str | None) -> tuple[int, int]:
    """Runs `billet export` of the games ended since a time, in milliseconds since 1970; names damaged ones on stderr.

    Returns how many were written, and how many are damaged.
    """
    written = damaged = 0
    for one in stored_logs(settings, since, edition, goal.has):
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
def goal_of(folder: str | None) -> Iterator[ExportGoal]:
    """Yields where `billet export` writes: a folder, or for None the standard output.

    Raises:
        StartError: it is not writable.
    """
    try:
        yield _ExportOutput(sys.stdout.buffer) if folder is None else _ExportFolder(Path(folder))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StartError(f"cannot write to {folder or 'the output'}: {error.strerror or error}") from error


class _ExportOutput:
    """The standard output."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def has(self, game: str) -> bool:
        return False

    def write(self, game: str, log: bytes) -> None:
        self._file.write(log + b"\n")


class _ExportFolder:
    """A folder with a file for each game."""

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


def _report_game_not_exported(game: str, why: str) -> None:
    """Reports on the standard error that `billet export` leaves out the damaged log of a game."""
    print(f"billet: game {game} is damaged and left out: {why}", file=sys.stderr, flush=True)
