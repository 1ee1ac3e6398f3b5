"""A game once more in the terminal, step by step, as a viewer may see it; what may be seen is the service's to say."""

import os
import sys

from billet.errors import StartError
from billet.plain import plain
from billet.replay.course import Course, viewer_of
from billet.replay.show import Pages
from billet.replay.source import Played
from service.texts.catalogue import Catalogue


def run(played: Played, viewer: str | None, version: int | None, words: Catalogue) -> None:
    """Shows a game as a seat or `all` may see it: in a terminal to step through, else printed, whole or at a version.

    Raises:
        StartError: there is no such seat or version, or the game has not ended and may not be seen so.
    """
    course = Course(played, viewer_of(played, viewer, words), words)
    if version is not None and version > course.version:
        raise StartError(words.text("replay.no_version", wanted=version, last=course.version))
    if _in_terminal():
        from billet.replay import screen

        screen.run(course, course.step_at(version or 1))
        return
    pages = Pages(course)
    for line in [*pages.doubt()]:
        print(plain(line), file=sys.stderr)
    lines = pages.whole() if version is None else pages.page(course.step_at(version), version)
    for line in lines:
        print(plain(line))


def _in_terminal() -> bool:
    """Whether somebody can press keys and see what comes of it."""
    known = os.environ.get("TERM", "dumb") != "dumb" and sys.platform != "win32"
    return known and sys.stdin.isatty() and sys.stdout.isatty()
