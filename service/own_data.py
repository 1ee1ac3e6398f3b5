"""Gathers what is kept about a player, for that player to take away.

`docs/redis.md` lists the keys that hold a player's id and are left out, each with its reason.
"""

from typing import Any, Final

from games.times import text_of
from service.live.noticeboard import Notices
from service.players import Players, check_token, described, required_token
from service.store import keys
from service.store.exchange.connection import Exchange

SCANNED: Final = 1000
"""About how many entries of a list are read in one round trip, so that a long one never holds Redis up."""


class OwnData:
    """Reads everything about a player that is theirs to see."""

    def __init__(self, exchange: Exchange, players: Players, notices: Notices) -> None:
        self._exchange = exchange
        self._players = players
        self._notices = notices

    def of(self, token_text: str | None) -> dict[str, Any]:
        """Returns the data of the player of a token. It changes nothing, and holds no token and no card.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid.
        """
        token = required_token(token_text)
        fields = self._players.stored.fields(token.player)
        player = check_token(token, fields)
        blocked = self._entries(keys.blocked(player.id))
        named = self._players.named([other for other, _ in blocked])
        return {
            "player": player._asdict(),
            "since": text_of(int(fields["created_at"])) if "created_at" in fields else None,
            "blocked": [{"player": described(named[other]), "since": text_of(at)} for other, at in blocked],
            "playing": self._games(keys.playing(player.id)),
            "played": self._games(keys.played(player.id)),
            "opened": self._games(keys.opened(player.id)),
            "invited": self._games(keys.invited(player.id)),
            "notices": self._notices.kept(player.id),
        }

    def _games(self, index: str) -> list[dict[str, Any]]:
        return [{"game": game, "at": text_of(at)} for game, at in self._entries(index)]

    def _entries(self, index: str) -> list[tuple[str, int]]:
        """Returns the entries of a sorted set with their times in milliseconds, the newest first."""
        found: dict[str, int] = {}
        at = -1
        while at != 0:
            following, some = self._exchange.send(("ZSCAN", index, max(at, 0), "COUNT", SCANNED))[0]
            at = int(following)
            found |= {name.decode(): int(float(score)) for name, score in zip(some[::2], some[1::2], strict=True)}
        return sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
