"""Limits how many games one player, or one address, may have open at once."""

from games.errors import full
from service.players import Opener, Players


class OpenGames:
    """The limits of an installation."""

    def __init__(self, players: Players, by_player: int, by_address: int) -> None:
        """`by_player` and `by_address` limit how many unfinished games each may have opened; 0 means any number."""
        self._players = players
        self._by_player = by_player
        self._by_address = by_address

    def check(self, opener: Opener) -> None:
        """Checks that a player, at their address, may open one more game.

        Raises:
            Refused: `rate_limited`, by `open_games` or `open_games_by_address`.
        """
        # An index may hold ended games, so it is cleaned up before anybody is refused.
        stored, most = self._players.stored, self._by_player
        if 0 < most <= opener.opened and stored.still_open(opener.player.id) >= most:
            raise full("open_games", "detail.too_many_open", most=most)
        most = self._by_address
        if opener.share and 0 < most <= opener.opened_from and stored.still_open_from(opener.share) >= most:
            raise full("open_games_by_address", "detail.too_many_open_from_address", most=most)
