"""Files of portable logs: which there are below what a command was given, and what one holds; no log is judged here."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from billet.errors import StartError
from service.portable import TooLong, parsed, unpacked
from service.said import Said

SUFFIXES: Final = tuple(form + packed for form in (".json", ".ndjson", ".jsonl") for packed in ("", ".gz"))
"""How the names of logs end in a directory; a file that is named itself may be called as it likes."""
_GZIP: Final = b"\x1f\x8b"


def found(names: Sequence[str]) -> Iterator[Path]:
    """Returns the files that are named, and the logs below the directories that are named, always in the same order.

    Raises:
        StartError: there is no such file or directory.
    """
    paths = [Path(name) for name in names]
    for path in paths:
        if not path.exists():
            raise StartError(f"there is no {path}")
    return (file for path in paths for file in (_below(path) if path.is_dir() else [path]))


def _below(directory: Path) -> Iterator[Path]:
    for folder, inner, files in os.walk(directory):
        inner.sort()
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(SUFFIXES))


def read(path: Path, most: int) -> Any:
    """Returns what a file holds, JSON or lines of it, packed by gzip or not, as a log would have it.

    Raises:
        OSError: it cannot be read.
        Unreadable: it holds nothing of the kind, or more than `most` bytes.
    """
    with path.open("rb") as file:
        raw = file.read(most + 1)
    if len(raw) > most:
        raise TooLong(Said("log.too_long", {"most": most}))
    return parsed(unpacked(raw, most) if raw.startswith(_GZIP) else raw)
