"""The pools of ratings: games in the order of the fold, what each has made of its players, and the table of players.

All keys of a pool share a slot. Inputs and outcomes are kept by game; a player's standing before a game is the outcome
of their game before it. So the fold can go on from any game, and outcomes that are folded again are overwritten.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import orjson

from games.ratings.fold import begin_of_day, rated_in
from games.ratings.pools import RatedGame
from games.ratings.standing import Rating, Standing
from service.store import keys
from service.store.damaged import sound
from service.store.redis.client import RedisClient
from service.store.scripts import ADD_RATED, COMMIT_RATINGS, REMOVE_RATED

CHANGED: Final = 2
"""What the script gives if another account of a game is there."""

Outcome = Mapping[str, Standing]
"""The standings of the players of a game after it."""


class Unfolded(NamedTuple):
    """The next games to fold, and up to where a pool had been folded."""

    epoch: int
    folded: int
    ids: list[str]
    games: list[RatedGame]
    """What those say of which something sound is stored."""


class StoredPool:
    """One of the pools in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, pool: str) -> None:
        self._redis = redis
        self._pool = pool
        parts = ("order", "inputs", "state", "outcomes", "latest", "table")
        self._order, self._inputs, self._state, self._outcomes, self._latest, self._table = (
            keys.of_pool(pool, part) for part in parts
        )

    # --- games ---

    def add(self, game: RatedGame) -> None:
        """Adds a game to the stored pool, unless it is there; another account of it is replaced."""
        names = [self._order, self._inputs, self._state, *self._of(rated_in(game))]
        arguments = [game.game, game.ended_ms, orjson.dumps(game[1:])]
        if self._redis.run(ADD_RATED, names, arguments) == CHANGED:
            self.remove(game.game, rated_in(game))
            self._redis.run(ADD_RATED, names, arguments)

    def remove(self, game: str, players: Sequence[str] = ()) -> bool:
        """Takes a game out of the stored pool; returns whether it was there.

        It is taken from `players` and those whom it has rated, as far as what is stored of it can be read.
        """
        rated = [*dict.fromkeys([*players, *(one for stored in self.inputs([game]) for one in rated_in(stored))])]
        names = [self._order, self._inputs, self._state, self._outcomes, self._latest, self._table]
        return bool(self._redis.run(REMOVE_RATED, [*names, *self._of(rated)], [game, *rated]))

    def games(self) -> list[str]:
        """Reads the ids of all games of the stored pool, in order."""
        return [game.decode() for game in self._redis.send(("ZRANGE", self._order, 0, -1))[0]]

    def inputs(self, games: Sequence[str]) -> list[RatedGame]:
        """Reads what games say, as far as they are in the stored pool and what it says of them is sound."""
        if not games:
            return []
        found = self._redis.send(("HMGET", self._inputs, *games))[0]
        read = [
            sound(f"game {game} in ratings", partial(_input, game, raw))
            for game, raw in zip(games, found, strict=True)
            if raw is not None
        ]
        return [one for one in read if one is not None]

    # --- the fold ---

    def begin_anew(self) -> None:
        """Has the stored pool folded again from its first game."""
        self._redis.send(("HINCRBY", self._state, "epoch", 1), ("HSET", self._state, "folded", 0))

    def unfolded(self, most: int) -> Unfolded:
        """Reads the next games of the stored pool to fold, at most so many."""
        epoch, folded = (int(value or 0) for value in self._redis.send(("HMGET", self._state, "epoch", "folded"))[0])
        found = self._redis.send(("ZRANGE", self._order, folded, folded + most - 1))[0]
        ids = [game.decode() for game in found]
        return Unfolded(epoch, folded, ids, self.inputs(ids))

    def before(self, games: Mapping[str, str]) -> dict[str, Standing]:
        """Reads the standings of players before a game of each, by player; without those for whom it is the first."""
        if not games:
            return {}
        names = dict(zip(games, self._of([*games]), strict=True))
        ranks = self._redis.send(*[("ZRANK", names[player], game) for player, game in games.items()])
        later = {player: rank for player, rank in zip(games, ranks, strict=True) if rank}
        standings: dict[str, Standing] = {}
        while later:  # once, unless a game is damaged, which has made nothing of its players
            found = self._redis.send(*[("ZRANGE", names[one], rank - 1, rank - 1) for one, rank in later.items()])
            outcomes = self.outcomes([some[0].decode() if some else "" for some in found])
            of_player = zip(later, outcomes, strict=True)
            standings |= {player: outcome[player] for player, outcome in of_player if player in outcome}
            later = {player: rank - 1 for player, rank in later.items() if player not in standings and rank > 1}
        return standings

    def before_that_day(self, games: Sequence[RatedGame]) -> list[list[RatedGame]]:
        """Reads for each game those of its first rated player that come before it on the same day, in stored order."""
        found = self._redis.send(
            *[
                ("ZRANGEBYSCORE", self._of(rated_in(game))[0], begin_of_day(game.ended_ms), game.ended_ms)
                for game in games
            ]
        )
        before: list[list[str]] = []
        for game, listed in zip(games, found, strict=True):
            ids = [one.decode() for one in listed]
            before.append(ids[: ids.index(game.game)] if game.game in ids else [])
        known = {one.game: one for one in self.inputs([*{game for ids in before for game in ids}])}
        return [[known[game] for game in ids if game in known] for ids in before]

    def commit(
        self, unfolded: Unfolded, outcomes: Mapping[str, Outcome], latest: Outcome, ranked: Mapping[str, bool]
    ) -> bool:
        """Writes the outcomes by game to the stored pool, unless it has changed; returns whether they were written.

        `latest` has the newest standing of each player, `ranked` whether the player is shown in the table.
        """
        arguments: list[Any] = [unfolded.epoch, unfolded.folded, unfolded.folded + len(unfolded.ids)]
        for game in unfolded.ids:
            outcome = outcomes.get(game, {})
            arguments += game, orjson.dumps({player: _stored(one) for player, one in outcome.items()})
        for player, standing in latest.items():
            arguments += player, orjson.dumps(_stored(standing)), _score(standing) if ranked[player] else ""
        names = [self._order, self._state, self._outcomes, self._latest, self._table]
        return bool(self._redis.run(COMMIT_RATINGS, names, arguments))

    # --- reading ---

    def outcomes(self, games: Sequence[str]) -> list[dict[str, Standing]]:
        """Reads what games, which have been folded, have made of their players, from the stored pool."""
        found = self._redis.send(("HMGET", self._outcomes, *games))[0] if games else []
        return [
            sound(f"the outcome of game {game} in ratings", partial(_outcome, raw or b"{}")) or {}
            for game, raw in zip(games, found, strict=True)
        ]

    def history(self, player: str, most: int) -> list[tuple[str, Standing]]:
        """Reads the latest games of a player in the stored pool with the standing after each, the oldest first."""
        found = self._redis.send(("ZRANGE", keys.of_pool_player(self._pool, player), -most, -1))[0]
        games = [game.decode() for game in found]
        outcomes = self.outcomes(games)
        return [(game, outcome[player]) for game, outcome in zip(games, outcomes, strict=True) if player in outcome]

    def latest(self, players: Sequence[str]) -> list[Standing | None]:
        """Reads the standings of players after their latest folded games in the stored pool."""
        found = self._redis.send(("HMGET", self._latest, *players))[0] if players else []
        return [_latest(player, raw) for player, raw in zip(players, found, strict=True)]

    def page(self, first: int, count: int) -> tuple[list[str], int]:
        """Reads a part of the stored table, the strongest first, and how many players the table has."""
        found = self._redis.send(("ZREVRANGE", self._table, first, first + count - 1), ("ZCARD", self._table))
        return [player.decode() for player in found[0]], found[1]

    def rank(self, player: str) -> int | None:
        """Reads how many players of the stored table are before a player; None if the player is not in it."""
        rank: int | None = self._redis.send(("ZREVRANK", self._table, player))[0]
        return rank

    def list_again(self, player: str, *, shown: bool) -> None:
        """Puts a player into the stored table, or takes them out."""
        [standing] = self.latest([player])
        if shown and standing is not None and standing.is_steady:
            self._redis.send(("ZADD", self._table, _score(standing), player))
        else:
            self._redis.send(("ZREM", self._table, player))

    def _of(self, players: Sequence[str]) -> list[str]:
        return [keys.of_pool_player(self._pool, player) for player in players]


