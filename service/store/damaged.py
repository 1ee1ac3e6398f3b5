"""Skips a damaged game, so that the other games are still processed."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from games.errors import Refused, Unavailable
from games.log_lines import kind_of

_log = logging.getLogger(__name__)


@contextmanager
def leaving_out(game: str, of: str) -> Iterator[None]:
    """Logs and suppresses the error of an unreadable game; `of` names what it is left out of."""
    try:
        yield
    except (Refused, Unavailable):
        raise
    except Exception as error:
        _log.error("game %s is left out of %s, for it cannot be read: %s", game, of, kind_of(error))
