"""Keeps what a release has stored and published, for tests that hold later versions against it."""

import shutil
from pathlib import Path
from typing import Final

from tools.release.repository import run

HEAD_LINES: Final = 2
"""What the file of announced breaks says of itself."""


def keep_document(root: Path, version: str) -> None:
    """Keeps the OpenAPI document; breaks that were announced for this release are no longer to be found."""
    openapi = root / "openapi"
    (openapi / "released").mkdir(exist_ok=True)
    shutil.copyfile(openapi / "openapi.json", openapi / "released" / f"openapi-{version}.json")
    announced = root / "tools" / "document" / "breaking" / "announced.txt"
    head = announced.read_text(encoding="utf-8").splitlines(keepends=True)[:HEAD_LINES]
    announced.write_text("".join(head), encoding="utf-8")


def keep_logs(root: Path, version: str) -> None:
    """Keeps the golden logs as this release plays and writes them."""
    golden = root / "tests" / "golden"
    shutil.copytree(golden / "logs", golden / "released" / version)


def keep_installation(root: Path) -> None:
    """Keeps the backup of an installation with games of every kind, and what was seen there."""
    run(root, "-m", "tests.golden.installations")