def latest_in(redis: RedisClient, pools: Sequence[str], player: str) -> dict[str, Standing]:
    """Reads a player's standings by stored pool, in one round trip, without pools in which they have not played."""
    found = redis.send(*[("HGET", keys.of_pool(pool, "latest"), player) for pool in pools])
    read = {pool: _latest(player, raw) for pool, raw in zip(pools, found, strict=True)}
    return {pool: standing for pool, standing in read.items() if standing is not None}


def sizes(redis: RedisClient, pools: Sequence[str]) -> list[int]:
    """Reads how many players the tables of stored pools have."""
    return redis.send(*[("ZCARD", keys.of_pool(pool, "table")) for pool in pools])


def _input(game: str, raw: bytes) -> RatedGame:
    ended_ms, players, places, versions = orjson.loads(raw)
    if len(players) != len(places) or len(versions) not in (0, len(players)):
        raise ValueError("places and versions are those of the players")
    return RatedGame(game, int(ended_ms), tuple(map(str, players)), tuple(map(int, places)), tuple(map(int, versions)))


def _outcome(raw: bytes) -> dict[str, Standing]:
    return {player: _standing(one) for player, one in orjson.loads(raw).items()}


def _latest(player: str, raw: bytes | None) -> Standing | None:
    return sound(f"player {player} in ratings", lambda: _standing(orjson.loads(raw))) if raw is not None else None


def _stored(standing: Standing) -> list[Any]:
    return [*standing.rating, *standing[1:]]


def _standing(stored: Sequence[Any]) -> Standing:
    mean, deviation, games, ended_ms, version = stored
    return Standing(Rating(float(mean), float(deviation)), int(games), int(ended_ms), int(version))


def _score(standing: Standing) -> str:
    return repr(standing.rating.mean)
