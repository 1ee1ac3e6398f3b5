"""Compares the published document with the last released one: `python -m tools.document.breaking [OLD NEW]`.

Fails on every break that is not listed in `announced.txt` beside this file, and on every line there that is no longer
a break.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from tools.document.breaking.operations import breaking

FOLDER: Final = Path(__file__).parents[3] / "openapi"
PUBLISHED: Final = FOLDER / "openapi.json"
ANNOUNCED: Final = Path(__file__).with_name("announced.txt")


def last_released(folder: Path) -> Path | None:
    """Returns the document of the highest version in a folder; None if nothing is released.

    Raises:
        ValueError: a file is not named after a version.
    """
    return max(folder.glob("*.json"), key=version, default=None)


def version(path: Path) -> tuple[int, int, int]:
    """Returns the sort key of a released document: the version in its name.

    Raises:
        ValueError: the file is not named after one.
    """
    match = re.fullmatch(r"openapi-(\d+)\.(\d+)\.(\d+)\.json", path.name)
    if match is None:
        raise ValueError(f"{path.name} is not the name of a released document")
    return int(match[1]), int(match[2]), int(match[3])


def announced(text: str) -> set[str]:
    """Returns the announced findings; all other lines are empty or comments."""
    return {line for line in text.splitlines() if line and not line.startswith("#")}


def judged(found: list[str], meant: set[str]) -> list[str]:
    """Returns the errors: breaks that are not announced, and announced ones that are no break."""
    unannounced = [f"breaks: {finding}" for finding in found if finding not in meant]
    return unannounced + [f"announced, but not found: {finding}" for finding in sorted(meant - set(found))]


def read(path: Path) -> Any:
    """Returns a document from its file."""
    return json.loads(path.read_text(encoding="utf-8"))


def main(arguments: list[str], released: Path = FOLDER / "released") -> int:
    """Prints the errors, one a line; returns 1 if there are any. Without a release, there is nothing to break."""
    if arguments:
        old, new, meant = Path(arguments[0]), Path(arguments[1]), set[str]()
    elif (last := last_released(released)) is not None:
        old, new, meant = last, PUBLISHED, announced(ANNOUNCED.read_text(encoding="utf-8"))
    else:
        print("Nothing is released yet, so there is no document to compare with.")
        return 0
    wrong = judged(breaking(read(old), read(new)), meant)
    for line in wrong:
        print(line)
    if wrong:
        print(f"{new.name} breaks clients of {old.name}; openapi/README.md says what to do.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
