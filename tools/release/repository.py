"""Asks and changes the Git repository of a release, and runs programs in it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

FORM: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
"""A version of Python and of npm alike."""


class NotReleased(Exception):
    """Says why there is no release."""


def run(root: Path, *command: str) -> str:
    """Runs a program in a folder and returns its output; arguments that begin with an option are for Python.

    Raises:
        NotReleased: the program fails.
    """
    words = [sys.executable, *command] if command[0].startswith("-") else [*command]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        back = "`git reset --hard && git clean -d --force openapi tests` goes back"
        raise NotReleased(f"{' '.join(words)}: {done.stdout}{done.stderr}\n{back}")
    return done.stdout


def check_version(root: Path, version: str) -> None:
    """Checks that a version is one, and later than every released one.

    Raises:
        NotReleased: it is not.
    """
    if FORM.fullmatch(version) is None:
        raise NotReleased(f"{version!r} is no version such as 1.0.0")
    tags = run(root, "git", "tag", "--list", "v*").split()
    released = [tag.removeprefix("v") for tag in tags if FORM.fullmatch(tag.removeprefix("v"))]
    if version in released:
        raise NotReleased(f"{version} has been released")
    last = max(released, key=_numbers, default="0.0.0")
    if _numbers(version) < _numbers(last):
        raise NotReleased(f"{version} is older than {last}, which has been released")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def check_tree(root: Path) -> None:
    """Checks that the checkout is what was committed.

    Raises:
        NotReleased: something is changed, or not tracked.
    """
    if changed := run(root, "git", "status", "--porcelain"):
        raise NotReleased(f"commit or remove what is not committed first:\n{changed}")


def commit_and_tag(root: Path, version: str) -> None:
    """Commits everything, and tags it with the version."""
    run(root, "git", "add", "--all")
    run(root, "git", "commit", "--quiet", "--message", f"Release {version}")
    run(root, "git", "tag", "--annotate", f"v{version}", "--message", f"Billet {version}")
