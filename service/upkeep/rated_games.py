"""Rates all games anew from their logs: the ratings come out equal, to the last digit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.ratings.pools import POOLS, RatedGame
from service.results.rating import Ratings
from service.store.ratings.stored_pools import StoredPool
from service.store.redis.client import RedisClient

FOLDING_SECONDS: Final = 60.0
"""After how long the fold of a pool looks up; it goes on at once."""


def rate_anew(
    redis: RedisClient,
    ratings: Ratings,
    rated: Mapping[str, Sequence[RatedGame]],
    is_rated: Callable[[str, str], bool],
) -> None:
    """Has every pool hold the games that its logs say it has, and folds it from its first game.

    `rated` are the games found, by pool. Others may have ended meanwhile: `is_rated` says whether one of them belongs
    to a pool.

    Raises:
        Unavailable: Redis cannot be reached; repeat it.
    """
    for pool in POOLS:
        stored = StoredPool(redis, pool)
        found = sorted(rated.get(pool, ()), key=lambda game: (game.ended_ms, game.game))
        for game in found:
            stored.add(game)
        known = {game.game for game in found}
        listed = stored.games()
        for one in listed:
            if one not in known and not is_rated(pool, one):
                stored.remove(one)
        if listed:
            stored.begin_anew()
        while not ratings.fold(pool, FOLDING_SECONDS):
            pass
