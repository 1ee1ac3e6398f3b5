"""Rebuilds derived data from the logs: the lobby, players' games, links to rematches, the sweepers' schedule."""

from collections.abc import Callable
from typing import TypeAlias

from games.snapshot import Snapshot
from games.steps import Step
from games.tables.lifetimes import expires_at
from service.inputs.clock import now_ms
from service.jobs.schedule import bots_hint, due_after
from service.settings import Settings
from service.store.archive import Archive
from service.store.damaged import leaving_out
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient
from service.store.redis.cluster import client_at
from service.store.upkeep.inventory import whole_games_in
from service.store.upkeep.rebuilding import (
    Entries,
    add_entries,
    entries_of,
    list_players,
    listed_entries,
    pack_anew,
    take_off,
)
from service.store.upkeep.whole_games import fold_copied, read_whole

ReadGame: TypeAlias = Callable[[str], Snapshot | None]
"""Returns a game, or None if there is none."""


def rebuild(settings: Settings) -> dict[str, int]:
    """Rebuilds an installation's indexes; returns the numbers of games, entries, removed entries, damaged games.

    Each game is folded from its first event. Damaged ones are logged and left out, and keep the entries that they have.
    It may run while games are played: entries are added before stale ones are removed.
    """
    wanted: dict[str, dict[str, int]] = {}
    games = 0
    damaged: set[str] = set()
    redis = client_at(settings.redis_url, settings.redis_cluster)
    archive = Archive(settings.archive_url)
    log = EventLog(redis, archive=archive)

    def read(game: str) -> Snapshot | None:
        return log.read(game).snapshot

    def fold(game: str) -> Snapshot | None:
        return fold_copied(game, read_whole(redis, game), archive)

    for game in {*whole_games_in(redis)}:
        snapshot, indexes = _indexed_game(game, fold, log, damaged)
        if snapshot is not None:
            games += 1
            for index, at in indexes.items():
                wanted.setdefault(index, {})[game] = at
            previous = snapshot.table.previous_game
            if previous is not None and _indexed_game(previous, read, log, damaged)[0] is not None:
                log.link(previous, game)
    add_entries(redis, wanted)
    if idle_ms := settings.idle_ms():
        list_players(redis, idle_ms)
    removed = _remove_stale_entries(redis, read, log, wanted, damaged)
    pack_anew(redis)
    entries = sum(map(len, wanted.values()))
    return {"games": games, "entries": entries, "removed": removed, "damaged": len(damaged)}


def _indexed_game(
    game: str, read: ReadGame, log: EventLog, damaged: set[str]
) -> tuple[Snapshot | None, dict[str, int]]:
    """Reads a game whose indexes are rebuilt, with its times in them; None if there is none, or it joins `damaged`."""
    if game in damaged:
        return None, {}
    damaged.add(game)
    with leaving_out(game, "the rebuilt lists"):
        snapshot = read(game)
        indexes = _rebuilt_indexes(snapshot, log) if snapshot is not None else {}
        damaged.remove(game)
        return snapshot, indexes
    return None, {}


def _rebuilt_indexes(snapshot: Snapshot, log: EventLog) -> dict[str, int]:
    """Returns the rebuilt indexes that a game is in, each with the time of its entry."""
    now = now_ms()
    return entries_of(
        snapshot,
        due=due_after(Step(None, snapshot.entries[-1:], snapshot), bots_hint(snapshot, now), now),
        expires=expires_at(snapshot),
        archived=not snapshot.ended or log.archived(snapshot.id) is not None,
    )


def _remove_stale_entries(redis: RedisClient, read: ReadGame, log: EventLog, wanted: Entries, damaged: set[str]) -> int:
    """Removes, when rebuilding, the entries of indexes that the logs do not support; returns how many."""
    removed = 0
    for index, game in listed_entries(redis):
        if game in wanted.get(index, {}):
            continue
        _, indexes = _indexed_game(game, read, log, damaged)
        if game not in damaged and index not in indexes:
            removed += take_off(redis, index, game)
    return removed
