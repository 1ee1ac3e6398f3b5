"""Leaves out a game that somebody has damaged, so that the others are seen to; how it is mended is for operators."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from service.errors import Refused, Unavailable
from service.log_lines import kind_of

_log = logging.getLogger(__name__)


@contextmanager
def leaving_out(game: str, of: str) -> Iterator[None]:
    """Goes on after what is done within, though the game cannot be read; what it is left `of` is for operators."""
    try:
        yield
    except (Refused, Unavailable):
        raise
    except Exception as error:
        _log.error("game %s is left out of %s, for it cannot be read: %s", game, of, kind_of(error))
