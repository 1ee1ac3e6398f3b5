"""Who may look at a game: by a seat, as its creator, by a join code, by a ticket, or because it is public."""

from service.changes import Changes
from service.errors import no_such_game
from service.guesses import check_join_code
from service.log import EventLog
from service.players import check_token, read_token
from service.said import Said
from service.snapshot import Snapshot


class Admission:
    """Opens games for those who may see them."""

    def __init__(self, log: EventLog, changes: Changes) -> None:
        self._log = log
        self._changes = changes

    def open(
        self, token_text: str | None, game: str, join_code: str | None, why: str = "detail.join_code_to_watch"
    ) -> tuple[Snapshot, str | None]:
        """Returns the game as it is now and the caller's player id; `why` is what one is told who needs the code.

        Raises:
            Refused: the token is not valid, there is no such game, or the join code is missing or wrong.
        """
        token = read_token(token_text)
        reading = self._log.read(game, token.player if token is not None else None)
        caller = check_token(token, reading.caller).id if token is not None else None
        if reading.snapshot is None:
            raise no_such_game()
        snapshot = self._changes.up_to_time(reading.snapshot)
        known = caller is not None and (
            caller in snapshot.players or caller == snapshot.table.creator or caller in snapshot.state.offers.values()
        )
        if snapshot.table.visibility != "public" and not known:
            check_join_code(snapshot, join_code, Said(why))
        return snapshot, caller

    def by_ticket(self, game: str) -> Snapshot:
        """Returns the game as it is now, for one whose ticket says that they may see it.

        Raises:
            Refused: there is no such game.
        """
        snapshot = self._log.read(game).snapshot
        if snapshot is None:
            raise no_such_game()
        return self._changes.up_to_time(snapshot)
