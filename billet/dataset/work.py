"""Builds the decision table of many logs in parallel on all cores, with the rows in the order of the logs.

Each log is verified first, unless the caller says it has been. An invalid log, or one whose decisions cannot be
read, is reported and left out.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from billet.dataset.decisions import NoDecisions
from billet.dataset.table import DatasetWriter, batch_of, rows_of
from billet.errors import StartError
from billet.logs.cores import in_order
from billet.logs.files import FoundLog, opened
from billet.logs.verify import why_of
from games.messages import Message
from games.records.portable import Unreadable
from games.records.verification import verify

LOGS: Final = 32
"""How many logs are dealt with at once: few enough that their rows take little memory."""
AHEAD: Final = 2
"""How many such pieces each process may be ahead of the one that is written."""


class PieceRows(NamedTuple):
    """The rows of some logs."""

    rows: pa.RecordBatch
    games: int
    left_out: Sequence[tuple[str, Message]]
    """The names of the logs that are not in it, each with the reason."""


class DatasetCount(NamedTuple):
    """The numbers of rows written, of games, and of logs left out."""

    rows: int
    games: int
    left_out: int


def piece_of(logs: Sequence[FoundLog], *, verified: bool) -> PieceRows:
    """Returns the dataset rows of some logs; those that are `verified` are not verified once more."""
    rows: list[tuple[Any, ...]] = []
    games = 0
    left_out = []
    for one in logs:
        try:
            with opened(one) as log:
                if not verified and not (verdict := verify(log)).valid:
                    raise NoDecisions(why_of(verdict))
            rows += rows_of(log)
            games += 1
        except (Unreadable, NoDecisions) as error:
            left_out.append((one.name, error.why))
    return PieceRows(batch_of(rows), games, left_out)


def write(
    logs: Iterable[FoundLog], to: Path, *, verified: bool, jobs: int | None, report: Callable[[str, Message], None]
) -> DatasetCount:
    """Writes the dataset of logs as a Parquet file; `report` gets the name of each that is left out, and why.

    Raises:
        OSError: the file cannot be written.
        StartError: no log could be read, or a process was killed.
    """
    rows = games = left_out = 0
    with DatasetWriter(to) as writer:
        work = partial(piece_of, verified=verified)
        for one in in_order(work, _pieces_of_logs(logs), jobs, ahead=AHEAD, size=_length):
            writer.write(one.rows)
            rows += one.rows.num_rows
            games += one.games
            left_out += len(one.left_out)
            for name, why in one.left_out:
                report(name, why)
        if not games:
            raise StartError(f"no log could be read; {to} is not written")
    return DatasetCount(rows, games, left_out)


def _pieces_of_logs(logs: Iterable[FoundLog]) -> Iterator[list[FoundLog]]:
    every = iter(logs)
    while piece := list(islice(every, LOGS)):
        yield piece


def _length(piece: Sequence[FoundLog]) -> int:
    return sum(len(one.raw) for one in piece)
