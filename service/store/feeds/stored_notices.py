"""Stores the notices of players, and up to which version the players of a game have been notified."""

from collections.abc import Callable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeAlias

import orjson

from games.errors import TakesNoWrites
from games.notices import APPROACHES, Notice
from games.snapshot import Snapshot
from service.store import channels, keys
from service.store.lists.indexes import pending_member
from service.store.redis.client import Command, RedisClient
from service.store.scripts import NOTIFIED, NOTIFY

KEPT: Final = 1000
"""How many notices a player's feed keeps at least."""
KEPT_APPROACHES: Final = 200
"""The same for notices that strangers can cause, kept apart so that they cannot push out the rest."""
KEEP_SECONDS: Final = 28 * 24 * 60 * 60
"""How long notices are kept; also how long they are kept for a player who has not read them."""
REMEMBER_SECONDS: Final = 7 * 24 * 60 * 60
"""How long a player's position in a game is remembered, in case the game itself has lost it."""

GameNotices: TypeAlias = tuple[str, str, Sequence[Notice]]
"""A game, a player, and the player's notices of it."""
ScriptCall: TypeAlias = tuple[list[str], list[Any]]
"""The keys and the arguments of a script of Redis."""


class StoredNotices:
    """The notices in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    # --- writing ---

    def add(self, all_notices: Sequence[GameNotices]) -> None:
        """Stores players' notices, each once: skips those of versions of which a player was notified."""
        channel = self._redis.channel
        calls = self._together([_notify_call(channel, *of_game) for of_game in all_notices])
        bounds = (KEPT, KEPT_APPROACHES, KEEP_SECONDS, REMEMBER_SECONDS)
        self._redis.run_each(NOTIFY, [(names, [*bounds, *arguments]) for names, arguments in calls])

    def notified(self, snapshots: Sequence[Snapshot]) -> None:
        """Stores up to which version the players of games have been notified, so that no notice is pending."""
        noted = self._together([([keys.meta(snapshot.id)], [snapshot.version]) for snapshot in snapshots])
        pending = [pending_member(snapshot.id, snapshot.version) for snapshot in snapshots]
        self._redis.run_each(NOTIFIED, noted, [("ZREM", keys.PENDING_NOTICES, *pending)] if pending else [])

    def _together(self, calls: list[ScriptCall]) -> list[ScriptCall]:
        """Returns one call for all calls of a script, if all notices are in one Redis: each call has its price."""
        if not calls or not self._redis.is_single:
            return calls
        names, arguments = zip(*calls, strict=True)
        return [([*chain.from_iterable(names)], [*chain.from_iterable(arguments)])]

    # --- reading ---

    def after(self, player: str, cursor: int, limit: int) -> list[Notice] | None:
        """Reads from Redis at most `limit` notices of a player after a cursor, and keeps them from now on.

        Returns None if what came next is no longer kept, or the cursor is from before a restore.
        """
        after = (f"{cursor + 1}-0", "+", "COUNT", limit)
        (count, last), raw, approaches = self._read_by_player(
            player,
            ("HMGET", keys.player(player), "notices", "last_notice"),
            ("XRANGE", keys.notices(player), *after),
            ("XRANGE", keys.approaches(player), *after),
        )
        # Each notice names its predecessor that must not be missed, kept or not. So no gap goes unnoticed.
        before = int((raw[0][1][3] if raw else last) or 0)
        if before > cursor or int(count or 0) < cursor:
            return None
        return sorted(map(_read, raw + approaches), key=itemgetter("cursor"))[:limit]

    def kept(self, player: str) -> list[Notice]:
        """Reads from Redis all kept notices of a player, in order. It does not count as a player's reading."""
        everything = ("-", "+")
        raw, approaches = self._redis.send(
            ("XRANGE", keys.notices(player), *everything), ("XRANGE", keys.approaches(player), *everything)
        )
        return sorted(map(_read, raw + approaches), key=itemgetter("cursor"))

    def count(self, player: str) -> int:
        """Reads from Redis how many notices a player has been sent; from now on they are kept."""
        return int(self._read_by_player(player, ("HGET", keys.player(player), "notices"))[0] or 0)

    def counts(self, players: Sequence[str]) -> list[int | None]:
        """Reads from Redis how many notices players have been sent; None for those that cannot be read."""
        replies = self._redis.send_each(*[("HMGET", keys.player(player), "notices") for player in players])
        return [int(reply[0] or 0) if reply is not None else None for reply in replies]

    def _read_by_player(self, player: str, *reads: Command) -> list[Any]:
        """Stores that somebody reads a player's notices, and returns the replies of Redis to some reads.

        The reads succeed even if that cannot be recorded: while Redis takes no writes, notices are not kept
        anyway.
        """
        try:
            return self._redis.send(("SET", keys.notices_read(player), 1, "EX", KEEP_SECONDS), *reads)[1:]
        except TakesNoWrites:
            return self._redis.send(*reads)


def _notify_call(channel: Callable[[str], str], game: str, player: str, some: Sequence[Notice]) -> ScriptCall:
    arguments: list[Any] = [channel(channels.new_notices(player)), len(some)]
    for notice in some:
        by = notice["player"] if notice["type"] in APPROACHES else ""
        arguments += (notice["version"], by, orjson.dumps(notice))
    return keys.for_notifying(player, game), arguments


def _read(entry: tuple[bytes, list[bytes]]) -> Notice:
    """Returns a player's notice with its cursor from an entry of Redis."""
    name, fields = entry
    return {"cursor": int(name.split(b"-")[0]), **orjson.loads(fields[1])}
