"""Rates players by the games that they have finished: a fold over results, in the order in which the games ended.

Any process may fold a pool, also several at once: the first to write wins, and the others go on from there. A game that
comes late has the pool folded again from its place.
"""

import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from games.player import RATINGS
from games.programs import version_at
from games.ratings.fold import Occasion, occasion_of, rated_in, standings_after
from games.ratings.pools import POOLS, RatedGame, kind_of, rated_game
from games.ratings.standing import Standing
from games.snapshot import Snapshot
from games.times import ms_of
from service.players import Players
from service.store import damaged
from service.store.damaged import sound
from service.store.players.stored_players import BANNED, ERASED
from service.store.ratings.stored_pools import StoredPool
from service.store.redis.client import RedisClient

AT_ONCE: Final = 100
"""How many games are folded between reading and writing."""
FOLDING_SECONDS: Final = 4.0
"""How long one job folds a pool; the sweepers ask for the rest."""

_log = logging.getLogger(__name__)


class Ratings:
    """The ratings of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, players: Players) -> None:
        self._redis = redis
        self._players = players

    def rate(self, snapshot: Snapshot, seconds: float = FOLDING_SECONDS) -> bool:
        """Rates the players of a game that has ended, if it counts; returns False if there is more to fold."""
        found = self.pool_of(snapshot)
        if found is None:
            return True
        pool, game = found
        StoredPool(self._redis, pool).add(game)
        return self.fold(pool, seconds)

    def remove(self, snapshot: Snapshot) -> None:
        """Takes a game that is removed out of its pool, and folds what came after it again."""
        found = self.pool_of(snapshot)
        if found is not None:
            StoredPool(self._redis, found[0]).remove(snapshot.id)
            self.fold(found[0], FOLDING_SECONDS)

    def remove_damaged(self, game: str) -> None:
        """Takes a game that cannot be read out of the pool that has rated it, and folds what came after it again."""
        for pool in POOLS:
            stored = StoredPool(self._redis, pool)
            if stored.remove(game):
                self.fold(pool, FOLDING_SECONDS)

    def fold(self, pool: str, seconds: float) -> bool:
        """Folds a pool from where it was folded to, for so many seconds; returns whether all of it is folded.

        A game of which nothing can be read there rates nobody, and is noted for operators.
        """
        stored, until = StoredPool(self._redis, pool), time.monotonic() + seconds
        while True:
            unfolded = stored.unfolded(AT_ONCE)
            if not unfolded.ids:
                return True
            outcomes, latest = self._folded(stored, unfolded.games, kind_of(pool))
            ranked = self._ranked(latest)
            if stored.commit(unfolded, outcomes, latest, ranked):
                # Those who have hidden their ratings, or were erased, meanwhile.
                for player, _ in {*ranked.items()} - {*self._ranked(latest).items()}:
                    self.list_again(player)
                for game in unfolded.ids:
                    if game not in outcomes:
                        _log.error("game %s is left out of the ratings, because it cannot be read there", game)
                        damaged.note(self._redis, game)
            if time.monotonic() > until:
                return False

    def list_again(self, player: str) -> None:
        """Shows a player in the tables of all pools, or does not, as what is stored of the player says."""
        shown = self._shown([player])[player]
        for pool in POOLS:
            StoredPool(self._redis, pool).list_again(player, shown=shown)

    def pool_of(self, snapshot: Snapshot) -> tuple[str, RatedGame] | None:
        """Returns the pool that rates a game, and what the game says there; None if it is not rated."""
        if not snapshot.table.rated:
            return None
        named = self._players.named(snapshot.players)
        found = rated_game(snapshot, {player: one.kind for player, one in named.items()})
        if found is None or not any(named[player].kind == "bot" for player in rated_in(found[1])):
            return found
        pool, game = found
        return pool, game._replace(versions=self._versions(snapshot, game))

    def _versions(self, snapshot: Snapshot, game: RatedGame) -> tuple[int, ...]:
        """Returns which versions of programs played a game; that they are erased since changes nothing."""
        started = ms_of(snapshot.started.at if snapshot.started is not None else snapshot.created.at)
        fields = self._players.stored.some_fields(rated_in(game), ("versions",))
        changes = {player: fields.get(player, {}).get("versions", "") for player in game.players}
        found = [
            sound(f"the versions of program {player}", partial(version_at, changes[player], started)) or 0
            for player in game.players
        ]
        return tuple(found) if any(found) else ()

    def _folded(
        self, stored: StoredPool, games: Sequence[RatedGame], kind: str
    ) -> tuple[dict[str, dict[str, Standing]], dict[str, Standing]]:
        """Returns by game what consecutive games make of their players, and the newest standing of each."""
        first: dict[str, str] = {}
        for game in games:
            for player in rated_in(game):
                first.setdefault(player, game.game)
        known, earlier = stored.before(first), _earlier(stored, games)
        outcomes: dict[str, dict[str, Standing]] = {}
        for game in games:
            with damaged.leaving_out(game.game, "the ratings"):
                outcomes[game.game] = standings_after(game, known, earlier[occasion_of(game)], kind)
                earlier[occasion_of(game)] += 1
                known |= outcomes[game.game]
        return outcomes, {player: known[player] for player in first if player in known}

    def _ranked(self, latest: Mapping[str, Standing]) -> dict[str, bool]:
        """Returns which players are shown in tables after games that have made these standings of them."""
        shown = self._shown([*latest])
        return {player: shown[player] and standing.is_steady for player, standing in latest.items()}

    def _shown(self, players: Sequence[str]) -> dict[str, bool]:
        """Returns which players tables may show: those who are there and not banned, and do not hide their ratings."""
        fields = self._players.stored.some_fields(players, ("token", "hidden"))
        return {
            player: fields.get(player, {}).get("token", ERASED) not in (BANNED, ERASED)
            and RATINGS not in fields[player].get("hidden", "").split()
            for player in players
        }


def _earlier(stored: StoredPool, games: Sequence[RatedGame]) -> Counter[Occasion]:
    """Returns how often those who play some consecutive games had played on those days before the first of them."""
    first = {occasion_of(game): game for game in reversed(games)}
    before = stored.before_that_day([*first.values()])
    return Counter(
        {
            occasion: sum(occasion_of(other) == occasion for other in others)
            for occasion, others in zip(first, before, strict=True)
        }
    )
