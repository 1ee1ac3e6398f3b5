"""Checks the logs of all games while they are played: each is folded from its first event, wherever it lies.

It works at most half of the time, and remembers in Redis how far it has come. Games that are opened meanwhile are left
to the next check.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Final, NamedTuple

from games.errors import Damaged
from service.settings import Settings
from service.store import damaged
from service.store.archive import Archive
from service.store.redis.client import RedisClient
from service.store.redis.cluster import client_at
from service.store.upkeep.checking import CheckPlace, forget_place, keep_place, kept_place
from service.store.upkeep.inventory import whole_games_in
from service.store.upkeep.whole_games import fold_whole, read_whole

AT_ONCE: Final = 500
"""Games of the order that are read at a time."""
KEEP_SECONDS: Final = 1.0
"""How often the place is kept: what is lost of it is checked again."""
REST_AFTER_SECONDS: Final = 0.005
"""After so much work it rests as long."""


class Checked(NamedTuple):
    """A game that was checked, and how far the check has come."""

    game: str
    fault: str
    """How it is damaged; "" if it is sound."""
    place: CheckPlace
    of: int
    """How many games there are to check, those of an interrupted check included."""


def check(settings: Settings, *, anew: bool = False) -> Iterator[Checked]:
    """Checks all games of an installation and yields each; goes on where an interrupted check was, unless `anew`.

    Raises:
        Unavailable: Redis or the archive cannot be reached; the next check goes on from there.
    """
    redis = client_at(settings.redis_url, settings.redis_cluster)
    archive = Archive(settings.archive_url)
    place = CheckPlace() if anew else kept_place(redis)
    with closing(sqlite3.connect("")) as order:
        order.execute("CREATE TABLE games (game TEXT PRIMARY KEY) WITHOUT ROWID")
        order.executemany("INSERT OR IGNORE INTO games VALUES (?)", ((game,) for game in whole_games_in(redis)))
        [left] = order.execute("SELECT count(*) FROM games WHERE game > ?", (place.upto,)).fetchone()
        of = place.games + left
        next_keep, begun = time.monotonic() + KEEP_SECONDS, time.monotonic()
        while some := order.execute(
            "SELECT game FROM games WHERE game > ? ORDER BY game LIMIT ?", (place.upto, AT_ONCE)
        ).fetchall():
            for (game,) in some:
                fault = _fault(redis, archive, game)
                place = CheckPlace(game, place.games + 1, place.damaged + bool(fault))
                yield Checked(game, fault, place, of)
                if time.monotonic() > next_keep or fault:
                    keep_place(redis, place)
                    next_keep = time.monotonic() + KEEP_SECONDS
                if (worked := time.monotonic() - begun) > REST_AFTER_SECONDS:
                    time.sleep(worked)
                    begun = time.monotonic()
    forget_place(redis)


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
