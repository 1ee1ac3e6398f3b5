"""Knows which hosts of open tables are there: whether whoever opened a table was seen lately, in any process.

Each process remembers in memory whom it has seen, and writes that to Redis now and then, many players at once. Redis
keeps it for as long as it matters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.state import OPEN
from games.errors import Unavailable
from games.snapshot import Snapshot
from games.times import ms_of
from service.inputs.clock import now_ms
from service.store import keys
from service.store.redis.client import RedisClient

PRESENT_MS: Final = 60_000
"""How long after they were seen a host counts as present. Opening a table counts as being seen."""
LISTED_MS: Final = 600_000
"""How long after that an open table stays in the lobby."""
WRITE_MS: Final = 20_000
"""How often at most a process writes of one player that it has seen them."""
AT_ONCE: Final = 1000
"""Players written by one command."""

GONE, ABSENT, PRESENT = range(3)
"""How a host counts: absent for so long that the table is not listed, absent, or there."""


class Host(NamedTuple):
    """The host of an open table as followers of the lobby know it."""

    presence: int
    opened: int
    """When the table was opened, in milliseconds since 1970."""
    player: str

    @classmethod
    def read(cls, stored: bytes) -> "Host":
        """Returns the host in the stored form."""
        presence, opened, player = stored.decode().split(" ")
        return cls(int(presence), int(opened), player)

    def stored(self) -> str:
        """Returns the form in which the host is stored."""
        return f"{self.presence} {self.opened} {self.player}"


class Presence:
    """Whom this process has seen, and what all processes have written. What reaches Redis may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._noted: set[str] = set()
        self.note: Callable[[str], None] = self._noted.add
        """Remembers that this process sees a player now; every call of a player does, so it takes no time."""
        self._seen: dict[str, int] = {}
        """By player: when they made a call or had a stream open here, in milliseconds since 1970."""
        self._written: dict[str, int] = {}
        """By player: of these times the one that was written last."""
        self._forgotten: set[str] = set()
        """Players who were erased here: the call by which they were is not over yet."""

    def _times_here(self) -> dict[str, int]:
        """Returns when this process has seen players, those who were noted since the last time now."""
        noted, now = self._noted.copy(), now_ms()  # calls go on meanwhile
        self._noted.difference_update(noted)
        self._seen.update(dict.fromkeys(noted - self._forgotten, now))
        return self._seen.copy()

    def write(self) -> None:
        """Writes to Redis whom this process has seen, but nobody again within `WRITE_MS`; forgets who is long gone.

        Call it often: a player counts as seen when this is called.
        """
        seen, now = self._times_here(), now_ms()
        before, gone = now - WRITE_MS, now - LISTED_MS
        written = self._written.copy()
        due = [(player, at) for player, at in seen.items() if written.get(player, 0) < min(at, before + 1)]
        if due:
            parts = [due[begin : begin + AT_ONCE] for begin in range(0, len(due), AT_ONCE)]
            self._redis.send(
                *[("ZADD", keys.SEEN, "GT", *[one for player, at in part for one in (at, player)]) for part in parts],
                ("ZREMRANGEBYSCORE", keys.SEEN, "-inf", gone),
            )
            self._written.update(due)
        for player in [player for player, at in seen.items() if at <= gone]:
            self._seen.pop(player, None)
            self._written.pop(player, None)

    def forget(self, player: str) -> None:
        """Removes what is known of when an erased player was seen."""
        self._forgotten.add(player)
        self._seen.pop(player, None)
        self._written.pop(player, None)
        self._redis.send(("ZREM", keys.SEEN, player))

    def seen_since(self, player: str, since: int) -> bool:
        """Returns whether a player was seen after a time, in milliseconds since 1970, as far as that is remembered."""
        return max(self._times_here().get(player, 0), self.seen([player])[player]) > since

    # --- hosts ---

    def host(self, snapshot: Snapshot) -> Host | None:
        """Returns the host of a table and whether they are there, by what has been written; None after its start."""
        if snapshot.state.status != OPEN:
            return None
        player, opened = snapshot.table.creator, ms_of(snapshot.created.at)
        now = now_ms()
        seen = opened if _presence(opened, now) == PRESENT else self.seen([player])[player]
        return Host(_presence(max(seen, opened), now), opened, player)

    def of(self, snapshots: Iterable[Snapshot]) -> dict[str, int]:
        """Returns by id how the hosts of open tables among some games count; as there while that cannot be read."""
        opened = {one.id: (one.table.creator, ms_of(one.created.at)) for one in snapshots if one.state.status == OPEN}
        return self._counted(opened)

    def listed(self, games: Sequence[str]) -> dict[str, int]:
        """Returns by id how the hosts of public open tables count, as far as followers of the lobby know the tables."""
        try:
            raw = self._redis.send(("HMGET", keys.HOSTS, *games))[0] if games else []
        except Unavailable:
            return {}
        hosts = {game: Host.read(stored) for game, stored in zip(games, raw, strict=True) if stored is not None}
        return self._counted({game: (host.player, host.opened) for game, host in hosts.items()})

    def hidden(self, games: Sequence[str]) -> set[str]:
        """Returns which of some games followers of the lobby are not shown, because their hosts have left."""
        raw = self._redis.send(("HMGET", keys.HOSTS, *games))[0] if games else []
        stored = zip(games, raw, strict=True)
        return {game for game, host in stored if host is not None and Host.read(host).presence == GONE}

    def changed(self) -> set[str]:
        """Returns the open tables whose hosts have come or gone since followers of the lobby were told."""
        self.write()
        raw = self._redis.send(("HGETALL", keys.HOSTS))[0]
        hosts = {game.decode(): Host.read(stored) for game, stored in zip(raw[::2], raw[1::2], strict=True)}
        times, now = self.seen({host.player for host in hosts.values()}), now_ms()
        return {
            game
            for game, host in hosts.items()
            if _presence(max(times[host.player], host.opened), now) != host.presence
        }

    def _counted(self, opened: Mapping[str, tuple[str, int]]) -> dict[str, int]:
        """Returns by game how a host counts who has opened it at a time."""
        try:
            times = self.seen({player for player, _ in opened.values()})
        except Unavailable:
            return dict.fromkeys(opened, PRESENT)
        here, now = self._times_here(), now_ms()
        return {
            game: _presence(max(times[player], here.get(player, 0), at), now) for game, (player, at) in opened.items()
        }

    def seen(self, players: Iterable[str]) -> dict[str, int]:
        """Reads when players were last seen by any process, as far as it was written; 0 for those who were not."""
        ids = sorted(players)
        raw = self._redis.send(("ZMSCORE", keys.SEEN, *ids))[0] if ids else []
        return {player: int(float(score)) if score is not None else 0 for player, score in zip(ids, raw, strict=True)}


def _presence(seen: int, now: int) -> int:
    """Returns how a host counts who was last seen at a time, in milliseconds since 1970."""
    return PRESENT if seen > now - PRESENT_MS else ABSENT if seen > now - LISTED_MS else GONE
