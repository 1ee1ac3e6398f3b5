"""Writes the version of a release wherever it stands."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.release.repository import NotReleased, run

UNRELEASED: Final = "## Unreleased\n"
LINES: Final = {
    "pyproject.toml": r'(?m)(?<=^version = ")[^"]+(?="$)',
    "games/version.py": r'(?m)(?<=^VERSION: Final = ")[^"]+(?="$)',
    "Dockerfile": r'(?<=image\.version=")[^"]+(?=")',
    "api/examples.json": r'(?<="package_version": ")[^"]+(?=")',
    "clients/typescript/README.md": r"(?<=billet-client-)[\d.]+(?=\.tgz)",
    "examples/bots/README.md": r"(?<=billet[-_]client-)[\d.]+(?=\.tgz|-py3)",
}
"""Where the version stands in a file."""
NPM: Final = ("clients/typescript", "web")
"""Packages of npm, with their locks."""


def date_changelog(root: Path, version: str) -> None:
    """Puts the version and today's date above the changes that are not released.

    Raises:
        NotReleased: no changes are listed.
    """
    path = root / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8")
    if UNRELEASED not in text:
        raise NotReleased(f"CHANGELOG.md has no heading {UNRELEASED.strip()!r}, so nothing to release")
    heading = f"## {version} ({datetime.now(UTC):%Y-%m-%d})\n"
    path.write_text(text.replace(UNRELEASED, heading), encoding="utf-8")


def set_versions(root: Path, version: str) -> None:
    """Writes the version into every file that names it, but the OpenAPI document.

    Raises:
        NotReleased: a file does not name it where it should.
    """
    for name, where in LINES.items():
        path = root / name
        text, found = re.subn(where, version, path.read_text(encoding="utf-8"))
        if not found:
            raise NotReleased(f"{name} names no version")
        path.write_text(text, encoding="utf-8")
    for folder in NPM:
        run(root / folder, "npm", "version", version, "--no-git-tag-version", "--allow-same-version")


def write_document(root: Path) -> None:
    """Writes the OpenAPI document with the version that the code has."""
    document = run(root, "-m", "billet", "openapi")
    (root / "openapi" / "openapi.json").write_text(document, encoding="utf-8")
