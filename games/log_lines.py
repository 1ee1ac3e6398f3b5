"""Formats what processes log: an error's kind and place, never its text, which may name a card."""

import logging
import os
import traceback
from collections.abc import Iterator
from typing import Any, Final

FORMAT: Final = "%(levelname)s %(name)s: %(message)s"


class Discreet(logging.Formatter):
    """Formats errors without their texts."""

    def formatException(self, ei: Any) -> str:
        """Returns the kinds of an error and its causes, and where they were raised."""
        return "\n".join("".join(traceback.format_tb(one.__traceback__)) + kind_of(one) for one in _chain(ei[1]))


def configure(level: str) -> None:
    """Configures this process to log lines of a level and above to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet(FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def kind_of(error: BaseException) -> str:
    """Returns what may be logged of an error: its kind, and the system's words for its number."""
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    if isinstance(error, OSError) and error.errno:
        return f"{kind} ({os.strerror(error.errno)})"
    return kind


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yields the causes of an error and the error itself, the first cause first."""
    if error is not None:
        yield from _chain(error.__cause__ or (None if error.__suppress_context__ else error.__context__))
        yield error
