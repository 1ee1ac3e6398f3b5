"""Who may look at a game: by a seat, as its creator, by a join code, by a ticket, or because it is public."""

from service.changes import Changes
from service.errors import Refused, no_such_game
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
        if not may_see(snapshot, caller):
            check_join_code(snapshot, join_code, Said(why))
        return snapshot, caller

    def by_ticket(self, game: str, caller: str, *, with_code: bool) -> Snapshot:
        """Returns the game as it is now, for one who has got a ticket, with the join code or without.

        Raises:
            Refused: there is no such game, or the caller needed no join code then and would now: a ticket says who they
                are, and who is not invited any more may not look at an unlisted game.
        """
        snapshot = self._log.read(game).snapshot
        if snapshot is None:
            raise no_such_game()
        snapshot = self._changes.up_to_time(snapshot)
        if not with_code and not may_see(snapshot, caller):
            raise Refused("join_code_wrong", Said("detail.join_code_to_watch"))
        return snapshot


def may_see(snapshot: Snapshot, caller: str | None) -> bool:
    """Whether a caller may look at a game without its join code."""
    if snapshot.table.visibility == "public":
        return True
    return caller is not None and (
        caller in snapshot.players or caller == snapshot.table.creator or caller in snapshot.state.offers.values()
    )
