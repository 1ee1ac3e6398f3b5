"""The list of ended games that are not archived, by when they ended: those to pack and to archive."""

from collections.abc import Iterator
from typing import Final

from engine.state import ABORTED, FINISHED
from service.store import keys
from service.store.lists.due import DueList
from service.store.redis.client import RedisClient

ENDINGS: Final = (ABORTED, FINISHED)
PAGE: Final = 100


class EndedGames(DueList):
    """The list. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        super().__init__(redis, keys.ENDED)

    # --- packing ---

    def to_pack(self, until: int, most: int) -> tuple[list[str], int | None]:
        """Returns the next games on the list of ended ones to pack, up to a time, and how far packing then is.

        The time is None if nothing is left.
        """
        begin = int(self._redis.send(("GET", keys.PACKED_UP_TO))[0] or 0)
        found = ("ZRANGEBYSCORE", self._key, f"({begin}", until, "WITHSCORES", "LIMIT", 0, most)
        page = self._redis.send(found)[0]
        if not page:
            return [], None
        upto = int(page[-1])
        # All games that ended at the same time as the last one, so that the next page can begin after them.
        games = [*page[::2], *self._redis.send(("ZRANGEBYSCORE", self._key, upto, upto))[0]]
        unpacked = self._redis.send(*[("EXISTS", keys.log(game.decode())) for game in games])
        return [game.decode() for game, there in dict(zip(games, unpacked, strict=True)).items() if there], upto

    def packed(self, upto: int) -> None:
        """Notes on the list of ended games that all up to a time have been packed."""
        self._redis.send(("SET", keys.PACKED_UP_TO, upto))

    # --- archiving ---

    def up_to(self, until: int) -> Iterator[str]:
        """Yields every game on the list of ended ones up to a time while they are archived; skips those that stay."""
        oldest: float | str = "-inf"
        seen: set[str] = set()
        while True:
            found = ("ZRANGEBYSCORE", self._key, oldest, until, "WITHSCORES", "LIMIT", 0, PAGE)
            page = self._redis.send(found)[0]
            games = [(game.decode(), float(score)) for game, score in zip(page[::2], page[1::2], strict=True)]
            new = [(game, score) for game, score in games if game not in seen]
            if not new:
                return
            yield from (game for game, _ in new)
            oldest = new[-1][1]
            seen = {game for game, score in games if score == oldest}

    def ended(self, game: str) -> float | None:
        """Returns when a game on the list of ended ones ended; None if it is not on the list."""
        score = self._redis.send(("ZSCORE", self._key, game))[0]
        return None if score is None else float(score)

    def take_off(self, game: str) -> None:
        """Removes a game from the list of ended ones, and what was noted about its archiving."""
        self._redis.send(("ZREM", self._key, game), ("HDEL", keys.NOT_ARCHIVED, game))

    def note_not_archived(self, game: str, why: str) -> None:
        """Notes beside the list of ended games why a game could not be archived."""
        self._redis.send(("HSET", keys.NOT_ARCHIVED, game, why))
