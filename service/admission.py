"""Decides who may look at a game: its players and creator, holders of the join code or a ticket, or anybody if
public.
"""

from games.errors import Refused, no_such_game
from games.messages import Message
from games.snapshot import Snapshot
from games.tables.join_codes import check_join_code
from games.tables.removals import check_not_removed
from service.changing.changes import Changes
from service.players import check_token, read_token
from service.store.log.event_log import EventLog


class Admission:
    """Opens games for callers who may see them."""

    def __init__(self, log: EventLog, changes: Changes) -> None:
        self._log = log
        self._changes = changes

    def open(
        self, token_text: str | None, game: str, join_code: str | None, why: str = "detail.join_code_to_watch"
    ) -> tuple[Snapshot, str | None]:
        """Returns the current game and the player id of a caller who may look at it; refuses others.

        `why` is the message for a caller who lacks the join code.

        Raises:
            Refused: the token is not valid, there is no such game, it is sealed, the join code is missing or wrong, or
                the caller was removed from the table and has no code.
        """
        token = read_token(token_text)
        reading = self._log.read(game, token.player if token is not None else None)
        caller = check_token(token, reading.fields).id if token is not None else None
        if reading.snapshot is None:
            raise no_such_game()
        snapshot = self._changes.apply_clock_if_writable(reading.snapshot)
        if not snapshot.may_see(caller):
            check_not_sealed(snapshot)
            if join_code is None:
                check_not_removed(snapshot, caller)
            check_join_code(snapshot, join_code, Message(why))
        return snapshot, caller

    def by_ticket(self, game: str, caller: str, *, with_code: bool) -> Snapshot:
        """Returns the current game to the holder of a stream's ticket, issued with the join code or without.

        Raises:
            Refused: there is no such game, or the caller needed no join code when the ticket was issued but would now.
                A ticket proves only who the caller is; players whose invitation has ended, or who were removed, may not
                look at an unlisted game.
        """
        snapshot = self._log.read(game).snapshot
        if snapshot is None:
            raise no_such_game()
        snapshot = self._changes.apply_clock_if_writable(snapshot)
        if not with_code and not snapshot.may_see(caller):
            check_not_sealed(snapshot)
            check_not_removed(snapshot, caller)
            raise Refused("join_code_wrong", Message("detail.join_code_to_watch"))
        return snapshot


def check_not_sealed(snapshot: Snapshot) -> None:
    """Checks that others are not dealt the cards of a game, which it then keeps to itself.

    Raises:
        Refused: `game_not_finished`.
    """
    if snapshot.sealed:
        raise Refused("game_not_finished", Message("detail.sealed"))
