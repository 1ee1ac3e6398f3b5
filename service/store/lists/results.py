"""The order of results: each game that counts has a number once it has ended; the log says what the result is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from typing import Final, NamedTuple

from games.ratings.records import AGAINST, OUTCOMES
from games.snapshot import Snapshot
from games.times import ms_of
from service.inputs.clock import now_ms
from service.store import channels, keys
from service.store.lists.by_time import ListByTime
from service.store.redis.client import Command, RedisClient
from service.store.scripts import RECORD

AT_ONCE: Final = 100
"""How many results get their numbers in one round trip."""


class Numbered(NamedTuple):
    """A game with the number of its result."""

    game: str
    number: int


class StoredResults:
    """The numbers in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def add(self, game: str) -> None:
        """Gives the result of a game the next number, unless it has one."""
        self.add_all([game])

    def add_all(self, games: Sequence[str]) -> None:
        """Gives the results of games the next numbers, in order, except to those that have one."""
        names = [keys.RESULTS, keys.LAST_RESULT]
        for at in range(0, len(games), AT_ONCE):
            rest = [now_ms(), self._redis.channel(channels.RECORDED)]
            self._redis.run_each(RECORD, [(names, [game, *rest]) for game in games[at : at + AT_ONCE]])

    def enter(self, game: str, records: Mapping[str, int]) -> None:
        """Enters a game on stored lists of its players' results, each with its time; again it changes nothing."""
        self._redis.send(*[("ZADD", name, at, game) for name, at in records.items()])

    def after(self, number: int, limit: int) -> list[Numbered]:
        """Reads at most `limit` games whose results have numbers after `number`, in order."""
        found = ("ZRANGEBYSCORE", keys.RESULTS, f"({number}", "+inf", "WITHSCORES", "LIMIT", 0, limit)
        page = self._redis.send(found)[0]
        return [Numbered(game.decode(), int(score)) for game, score in zip(page[::2], page[1::2], strict=True)]

    def last(self) -> int:
        """Reads the last number that a result was given; 0 if there is none."""
        return int(self._redis.send(("GET", keys.LAST_RESULT))[0] or 0)


def record_entries(snapshot: Snapshot, records: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """Returns the lists of its players' results that a finished game is on, with the time of each entry."""
    ended = ms_of(snapshot.finished_at or snapshot.created.at)
    return {keys.results_of(player, *record): ended for player, record in records.items()}


def results_of(player: str) -> list[str]:
    """Names all lists of a player's results."""
    return [keys.results_of(player, against, outcome) for against in AGAINST for outcome in OUTCOMES]


def count_results(redis: RedisClient, player: str) -> dict[str, dict[str, int]]:
    """Reads how many of a player's stored results there are: against whom, and what came of them."""
    counts = iter(redis.send(*[("ZCARD", name) for name in results_of(player)]))
    return {against: {outcome: next(counts) for outcome in OUTCOMES} for against in AGAINST}


def newest_results(
    redis: RedisClient, player: str, outcome: str | None, newest: int, seen: str
) -> Iterator[tuple[str, int]]:
    """Yields the games of a player's stored results after `seen` with the times of their ends, the newest first."""
    names = [keys.results_of(player, against, one) for against in AGAINST for one in OUTCOMES if outcome in (None, one)]
    lists = [ListByTime(redis, name).newest(newest, seen) for name in names]
    return merge(*lists, key=lambda entry: (entry[1], entry[0]), reverse=True)


def without_result(game: str, players: Iterable[str]) -> list[Command]:
    """Returns the Redis commands that take a game out of the results, those of its players too."""
    of_players = [name for player in players for name in results_of(player)]
    return [("ZREM", name, game) for name in (keys.RESULTS, keys.UNRECORDED, *of_players)]
