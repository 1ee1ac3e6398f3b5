"""Checks the logs of all games while they are played: each is folded from its first event, wherever it lies.

It works at most half of the time. Games that are opened meanwhile are left to the next check.
"""

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from games.errors import Damaged
from service.settings import Settings
from service.store import damaged
from service.store.archive import Archive
from service.store.redis.client import RedisClient
from service.store.redis.cluster import client_at
from service.store.upkeep.inventory import whole_games_in
from service.store.upkeep.whole_games import fold_whole, read_whole

REST_AFTER_SECONDS: Final = 0.005
"""After so much work it rests as long."""


class Checked(NamedTuple):
    """A game that was checked."""

    game: str
    fault: str
    """How it is damaged; "" if it is sound."""
    of: int
    """How many games there are to check."""


def check(settings: Settings) -> Iterator[Checked]:
    """Checks all games of an installation and yields each.

    Raises:
        Unavailable: Redis or the archive cannot be reached.
    """
    redis = client_at(settings.redis_url, settings.redis_cluster)
    archive = Archive(settings.archive_url)
    games = {*whole_games_in(redis)}
    begun = time.monotonic()
    for game in games:
        yield Checked(game, _fault(redis, archive, game), len(games))
        if (worked := time.monotonic() - begun) > REST_AFTER_SECONDS:
            time.sleep(worked)
            begun = time.monotonic()


def _fault(redis: RedisClient, archive: Archive, game: str) -> str:
    """Returns how a game is damaged, noted for operators; "" if it is sound or gone."""
    fault = ""
    for _ in range(2):  # it may be archived or removed while its file is read
        try:
            fold_whole(game, read_whole(redis, game), archive)
            return ""
        except Damaged as error:
            fault = error.why
    damaged.note(redis, game)
    return fault
