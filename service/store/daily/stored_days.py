"""Keeps the deals of the day in Redis: who tries them, how far each has come, and what came of it.

The games say what happened. What is kept beside them says which there are; it goes once the crowd's choices are worked
out, and those name nobody.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from games.daily.crowd import Line
from service.store import keys
from service.store.lists.due import DueList
from service.store.redis.client import RedisClient, hash_of
from service.store.scripts import ADD_LINE, TRY_DEAL
from service.store.upkeep.inventory import days_in

KEPT_SECONDS: Final = 400 * 24 * 60 * 60
"""How long what came of a day is kept."""
RUNS, LOST, WON = 0, 1, 2
"""What the score of a try says."""
UNCOUNTED: Final = 10
"""Is added to the score of a player who does not count: the account is younger than the deal."""
_CLOSED, _SUMMARY = "closed", "summary"
_UNCOUNTED_LINE: Final = ""


class Numbers(NamedTuple):
    """How many players have tried a deal of the day, and how many have won."""

    tried: int
    won: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a deal of the day has come."""

    closed: bool
    """Whether no further try begins."""
    summary: Mapping[str, Any] | None
    """What the crowd chose, as `crowd_of` returns it, once that is worked out."""


class StoredDays:
    """The deals of the day in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self.due = DueList(redis, keys.DAYS_DUE)

    def begin(self, day: str, player: str, *, counts: bool, now: int) -> bool:
        """Notes that a player tries the deal of a day now; returns False if the day is over.

        The day is listed before, so that no try is missed.
        """
        self._redis.send(("ZADD", keys.DAYS_DUE, "NX", now, day))
        score = RUNS if counts else RUNS + UNCOUNTED
        return bool(self._redis.run(TRY_DEAL, [keys.day(day), keys.day_tries(day)], [player, score]))

    def list_anew(self, sealed: Iterable[tuple[str, str]], now: int) -> None:
        """Notes tries that are sealed still, by day and player, and lists the days on which workers have work to do.

        A try of which only the game is left does not count. A line that is kept is read again, which unseals its game.
        """
        for day, player in sealed:
            self._redis.send(("ZADD", keys.day_tries(day), "NX", RUNS + UNCOUNTED, player))
            self._redis.send(("HDEL", keys.day_lines(day), player))
        for day in days_in(self._redis):
            if self._redis.send(("EXISTS", keys.day_tries(day)))[0]:
                self._redis.send(("ZADD", keys.DAYS_DUE, "NX", now, day))

    def read(self, day: str) -> Progress | None:
        """Reads how far a deal of the day has come; None if nobody has tried it."""
        fields, tried = self._redis.send(("HGETALL", keys.day(day)), ("EXISTS", keys.day_tries(day)))
        found = hash_of(fields)
        if not found and not tried:
            return None
        summary = found.get(_SUMMARY)
        return Progress(_CLOSED in found, orjson.loads(summary) if summary is not None else None)

    def numbers(self, day: str) -> Numbers:
        """Reads how many have tried the deal of a day so far and have won, of those who count."""
        tries = keys.day_tries(day)
        tried, won = self._redis.send(("ZCOUNT", tries, RUNS, WON), ("ZCOUNT", tries, WON, WON))
        return Numbers(int(tried), int(won))

    def has_summary(self, day: str) -> bool:
        """Reads whether it is worked out what the crowd chose on a day."""
        return bool(self._redis.send(("HEXISTS", keys.day(day), _SUMMARY))[0])

    def close(self, day: str) -> None:
        """Lets no further try at the deal of a day begin."""
        self._redis.send(("HSET", keys.day(day), _CLOSED, 1))

    def running(self, day: str) -> list[str]:
        """Reads who still tries the deal of a day, as far as is known."""
        tries = keys.day_tries(day)
        found = self._redis.send(*[("ZRANGEBYSCORE", tries, one, one) for one in (RUNS, RUNS + UNCOUNTED)])
        return [player.decode() for page in found for player in page]

    def end(self, day: str, player: str, *, won: bool) -> None:
        """Notes what came of a player's try at the deal of a day; again it changes nothing."""
        tries = keys.day_tries(day)
        score = self._redis.send(("ZSCORE", tries, player))[0]
        if score is not None and int(score) in (RUNS, RUNS + UNCOUNTED):
            self._redis.send(("ZADD", tries, "XX", int(score) + (WON if won else LOST), player))

    def unread(self, day: str) -> Iterator[tuple[str, bool]]:
        """Yields whose lines of a day are not kept yet, and whether each of them counts."""
        tries, lines = self._redis.send(
            ("ZRANGE", keys.day_tries(day), 0, -1, "WITHSCORES"), ("HKEYS", keys.day_lines(day))
        )
        known = {*lines}
        for player, score in zip(tries[::2], tries[1::2], strict=True):
            if player not in known:
                yield player.decode(), int(score) < UNCOUNTED

    def add_line(self, day: str, player: str, line: Line | None) -> None:
        """Keeps the line of a player who has tried the deal of a day; None if it does not count."""
        names = [keys.day_tries(day), keys.day_lines(day)]
        self._redis.run(ADD_LINE, names, [player, line.stored() if line is not None else _UNCOUNTED_LINE])

    def lines(self, day: str) -> dict[str, Line]:
        """Reads the lines of a day that count, by player."""
        found = hash_of(self._redis.send(("HGETALL", keys.day_lines(day)))[0])
        return {player: Line.read(line) for player, line in found.items() if line != _UNCOUNTED_LINE}

    def keep(self, day: str, summary: Mapping[str, Any]) -> None:
        """Keeps what the crowd chose on a day, unless it is known: whoever comes late may find no lines any more."""
        name = keys.day(day)
        self._redis.send(("HSETNX", name, _SUMMARY, orjson.dumps(summary)), ("EXPIRE", name, KEPT_SECONDS))

    def forget_tries(self, day: str) -> None:
        """Ends the work on a day whose crowd is known: who has tried its deal is kept no longer."""
        self._redis.send(("DEL", keys.day_tries(day), keys.day_lines(day)))
        self.due.remove(day)
