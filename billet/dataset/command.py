"""The command `billet dataset`: its arguments and its output."""

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from billet.errors import StartError
from billet.logs.files import SUFFIXES, found_in, named_by
from games.messages import Message
from games.texts.catalogue import Catalogue


def run(names: Sequence[str], output: str, *, verified: bool, jobs: int | None, words: Catalogue) -> int:
    """Write the decisions in the logs of files and directories, and return the exit status: 1 if some are left out.

    Raises StartError when there are no logs, the file cannot be written, or pyarrow is not installed.
    """
    try:
        from billet.dataset import work
    except ModuleNotFoundError as missing:
        if missing.name != "pyarrow":
            raise
        raise StartError("the table needs pyarrow: pip install 'billet-server[dataset]'") from None
    files = named_by(names)
    first = next(files, None)
    if first is None:
        raise StartError(f"no logs below {', '.join(names)}: their names end in {', '.join(SUFFIXES)}")
    logs = (one for name in chain([first], files) for one in found_in(name))

    def report(name: str, why: Message) -> None:
        print(words.text("dataset.left_out", name=name, why=why.written(words)), file=sys.stderr)

    try:
        count = work.write(logs, Path(output), verified=verified, jobs=jobs, report=report)
    except OSError as error:
        raise StartError(f"cannot write {output}: {error.strerror or error}") from error
    print(words.text("dataset.written", file=output, rows=count.rows, games=count.games, left_out=count.left_out))
    return 1 if count.left_out else 0
