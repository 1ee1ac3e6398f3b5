"""Gathers what is kept about a player, for that player to take away.

`docs/redis.md` lists the keys that hold a player's id and are left out, each with its reason.
"""

from typing import Any

from games.times import text_of
from service.live.notices import Notices
from service.players import Players, check_token, described, program_of, required_token
from service.store.lists.by_time import ListByTime, blocked, invited, opened, played, playing
from service.store.redis.client import RedisClient


class OwnData:
    """Reads everything about a player that is theirs to see."""

    def __init__(self, redis: RedisClient, players: Players, notices: Notices) -> None:
        self._redis = redis
        self._players = players
        self._notices = notices

    def of(self, token_text: str | None) -> dict[str, Any]:
        """Returns all data kept about the player of a token, for them to take away. It changes nothing.

        The data hold no token and no card.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid.
        """
        token = required_token(token_text)
        fields = self._players.stored.fields(token.player)
        player = check_token(token, fields)
        unwelcome = blocked(self._redis, player.id).all()
        named = self._players.named([other for other, _ in unwelcome])
        return {
            "player": player._asdict(),
            "hidden": fields.get("hidden", "").split(),
            "program": program_of(player.id, fields),
            "since": text_of(int(fields["created_at"])) if "created_at" in fields else None,
            "blocked": [{"player": described(named[other]), "since": text_of(at)} for other, at in unwelcome],
            "playing": _games(playing(self._redis, player.id)),
            "played": _games(played(self._redis, player.id)),
            "opened": _games(opened(self._redis, player.id)),
            "invited": _games(invited(self._redis, player.id)),
            "notices": self._notices.kept(player.id),
        }


def _games(entries: ListByTime) -> list[dict[str, Any]]:
    return [{"game": game, "at": text_of(at)} for game, at in entries.all()]
