"""A player as a game knows one: an id, a name and a kind."""

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from engine.bots import BOTS
from games.ids import BOT_PREFIX

ONLINE, HISTORY, RATINGS = "online", "history", "ratings"
HIDEABLE: Final = (ONLINE, HISTORY, RATINGS)
"""What a player may hide from others."""


class Player(NamedTuple):
    """A player: an id, a name, and `human` or `bot` (for programs that register as one)."""

    id: str
    name: str
    kind: str


class Naming(Protocol):
    """Looks up the names of players."""

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns the players with these ids, for the views and texts of a game."""


def bot_player(name: str) -> str:
    """Returns the id as a player of one of the service's own bots."""
    assert name in BOTS
    return BOT_PREFIX + name
