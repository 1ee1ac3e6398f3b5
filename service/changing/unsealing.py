"""Reveals the secret of games whose deal others were dealt, too, once all of them have ended."""

import logging

from games.causes import Unseal
from games.errors import Unavailable, kind_of
from service.changing.changes import Changes
from service.store.log.event_log import EventLog, VersionConflict

_log = logging.getLogger(__name__)


def unseal(log: EventLog, changes: Changes, game: str) -> bool:
    """Reveals the secret of a sealed game that has ended; returns whether it is revealed now.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    try:
        snapshot = log.read(game).snapshot
        if snapshot is None or not snapshot.sealed:
            return True
        changes.by_service(snapshot, Unseal())
    except VersionConflict:
        return False
    except Unavailable:
        raise
    except Exception as error:
        _log.error("game %s cannot be unsealed and is tried again: %s", game, kind_of(error))
        return False
    return True
