"""Keeps players in the order of their names, so that they are found by how a name begins.

An entry may be left of a player who is called otherwise, or is gone: look at each.
"""

from collections.abc import Iterator
from typing import NamedTuple

from games.names import sought
from service.store import keys
from service.store.lists.by_time import SCANNED
from service.store.redis.client import RedisClient

_BETWEEN = "\0"
"""Stands between name and id: no name has it, and it comes before all letters."""
_LAST = b"\xff"
"""Comes after all bytes of a text."""


class Entry(NamedTuple):
    """A player on the list."""

    name: str
    """In the form by which it is found."""
    player: str


class StoredNames:
    """The names of all players in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    def add(self, *players: tuple[str, str]) -> None:
        """Enters players, each with a name; those without one are left out."""
        entries = [_member(Entry(sought(name), player)) for player, name in players if name]
        if entries:
            self._redis.send(("ZADD", keys.NAMES, *[part for one in entries for part in (0, one)]))

    def take_off(self, player: str, name: str) -> None:
        """Takes a player of that name off the list."""
        self.remove(Entry(sought(name), player))

    def remove(self, *entries: Entry) -> None:
        """Removes entries from the list."""
        if entries:
            self._redis.send(("ZREM", keys.NAMES, *map(_member, entries)))

    def all(self) -> Iterator[list[Entry]]:
        """Yields all of the list, a bounded number of entries at a time."""
        at = -1
        while at != 0:
            following, found = self._redis.send(("ZSCAN", keys.NAMES, max(at, 0), "COUNT", SCANNED))[0]
            at = int(following)
            if found:
                yield [_entry(one) for one in found[::2]]

    def beginning(self, name: str, after: Entry | None, most: int) -> list[Entry]:
        """Reads the first players whose names begin so, in the order of their names; those after an entry."""
        begin = sought(name).encode()
        first = b"[" + begin if after is None else b"(" + _member(after)
        found = self._redis.send(("ZRANGEBYLEX", keys.NAMES, first, b"(" + begin + _LAST, "LIMIT", 0, most))[0]
        return [_entry(one) for one in found]


def _entry(member: bytes) -> Entry:
    return Entry(*member.decode().split(_BETWEEN))


def _member(entry: Entry) -> bytes:
    return _BETWEEN.join(entry).encode()
