"""Returns whole logs of ended games to callers who may watch them."""

from games.errors import Refused
from games.messages import Message
from games.records.portable import PortableLog, portable
from service.admission import Admission
from service.store.log.event_log import EventLog


class Logs:
    """Returns whole logs."""

    def __init__(self, log: EventLog, admission: Admission) -> None:
        self._log = log
        self._admission = admission

    def of(self, token: str | None, game: str, join_code: str | None = None) -> PortableLog:
        """Returns the portable log of an ended game to a caller who may watch it.

        Raises:
            Refused: the token is not valid, there is no such game, the join code is missing or wrong, or the game has
                not ended.
        """
        snapshot, _ = self._admission.open(token, game, join_code)
        if not snapshot.ended:
            raise Refused("game_not_finished", Message("detail.log_too_early"))
        return portable([stored for _, stored in self._log.stored(snapshot)])
