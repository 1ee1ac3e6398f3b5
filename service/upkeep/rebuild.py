"""Rebuilds derived data from the logs: the lobby, players' games, links to rematches, the sweepers' schedule."""

from collections.abc import Iterator

import redis
from redis.cluster import RedisCluster

from games.snapshot import Snapshot
from games.steps import Step
from games.tables.lifetimes import Lifetimes
from games.times import ms_of
from service.inputs.clock import now_ms
from service.jobs.schedule import bots_hint, due_after
from service.settings import Settings
from service.store import keys
from service.store.archive import Archive
from service.store.damaged import leaving_out
from service.store.exchange.cluster import Cluster, ClusterExchange
from service.store.exchange.connection import Exchange, away_is_unavailable, connect
from service.store.lists.indexes import joined
from service.store.log.event_log import EventLog

RedisClient = redis.Redis | RedisCluster


def rebuild(settings: Settings) -> dict[str, int]:
    """Rebuilds the indexes of an installation; returns the numbers of games, entries, removed entries, damaged games.

    It may run while games are played: entries are added before stale ones are removed. Damaged games are left out: they
    are logged, and keep the entries that they have.
    """
    wanted: dict[str, dict[str, int]] = {}
    games = 0
    damaged: set[str] = set()
    with away_is_unavailable():
        client, log = opened(settings)
        lives = settings.lives()
        for game in games_in(client):
            snapshot, indexes = _read_game(game, log, lives, damaged)
            if snapshot is not None:
                games += 1
                for index, members in indexes.items():
                    wanted.setdefault(index, {}).update(members)
                previous = snapshot.table.previous_game
                if previous is not None and _read_game(previous, log, lives, damaged)[0] is not None:
                    log.link(previous, game)
        for index, members in wanted.items():
            client.zadd(index, dict(members))
        if lives.player_ms:
            _list_players(client, lives.player_ms)
        removed = _remove_stale_entries(client, log, lives, wanted, damaged)
        client.delete(keys.PACKED_UP_TO)  # some of the games that ended before may have been found only now
        if wanted.get(keys.DUE):
            client.zadd(keys.DUE, dict(wanted[keys.DUE]))
    entries = sum(map(len, wanted.values()))
    return {"games": games, "entries": entries, "removed": removed, "damaged": len(damaged)}


def _list_players(client: RedisClient, idle_ms: int) -> None:
    """Adds missing players to the index by which those without games expire."""
    for name in client.scan_iter(match=keys.player("*"), count=1000, _type="hash"):
        if (created := client.hget(name, "created_at")) is not None:
            player = name.decode().removeprefix(keys.player(""))
            client.zadd(keys.IDLE, {player: int(created) + idle_ms}, nx=True)


def opened(settings: Settings) -> tuple[RedisClient, EventLog]:
    """Returns a client of an installation's Redis, and its logs, for upkeep."""
    archive = Archive(settings.archive_url)
    if settings.redis_cluster:
        cluster = Cluster(settings.redis_url)
        exchange = ClusterExchange(cluster)
        return cluster.client(), EventLog(exchange, archive=archive)
    client = connect(settings.redis_url)
    return client, EventLog(Exchange(client), archive=archive)


def games_in(client: RedisClient) -> Iterator[str]:
    """Yields the id of every game with a log, then of the archived ones, for upkeep; some of them twice."""
    for pattern in (keys.log("*"), keys.summary("*")):
        before, after = pattern.split("*")
        for name in client.scan_iter(match=pattern, count=1000):
            yield name.decode().removeprefix(before).removesuffix(after)


def _read_game(
    game: str, log: EventLog, lives: Lifetimes, damaged: set[str]
) -> tuple[Snapshot | None, dict[str, dict[str, int]]]:
    """Returns a game and its index entries; None if there is none, or if it is damaged: then it joins `damaged`."""
    if game in damaged:
        return None, {}
    damaged.add(game)
    with leaving_out(game, "the rebuilt lists"):
        snapshot = log.read(game).snapshot
        indexes = _rebuilt_indexes(snapshot, log, lives) if snapshot is not None else {}
        damaged.remove(game)
        return snapshot, indexes
    return None, {}


def _rebuilt_indexes(snapshot: Snapshot, log: EventLog, lives: Lifetimes) -> dict[str, dict[str, int]]:
    """Returns the index entries of a game to rebuild."""
    last, now = snapshot.entries[-1], now_ms()
    new = Step(None, [last], snapshot)
    indexes = joined(new)
    if (due := due_after(new, bots_hint(snapshot, now), now)) is not None:
        indexes[keys.DUE] = {snapshot.id: due}
    if (ends := lives.ends(snapshot)) is not None:
        indexes[keys.EXPIRING] = {snapshot.id: ends}
    if snapshot.ended and log.archived(snapshot.id) is None:
        indexes[keys.ENDED] = {snapshot.id: ms_of(last.at)}
    return indexes


def _remove_stale_entries(
    client: RedisClient, log: EventLog, lives: Lifetimes, wanted: dict[str, dict[str, int]], damaged: set[str]
) -> int:
    """Removes entries that the logs do not support; stale ones in `EXPIRING` go when they come due."""
    removed = 0
    of_players = [keys.playing("*"), keys.played("*"), keys.opened("*"), keys.opened_from("*"), keys.invited("*")]
    names = [keys.lobby("*"), *of_players, keys.active("*"), keys.joining("*"), keys.ENDED]
    for pattern in names:
        for raw in client.scan_iter(match=pattern, count=1000):
            index = raw.decode()
            for member, _ in client.zscan_iter(index):
                game = member.decode()
                if game in wanted.get(index, {}):
                    continue
                _, indexes = _read_game(game, log, lives, damaged)
                if game not in damaged and index not in indexes:
                    removed += int(client.zrem(index, game))
    return removed
