"""Lays out tables for a terminal."""

from collections.abc import Iterable, Iterator, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Iterator[str]:
    """Yields the lines of a table: the first columns, so many as are `words`, left-aligned, numbers right-aligned."""
    every = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    for row in every:
        cells = [cell.ljust(width) for cell, width in zip(row[:words], widths[:words], strict=True)]
        cells += [cell.rjust(width) for cell, width in zip(row[words:], widths[words:], strict=True)]
        yield "  ".join(cells).rstrip()
