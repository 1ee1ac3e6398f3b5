"""Whole logs of games that have ended, for anybody who may watch them; what is in one is for `portable`."""

from service.admission import Admission
from service.errors import Refused
from service.log import EventLog
from service.portable import PortableLog, portable
from service.said import Said


class Logs:
    """Gives whole logs away."""

    def __init__(self, log: EventLog, admission: Admission) -> None:
        self._log = log
        self._admission = admission

    def of(self, token: str | None, game: str, join_code: str | None = None) -> PortableLog:
        """Returns the portable log of a game.

        Raises:
            Refused: the token is not valid, there is no such game, the join code is missing or wrong, or the game has
                not ended.
        """
        snapshot, _ = self._admission.open(token, game, join_code)
        if not snapshot.ended:
            raise Refused("game_not_finished", Said("detail.log_too_early"))
        return portable([stored for _, stored in self._log.stored(snapshot)])
