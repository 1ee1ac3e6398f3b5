"""The decision table as Apache Arrow and Parquet: its schema, its rows, and the file.

The same release of pyarrow writes the same rows in the same order as the same bytes.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from billet.dataset.columns import GROUPS, cells
from billet.dataset.decisions import decisions
from games.records.portable import PortableLog
from games.version import VERSION

FORMAT_VERSION: Final = 1
"""Counts up when a column changes its meaning, its type or its name; new ones may come without that."""
GROUP_ROWS: Final = 65_536
"""Rows of a row group; so many are in memory, and not many more."""

COLUMNS: Final = tuple(chain.from_iterable(columns for _, columns in GROUPS))
SCHEMA: Final = pa.schema(
    [pa.field(column.name, column.type, metadata={"meaning": column.meaning}) for column in COLUMNS],
    metadata={
        "format": "billet-decisions",
        "format_version": str(FORMAT_VERSION),
        "package_version": VERSION,
    },
)
"""Each field has its `meaning` as metadata, which Parquet files keep."""


def rows_of(log: PortableLog) -> list[tuple[Any, ...]]:
    """Returns the decisions of a log as rows of the dataset.

    Raises:
        NoDecisions: the log has some that cannot be read.
    """
    return [tuple(cells(decision)) for decision in decisions(log)]


def batch_of(rows: Sequence[tuple[Any, ...]]) -> pa.RecordBatch:
    """Returns rows of the dataset as Arrow keeps them, far smaller."""
    columns = zip(*rows, strict=True) if rows else [()] * len(COLUMNS)
    arrays = [pa.array(values, column.type) for values, column in zip(columns, COLUMNS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


class DatasetWriter:
    """A Parquet file in the making: it bears its name only when it is whole.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        self._part.touch(0o600)
        self._file = self._part.open("wb")
        self._writer = pq.ParquetWriter(self._file, SCHEMA, compression="zstd")
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0

    def __enter__(self) -> "DatasetWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._flush(self._rows)
            self._writer.close()
            self._file.close()
            if kind is None:
                self._part.replace(self._path)
        finally:
            self._part.unlink(missing_ok=True)

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes rows into the dataset's Parquet file in row groups of one size, whatever the size of the batches."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        if self._rows >= GROUP_ROWS:
            self._flush(self._rows - self._rows % GROUP_ROWS)

    def _flush(self, count: int) -> None:
        table = pa.Table.from_batches(self._waiting, SCHEMA)
        if count:
            self._writer.write_table(table.slice(0, count), row_group_size=GROUP_ROWS)
        self._waiting = table.slice(count).combine_chunks().to_batches()
        self._rows -= count


def write(logs: Iterable[PortableLog], path: Path) -> int:
    """Writes the decisions of logs as a dataset's Parquet file, and returns how many they are.

    The logs are taken to be valid. For files of logs there is `work`, which verifies them.

    Raises:
        NoDecisions: a log has some that cannot be read.
        OSError: the file cannot be written.
    """
    count = 0
    with DatasetWriter(path) as writer:
        for log in logs:
            batch = batch_of(rows_of(log))
            writer.write(batch)
            count += batch.num_rows
    return count
