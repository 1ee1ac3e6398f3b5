"""Prints a game in words, or writes it into a page."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from billet.errors import StartError
from billet.escaping import plain
from billet.replay.frames import frames_of, viewer_of
from billet.replay.source import Played
from games.messages import Message
from games.records.verification import UNFIT
from games.texts.catalogue import Catalogue

SILENT: Final = frozenset(
    {"turn_started", "card_resolved", "seat_marked", "decision_taken", "time_spent", "secret_revealed"}
)
"""The events that add nothing for a reader of the others."""


def run(played: Played, seat: str | None, words: Catalogue) -> None:
    """Prints what a seat saw of a game, or everything, in sentences.

    Raises:
        StartError: the seat does not exist, or the log is invalid and cannot be shown.
    """
    with _refusing_unfit(played, words):
        lines = [*_lines(frames_of(played, viewer_of(played, seat, words), words))]
    if played.doubt is not None:
        print(plain(words.text("replay.doubt", why=played.doubt.written(words))), file=sys.stderr)
    for line in lines:
        print(plain(line))


def write(played: Played, file: str, words: Catalogue) -> None:
    """Writes the replay of a finished game into one HTML file with everything that shows and verifies it.

    Raises:
        StartError: the file cannot be written, or the log is invalid and cannot be shown.
    """
    from billet.replay.film import film

    with _refusing_unfit(played, words):
        page = film(played, words)
    try:
        Path(file).write_text(page, encoding="utf-8")
    except OSError as error:
        raise StartError(f"{file}: {error.strerror}") from None


@contextmanager
def _refusing_unfit(played: Played, words: Catalogue) -> Iterator[None]:
    """Raises StartError if a `with` block cannot show a game because its log, which is not valid, does not fit."""
    try:
        yield
    except UNFIT:
        if played.doubt is None:
            raise
        raise StartError(words.text("replay.unfit", why=Message("log.does_not_fit").written(words))) from None


def _lines(frames: Sequence[dict[str, Any]]) -> Iterator[str]:
    for one in frames:
        for event in one["events"]:
            if event["type"] == "round_started":
                yield ""
                yield f"--- {event['text']}."
            elif event["type"] not in SILENT:
                yield f"{event['text']}."
