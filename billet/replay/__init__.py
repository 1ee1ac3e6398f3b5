"""Replays a game in the terminal, step by step, as a viewer may see it."""

import os
import sys
from pathlib import Path

from billet.errors import StartError
from billet.escaping import plain
from billet.replay.course import ReplayCourse, viewer_of
from billet.replay.show import ReplayPages
from billet.replay.source import Played
from games.messages import Message
from games.records.verification import UNFIT
from games.texts.catalogue import Catalogue


def run(played: Played, viewer: str | None, version: int | None, words: Catalogue) -> None:
    """Replays a game as a seat or `all` may see it: interactively in a terminal, else printed, whole or at a version.

    Raises:
        StartError: the seat or version does not exist, the viewer may not see a game that has not ended, or its log
            is invalid and cannot be shown.
    """
    try:
        _show_replay(played, viewer, version, words)
    except UNFIT:
        if played.doubt is None:
            raise
        why = Message("log.does_not_fit").written(words)
        raise StartError(words.text("import.unfit", why=why)) from None


def write(played: Played, file: str, words: Catalogue) -> None:
    """Writes the replay of a finished game into one HTML file with everything that shows and verifies it.

    Raises:
        StartError: the game goes on, or the file cannot be written.
    """
    from billet.replay.film import film

    page = film(played, words)
    try:
        Path(file).write_text(page, encoding="utf-8")
    except OSError as error:
        raise StartError(f"{file}: {error.strerror}") from None


def _show_replay(played: Played, viewer: str | None, version: int | None, words: Catalogue) -> None:
    course = ReplayCourse(played, viewer_of(played, viewer, words), words)
    if version is not None and version > course.version:
        raise StartError(words.text("replay.no_version", wanted=version, last=course.version))
    if _in_terminal():
        from billet.replay import screen

        screen.run(course, course.step_at(version or 1))
        return
    pages = ReplayPages(course)
    for line in [*pages.doubt()]:
        print(plain(line), file=sys.stderr)
    lines = pages.whole() if version is None else pages.page(course.step_at(version), version)
    for line in lines:
        print(plain(line))


def _in_terminal() -> bool:
    """Returns whether a replay has an interactive terminal for input and output."""
    known = os.environ.get("TERM", "dumb") != "dumb" and sys.platform != "win32"
    return known and sys.stdin.isatty() and sys.stdout.isatty()
