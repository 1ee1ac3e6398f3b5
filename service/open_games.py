"""Limits how many games one player, or one address, may have open at once."""

from games.errors import Refused
from games.messages import Message
from service.players import Opener, Players
from service.store import keys

ROOM_SECONDS = 60
"""How long a player with too many open games is told to wait. Nobody can know when one of them will end."""


class OpenGames:
    """The limits of an installation."""

    def __init__(self, players: Players, by_player: int = 0, by_address: int = 0) -> None:
        """`by_player` and `by_address` are how many unfinished games each may have opened; 0 means any number."""
        self._players = players
        self._by_player = by_player
        self._by_address = by_address

    def check(self, opener: Opener) -> None:
        """Checks that one more game may be opened.

        Raises:
            Refused: `rate_limited`, by `open_games` or `open_games_by_address`.
        """
        if self._full(keys.opened(opener.player.id), opener.opened, self._by_player):
            raise _too_many("detail.too_many_open", "open_games", self._by_player)
        if opener.share and self._full(keys.opened_from(opener.share), opener.opened_from, self._by_address):
            raise _too_many("detail.too_many_open_from_address", "open_games_by_address", self._by_address)

    def _full(self, index: str, opened: int, most: int) -> bool:
        # The index may hold ended games, so clean it up before refusing anybody.
        return bool(most) and opened >= most and self._players.still_open(index) >= most


def _too_many(detail: str, limit: str, most: int) -> Refused:
    return Refused("rate_limited", Message(detail, {"most": most}), limit=limit, retry_after=ROOM_SECONDS)
