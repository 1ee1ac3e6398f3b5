"""How the processes write what they log: of an error its kind and its place, never its text, which may name a card."""

import logging
import traceback
from collections.abc import Iterator
from typing import Any, Final

FORMAT: Final = "%(levelname)s %(name)s: %(message)s"


class Discreet(logging.Formatter):
    """Writes errors without what they say."""

    def formatException(self, ei: Any) -> str:
        """Returns where an error and those that led to it were raised, and their kinds."""
        return "\n".join("".join(traceback.format_tb(one.__traceback__)) + kind_of(one) for one in _chain(ei[1]))


def configure(level: str) -> None:
    """Lets this process write lines of a level and above, to its standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet(FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def kind_of(error: BaseException) -> str:
    """Returns what may be said of an error."""
    return f"{type(error).__module__}.{type(error).__qualname__}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yields the errors that led to an error, the first one first."""
    if error is not None:
        yield from _chain(error.__cause__ or (None if error.__suppress_context__ else error.__context__))
        yield error
