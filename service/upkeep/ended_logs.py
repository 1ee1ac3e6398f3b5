"""Reads the stored logs of all ended games, in the order in which they ended.

It serves exports. Memory use is constant however many games there are: the order is sorted in a file that the system
removes. A damaged game is reported, and the others follow.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple, TypeAlias

from games.errors import ArchivedFileDamaged, Unavailable, kind_of
from games.snapshot import Snapshot
from games.times import ms_of
from service.settings import Settings
from service.store.archive import Archive
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient
from service.store.redis.cluster import client_at
from service.store.upkeep.inventory import games_in

AT_ONCE: Final = 500
"""Places of the order that are read at a time."""
Known: TypeAlias = Callable[[str], bool]
"""Returns whether to leave out the game with an id."""


class EndedPlace(NamedTuple):
    """A game's fixed place in the order: when it ended, in milliseconds since 1970, and its id."""

    ended_ms: int
    game: str


class EndedLog(NamedTuple):
    """An ended game, with its whole log in stored form."""

    place: EndedPlace
    log: list[dict[str, Any]]


class DamagedGame(NamedTuple):
    """A game that cannot be read."""

    game: str
    why: str
    """The kind of error; its text is left out because it may name cards."""


def stored_logs(
    settings: Settings, since: int = 0, edition: str | None = None, known: Known = lambda game: False
) -> Iterator[EndedLog | DamagedGame]:
    """Yields the stored logs of games that ended since a time, of one edition or all, without the `known` ones.

    `since` is in milliseconds since 1970. A game that ends meanwhile may be left out.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    redis = client_at(settings.redis_url, settings.redis_cluster)
    log = EventLog(redis, archive=Archive(settings.archive_url))
    after = EndedPlace(since, "")
    with closing(sqlite3.connect("")) as order:
        order.execute("CREATE TABLE places (ended INTEGER, game TEXT, PRIMARY KEY (ended, game)) WITHOUT ROWID")
        for found in _places(redis, log, edition, known):
            if isinstance(found, DamagedGame):
                yield found
            elif found > after:
                order.execute("INSERT OR IGNORE INTO places VALUES (?, ?)", found)
        while places := order.execute(
            "SELECT ended, game FROM places WHERE (ended, game) > (?, ?) ORDER BY ended, game LIMIT ?",
            (*after, AT_ONCE),
        ).fetchall():
            for place in places:
                yield _stored_log(log, EndedPlace(*place))
            after = EndedPlace(*places[-1])


def _places(redis: RedisClient, log: EventLog, edition: str | None, known: Known) -> Iterator[EndedPlace | DamagedGame]:
    """Yields the places of all ended games whose logs are read, in any order, some of them twice."""
    for game in games_in(redis):
        if known(game):
            continue
        try:
            ended = _ended_game(log, game)
            if ended is not None and edition in (None, ended.table.edition):
                yield EndedPlace(ms_of(ended.entries[-1].at), game)
        except Unavailable:
            raise
        except Exception as error:
            yield DamagedGame(game, kind_of(error))


def _stored_log(log: EventLog, place: EndedPlace) -> EndedLog | DamagedGame:
    try:
        ended = _ended_game(log, place.game)
        if ended is None:
            return DamagedGame(place.game, "it is gone")
        return EndedLog(place, [one for _, one in log.stored(ended)])
    except ArchivedFileDamaged as error:
        return DamagedGame(place.game, f"its file in the archive, {kind_of(error.__cause__ or error)}")
    except Unavailable:
        raise
    except Exception as error:
        return DamagedGame(place.game, kind_of(error))


def _ended_game(log: EventLog, game: str) -> Snapshot | None:
    snapshot = log.read_uncached(game)
    return snapshot if snapshot is not None and snapshot.ended and not snapshot.sealed else None
