"""Decides where players get aids."""

from games.errors import Refused
from games.messages import Message
from games.snapshot import Snapshot


def check_aids(snapshot: Snapshot) -> None:
    """Checks that a game gives aids: it has ended, is a sandbox, or its table allows them.

    Raises:
        Refused: `aids_off`.
    """
    if not (snapshot.table.aids or snapshot.table.sandbox or snapshot.ended):
        raise Refused("aids_off", Message("detail.aids_off"))


def check_round(snapshot: Snapshot) -> None:
    """Checks that a round has begun, about which something can be known.

    Raises:
        Refused: `game_not_started`.
    """
    if not snapshot.state.round_number:
        raise Refused("game_not_started", Message("detail.no_round_yet"))
