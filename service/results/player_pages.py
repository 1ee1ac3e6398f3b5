"""Reads what anybody may know of a player: record, ratings, and public games that have ended, unless they hide it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from games.errors import Refused
from games.ids import own_bot
from games.messages import Message
from games.player import HISTORY, ONLINE, RATINGS
from games.ratings.pools import POOLS
from games.ratings.standing import STEADY, Standing
from games.snapshot import Snapshot
from games.texts.catalogue import Catalogue
from games.times import text_of
from games.views.page_limits import MOST_GAMES, MOST_HISTORY
from games.views.view import summary
from service.inputs.clock import now_ms
from service.lobby import page_cursor, read_cursor
from service.players import Players, program_of
from service.store.damaged import leaving_out
from service.store.lists.by_time import NEVER
from service.store.lists.presence import Presence
from service.store.lists.results import count_results, newest_results
from service.store.log.event_log import EventLog
from service.store.players.stored_players import ERASED, program_in
from service.store.ratings.stored_pools import StoredPool, latest_in
from service.store.redis.client import RedisClient

ONLINE_MS: Final = 300_000
"""How long after they were seen a player counts as online."""
LATEST_GAMES: Final = 10
"""How many games a player's page shows."""
MOST_LOOKS: Final = 100
"""How many games are examined for one page of a player's games, which may therefore be short or empty."""


class Shown(NamedTuple):
    """A player, and what the caller may know of them."""

    fields: Mapping[str, str]
    hidden: frozenset[str]
    """None of it for the player's own eyes."""


class PlayerPages:
    """The public pages of players. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, players: Players, presence: Presence) -> None:
        self._redis = redis
        self._log = log
        self._players = players
        self._presence = presence

    def page(self, token: str | None, player: str, words: Catalogue) -> dict[str, Any]:
        """Returns a player's page. What the player hides is null, but not for themselves.

        Raises:
            Refused: the token is not valid, or `not_found`, there is no such player.
        """
        shown = self._shown(token, player)
        history = HISTORY not in shown.hidden
        return {
            "id": player,
            "name": shown.fields["name"],
            "kind": shown.fields["kind"],
            "since": text_of(int(shown.fields["created_at"])) if "created_at" in shown.fields else None,
            "online": self._presence.seen_since(player, now_ms() - ONLINE_MS) if ONLINE not in shown.hidden else None,
            "program": program_of(player, shown.fields),
            "record": count_results(self._redis, player) if history else None,
            "ratings": self._ratings(player) if RATINGS not in shown.hidden else None,
            "games": self._latest(player, words) if history else None,
        }

    def ratings(self, token: str | None, player: str, pool: str | None = None) -> dict[str, Any]:
        """Returns a player's ratings with their history, in one pool or in all; none if the player hides them.

        Raises:
            Refused: the token is not valid, or `not_found`, there is no such player or pool.
        """
        fields, hidden = self._shown(token, player)
        program = program_in(player, fields)
        versions = program.versions if program is not None else ()
        if pool is not None:
            check_pool(pool)
        found = self._ratings(player, (pool,) if pool is not None else POOLS) if RATINGS not in hidden else []
        for one in found:
            history = StoredPool(self._redis, one["pool"]).history(player, MOST_HISTORY)
            one["history"] = [
                {
                    "game": game,
                    "ended_at": text_of(standing.ended_ms),
                    "rating": round(standing.rating.mean),
                    "deviation": round(standing.rating.deviation),
                    "version": versions[standing.version] if standing.version < len(versions) else None,
                }
                for game, standing in history
            ]
        return {"items": found}

    def games(
        self,
        token: str | None,
        player: str,
        words: Catalogue,
        *,
        against: str | None = None,
        edition: str | None = None,
        result: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """Returns a page of a player's public games that have ended, newest first; none if the player hides them.

        Raises:
            Refused: the token is not valid, `not_found`, there is no such player, or the cursor is none of this list.
        """
        hidden = self._shown(token, player).hidden
        most = min(limit or MOST_GAMES, MOST_GAMES)
        _, newest, seen = read_cursor(cursor) if cursor is not None else (0, NEVER, "")
        found: list[dict[str, Any]] = []
        if HISTORY in hidden:
            return {"items": found, "next_cursor": None}
        for looks, (game, at, snapshot) in enumerate(self._games(player, result, newest, seen)):
            if len(found) == most or looks == MOST_LOOKS:
                return {"items": found, "next_cursor": page_cursor(0, newest, seen)}
            newest, seen = at, game
            if snapshot is None or edition not in (None, snapshot.table.edition):
                continue
            if against is None or (against in snapshot.players and against != player):
                found.append(summary(snapshot, self._players, None, words))
        return {"items": found, "next_cursor": None}

    def _games(
        self, player: str, result: str | None, newest: int, seen: str
    ) -> Iterator[tuple[str, int, Snapshot | None]]:
        for game, at in newest_results(self._redis, player, result, newest, seen):
            snapshot = None
            with leaving_out(game, "the games of a player"):
                snapshot = self._log.read_uncached(game)
            yield game, at, snapshot

    def _latest(self, player: str, words: Catalogue) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for _, _, snapshot in self._games(player, None, NEVER, ""):
            if len(found) == LATEST_GAMES:
                break
            if snapshot is not None:
                found.append(summary(snapshot, self._players, None, words))
        return found

    def _ratings(self, player: str, pools: tuple[str, ...] = POOLS) -> list[dict[str, Any]]:
        found = latest_in(self._redis, pools, player)
        now = now_ms()
        ranks = {pool: StoredPool(self._redis, pool).rank(player) for pool in found}
        return [
            {"pool": pool, "rank": rank + 1 if (rank := ranks[pool]) is not None else None, **rating_of(standing, now)}
            for pool, standing in found.items()
        ]

    def _shown(self, token: str | None, player: str) -> Shown:
        caller = self._players.authenticate(token).id if token is not None else None
        fields = self._players.stored.fields(player) if own_bot(player) is None else {}
        if not fields.get("name") or fields.get("token", ERASED) == ERASED:
            raise Refused("not_found", Message("detail.no_such_player"))
        hidden = fields.get("hidden", "").split() if caller != player else ()
        return Shown(fields, frozenset(hidden))


def rating_of(standing: Standing, now: int) -> dict[str, Any]:
    """Returns what is shown of a player's standing at a time, in milliseconds since 1970."""
    rating = standing.at(now)
    return {
        "rating": round(rating.mean),
        "deviation": round(rating.deviation),
        "games": standing.games,
        "provisional": rating.deviation > STEADY,
    }


def check_pool(pool: str) -> None:
    """Checks that there is a pool of ratings.

    Raises:
        Refused: `not_found`.
    """
    if pool not in POOLS:
        raise Refused("not_found", Message("detail.no_such_pool"))
