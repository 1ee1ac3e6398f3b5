"""Rebuilds derived data: lobby, players' games, results, ratings, rematches, schedules, lists of matches and days."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from games.daily.days import Day
from games.matches.setup import deal_of
from games.ratings.places import has_result
from games.ratings.pools import RatedGame
from games.snapshot import Snapshot
from games.steps import Step
from games.tables.lifetimes import expires_at
from service.inputs.clock import now_ms
from service.jobs.schedule import bots_task, due_after
from service.players import Players
from service.results.rating import Ratings
from service.results.recording import Recording
from service.settings import Settings
from service.store.archive import Archive
from service.store.daily.stored_days import StoredDays
from service.store.damaged import leaving_out
from service.store.lists.results import StoredResults
from service.store.log.event_log import EventLog
from service.store.matches.stored_matches import StoredMatches
from service.store.redis.client import RedisClient
from service.store.redis.cluster import client_at
from service.store.upkeep.inventory import whole_games_in
from service.store.upkeep.rebuilding import (
    Entries,
    add_entries,
    entries_of,
    list_names,
    list_players,
    listed_entries,
    pack_anew,
    take_off,
)
from service.store.upkeep.whole_games import fold_copied, read_whole
from service.upkeep.rated_games import rate_anew

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

    players = Players(redis, "", 0)
    ratings = Ratings(redis, players)
    recording = Recording(redis, log, players, ratings)

    def index(game: str, read: ReadGame) -> tuple[Snapshot | None, dict[str, int]]:
        return _indexed_game(game, read, log, recording, damaged)

    def is_rated(pool: str, game: str) -> bool:
        snapshot, _ = index(game, read)
        found = ratings.pool_of(snapshot) if snapshot is not None else None
        return game in damaged or (found is not None and found[0] == pool)

    ended: list[tuple[str, str]] = []
    deals: set[tuple[str, int]] = set()
    tries: list[tuple[str, str]] = []
    rated: dict[str, list[RatedGame]] = {}
    for game in {*whole_games_in(redis)}:
        snapshot, indexes = index(game, fold)
        if snapshot is not None:
            games += 1
            if snapshot.sealed and (deal := deal_of(snapshot)) is not None:
                deals.add(deal)
            if snapshot.sealed and (day := Day.of_game(snapshot)) is not None:
                tries.append((day.id, snapshot.table.creator))
            if has_result(snapshot):
                ended.append((snapshot.finished_at or "", game))
                if (found := ratings.pool_of(snapshot)) is not None:
                    rated.setdefault(found[0], []).append(found[1])
            for name, at in indexes.items():
                wanted.setdefault(name, {})[game] = at
            previous = snapshot.table.previous_game
            if previous is not None and index(previous, read)[0] is not None:
                log.link(previous, game)
    add_entries(redis, wanted)
    StoredResults(redis).add_all([game for _, game in sorted(ended)])
    stored_matches = StoredMatches(redis)
    stored_matches.list_anew()
    stored_matches.look_again(deals, now_ms())  # of matches that are lost, too: they reveal their decks
    StoredDays(redis).list_anew(tries, now_ms())
    list_names(redis)
    if idle_ms := settings.idle_ms():
        list_players(redis, idle_ms)
    removed = _remove_stale_entries(redis, lambda game: index(game, read)[1], wanted, damaged)
    rate_anew(redis, ratings, rated, is_rated)
    pack_anew(redis)
    entries = sum(map(len, wanted.values()))
    return {"games": games, "entries": entries, "removed": removed, "damaged": len(damaged)}


def _indexed_game(
    game: str, read: ReadGame, log: EventLog, recording: Recording, damaged: set[str]
) -> tuple[Snapshot | None, dict[str, int]]:
    """Reads a game whose indexes are rebuilt, with its times in them; None if there is none, or it joins `damaged`."""
    if game in damaged:
        return None, {}
    damaged.add(game)
    with leaving_out(game, "the rebuilt lists"):
        snapshot = read(game)
        indexes = _rebuilt_indexes(snapshot, log, recording) if snapshot is not None else {}
        damaged.remove(game)
        return snapshot, indexes
    return None, {}


def _rebuilt_indexes(snapshot: Snapshot, log: EventLog, recording: Recording) -> dict[str, int]:
    """Returns the rebuilt indexes that a game is in, each with the time of its entry."""
    now = now_ms()
    records = recording.records(snapshot) if has_result(snapshot) else {}
    return records | entries_of(
        snapshot,
        due=due_after(Step(None, snapshot.entries[-1:], snapshot), bots_task(snapshot, now), now),
        expires=expires_at(snapshot),
        archived=not snapshot.ended or log.archived(snapshot.id) is not None,
    )


def _remove_stale_entries(
    redis: RedisClient, indexes_of: Callable[[str], Mapping[str, int]], wanted: Entries, damaged: set[str]
) -> int:
    """Removes, when rebuilding, the entries of indexes that the logs do not support; returns how many."""
    removed = 0
    for index, game in listed_entries(redis):
        if game in wanted.get(index, {}):
            continue
        indexes = indexes_of(game)
        if game not in damaged and index not in indexes:
            removed += take_off(redis, index, game)
    return removed
