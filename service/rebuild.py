"""Makes anew from the logs what is derived: the lobby, one's own games, links to rematches, when sweepers must look."""

from collections.abc import Iterator

import redis
from redis.cluster import RedisCluster

from service import keys
from service.archive import Archive
from service.changes import joined_indexes
from service.cluster import Cluster, ClusterExchange, ClusterWaiting
from service.connection import Exchange, away_is_unavailable, connect
from service.due import bot_to_act
from service.log import EventLog, Step
from service.settings import Settings
from service.snapshot import Snapshot
from service.times import ms_of, now_ms

Client = redis.Redis | RedisCluster


def rebuild(settings: Settings) -> dict[str, int]:
    """Rebuilds the indexes of an installation and returns how many games, entries and removed entries there were.

    It may run while games go on: entries are added before stale ones are removed.
    """
    wanted: dict[str, dict[str, int]] = {}
    games = 0
    with away_is_unavailable():
        client, log = opened(settings)
        for game in games_in(client):
            snapshot = log.read(game).snapshot
            if snapshot is not None:
                games += 1
                for index, members in _indexes(snapshot, log).items():
                    wanted.setdefault(index, {}).update(members)
                previous = snapshot.table.previous_game
                if previous is not None and log.read(previous).snapshot is not None:
                    log.link(previous, game)
        for index, members in wanted.items():
            client.zadd(index, dict(members))
        removed = _remove_stale(client, log, wanted)
        if wanted.get(keys.DUE):
            client.zadd(keys.DUE, dict(wanted[keys.DUE]))
    return {"games": games, "entries": sum(map(len, wanted.values())), "removed": removed}


def opened(settings: Settings) -> tuple[Client, EventLog]:
    """Returns a client of an installation's Redis, and its logs."""
    archive = Archive(settings.archive_url)
    if settings.redis_cluster:
        cluster = Cluster(settings.redis_url)
        exchange = ClusterExchange(cluster)
        return cluster.client(), EventLog(exchange, ClusterWaiting(exchange), archive=archive)
    client = connect(settings.redis_url)
    return client, EventLog(Exchange(client), client, archive=archive)


def games_in(client: Client) -> Iterator[str]:
    """Yields the id of every game that has a log, and then of those in the archive; now and then of one twice."""
    for pattern in (keys.log("*"), keys.remains("*")):
        before, after = pattern.split("*")
        for name in client.scan_iter(match=pattern, count=1000):
            yield name.decode().removeprefix(before).removesuffix(after)


def _indexes(snapshot: Snapshot, log: EventLog) -> dict[str, dict[str, int]]:
    """Returns the index entries of a game."""
    last = snapshot.entries[-1]
    indexes = joined_indexes(Step(None, [last], snapshot))
    waits_for_bot = bot_to_act(snapshot) is not None
    if snapshot.state.to_act is not None and (snapshot.deadline is not None or waits_for_bot):
        indexes[keys.DUE] = {snapshot.id: now_ms() if waits_for_bot else snapshot.deadline or now_ms()}
    if snapshot.ended and log.archived(snapshot.id) is None:
        indexes[keys.ENDED] = {snapshot.id: ms_of(last.at)}
    return indexes


def _remove_stale(client: Client, log: EventLog, wanted: dict[str, dict[str, int]]) -> int:
    """Removes entries that the logs do not bear out."""
    removed = 0
    of_players = [keys.playing("*"), keys.played("*"), keys.opened("*"), keys.invited("*")]
    names = [keys.lobby("*"), *of_players, keys.active("*"), keys.ENDED]
    for pattern in names:
        for raw in client.scan_iter(match=pattern, count=1000):
            index = raw.decode()
            for member, _ in client.zscan_iter(index):
                game = member.decode()
                if game in wanted.get(index, {}):
                    continue
                snapshot = log.read(game).snapshot
                if snapshot is None or index not in _indexes(snapshot, log):
                    removed += int(client.zrem(index, game))
    return removed
