"""Reads the tables of players by rating, from any place, and around a player."""

from typing import Any, Final

from games.errors import Refused
from games.messages import Message
from games.ratings.pools import POOLS
from games.views.page_limits import MOST_RANKED
from service.inputs.clock import now_ms
from service.lobby import page_cursor, read_cursor
from service.players import Players, described
from service.results.player_pages import check_pool, rating_of
from service.store.lists.by_time import NEVER
from service.store.ratings.stored_pools import StoredPool, sizes
from service.store.redis.client import RedisClient

ME: Final = "me"


class Leaderboards:
    """The leaderboards of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, players: Players) -> None:
        self._redis = redis
        self._players = players

    def all(self) -> dict[str, Any]:
        """Returns all leaderboards, each with how many players it has."""
        counts = sizes(self._redis, POOLS)
        return {"items": [_described(pool, count) for pool, count in zip(POOLS, counts, strict=True)]}

    def page(
        self,
        token: str | None,
        pool: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        around: str | None = None,
    ) -> dict[str, Any]:
        """Returns a page of a leaderboard: the strongest first, from a cursor on, or else around a player (`ME`).

        Raises:
            Refused: the token is not valid, `unauthenticated`, without one there is no "me"; `not_found`, there is no
                such leaderboard, or the player is not on it; or the cursor is not one of this list.
        """
        caller = self._players.authenticate(token).id if token is not None or around == ME else None
        check_pool(pool)
        stored, most = StoredPool(self._redis, pool), min(limit or MOST_RANKED, MOST_RANKED)
        first = min(max(0, read_cursor(cursor)[1]), NEVER) if cursor is not None else 0
        if around is not None and cursor is None:
            rank = stored.rank(caller if around == ME and caller is not None else around)
            if rank is None:
                raise Refused("not_found", Message("detail.not_ranked"))
            first = max(0, rank - most // 2)
        ids, count = stored.page(first, most)
        following = first + len(ids)
        return {
            **_described(pool, count),
            "items": self._ranked(stored, ids, first),
            "next_cursor": page_cursor(0, following, "") if ids and following < count else None,
            "previous_cursor": page_cursor(0, max(0, first - most), "") if first else None,
        }

    def _ranked(self, stored: StoredPool, ids: list[str], first: int) -> list[dict[str, Any]]:
        named, now = self._players.named(ids), now_ms()
        return [
            {"rank": rank, "player": described(named[player]), **rating_of(standing, now)}
            for rank, (player, standing) in enumerate(zip(ids, stored.latest(ids), strict=True), first + 1)
            if standing is not None  # else the game that has rated them is just being removed
        ]


def _described(pool: str, players: int) -> dict[str, Any]:
    edition, size, pace, kind = _parts(pool)
    return {"pool": pool, "edition": edition, "size": size, "pace": pace, "kind": kind, "players": players}


def _parts(pool: str) -> list[str]:
    edition, _, rest = pool.partition("-")
    return [edition, *rest.rsplit("-", 2)]
