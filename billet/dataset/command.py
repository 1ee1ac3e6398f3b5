"""The command `billet dataset`: what it is asked and what it says; how the table is made is for `work`."""

import os
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from billet import log_files
from billet.errors import StartError


def run(names: Sequence[str], output: str, *, most: int, verified: bool, jobs: int | None) -> int:
    """Write the decisions of the logs that `names` stand for, and return the exit status: 1 if some are left out.

    Raises StartError when there are no logs, the file cannot be written, or pyarrow is not installed.
    """
    try:
        from billet.dataset import work
    except ModuleNotFoundError as missing:
        if missing.name != "pyarrow":
            raise
        raise StartError("the table is made with pyarrow, which is missing: pip install 'billet[dataset]'") from None
    if jobs is not None and jobs < 1:
        raise StartError("--jobs must be at least 1")
    paths = log_files.found(names)
    first = next(paths, None)
    if first is None:
        raise StartError(f"no logs below {', '.join(names)}: their names end in {', '.join(log_files.SUFFIXES)}")
    try:
        count = work.write(
            chain([first], paths), Path(output), most=most, verified=verified, jobs=jobs or _cores(), report=_report
        )
    except OSError as error:
        raise StartError(f"cannot write {output}: {error.strerror or error}") from error
    left_out = f"; {count.left_out} logs are left out" if count.left_out else ""
    print(f"{output}: {count.rows} decisions of {count.games} games{left_out}")
    return 1 if count.left_out else 0


def _report(path: Path, why: str) -> None:
    print(f"billet: {path}: {why}", file=sys.stderr)


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
