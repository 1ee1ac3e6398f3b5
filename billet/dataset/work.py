"""Makes the table of decisions of files of logs: many beside each other, the rows always in the order of the files.

Each log is verified before its decisions are told, unless it is said that it has been. One that is not valid, or whose
decisions cannot be told, is reported and left out.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from billet import log_files
from billet.dataset.decisions import NoDecisions
from billet.dataset.table import DatasetWriter, Rows
from billet.parenthood import dies_with
from service import verdicts
from service.portable import Unreadable
from service.texts.catalogue import catalogue
from service.verification import verify

FILES: Final = 32
"""How many files are dealt with at once: few enough that their rows take little memory."""
AHEAD: Final = 2
"""How many such pieces a process may be ahead of the one that is written."""


class Made(NamedTuple):
    """What came of some files."""

    rows: pa.RecordBatch
    games: int
    left_out: Sequence[tuple[Path, str]]
    """The files that are not in it, each with the reason."""


class Count(NamedTuple):
    """What came of all files."""

    rows: int
    games: int
    left_out: int


def made(paths: Sequence[Path], *, most: int, verified: bool) -> Made:
    """Returns the decisions of some files of logs of at most so many bytes each; `verified` ones are not verified."""
    rows, games = Rows(), 0
    left_out = []
    for path in paths:
        try:
            log = log_files.read(path, most)
            if not verified:
                _demand_valid(log)
            rows.add(log)
            games += 1
        except OSError as error:
            left_out.append((path, error.strerror or str(error)))
        except Unreadable as error:
            left_out.append((path, error.why.written(catalogue("en"))))
        except NoDecisions as error:
            left_out.append((path, str(error)))
    return Made(rows.taken(), games, left_out)


def _demand_valid(log: Any) -> None:
    verdict = verify(log)
    if not verdict.valid:
        said = [verdicts.sentence(verdict), *(one.why for one in verdict.unchecked)]
        raise NoDecisions(" ".join(one.written(catalogue("en")) for one in said))


def write(
    paths: Iterable[Path], to: Path, *, most: int, verified: bool, jobs: int, report: Callable[[Path, str], None]
) -> Count:
    """Writes the decisions of files of logs as a Parquet file; `report` is told of each that is left out, and why.

    Raises:
        OSError: the file cannot be written.
    """
    work = partial(made, most=most, verified=verified)
    rows = games = left_out = 0
    with DatasetWriter(to) as writer:
        for one in _in_order(work, _pieces(paths), jobs):
            writer.write(one.rows)
            rows += one.rows.num_rows
            games += one.games
            left_out += len(one.left_out)
            for path, why in one.left_out:
                report(path, why)
    return Count(rows, games, left_out)


def _pieces(paths: Iterable[Path]) -> Iterator[list[Path]]:
    every = iter(paths)
    while piece := list(islice(every, FILES)):
        yield piece


def _in_order(work: Callable[[Sequence[Path]], Made], pieces: Iterator[Sequence[Path]], jobs: int) -> Iterator[Made]:
    """Yields what comes of pieces of work, in their order, done by some processes that are never far ahead."""
    first = list(islice(pieces, 2))
    if jobs == 1 or len(first) < 2:
        yield from map(work, chain(first, pieces))
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (os.getpid(),)) as pool:
        doing: deque[Future[Made]] = deque()
        try:
            doing.extend(pool.submit(work, piece) for piece in (*first, *islice(pieces, jobs * AHEAD - 2)))
            while doing:
                yield doing.popleft().result()
                doing.extend(pool.submit(work, piece) for piece in islice(pieces, 1))
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(parent: int) -> None:
    """Lets a process end with the one that started it, which alone is interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    dies_with(parent)()
