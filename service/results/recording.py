"""Records what comes of a game that has ended: its result, its players' records and ratings. Each counts once.

The step that ends a game notes that its result is to be recorded. A job does it, and a sweeper asks again until it is
done. Each part may be repeated: what is stored is keyed by the game.
"""

from games.daily.crowd import has_won
from games.daily.days import SEAT, Day
from games.ratings.places import has_result
from games.ratings.records import records_of
from games.snapshot import Snapshot
from service.players import Players
from service.results.rating import Ratings
from service.store.daily.stored_days import StoredDays
from service.store.lists.due import unrecorded_games
from service.store.lists.results import StoredResults, record_entries
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient


class Recording:
    """Records results. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, players: Players, ratings: Ratings) -> None:
        self._stored = StoredResults(redis)
        self._unrecorded = unrecorded_games(redis)
        self._log = log
        self._players = players
        self._ratings = ratings
        self._days = StoredDays(redis)

    def record(self, game: str) -> None:
        """Records the result of a game that has ended; does nothing for any other, and the second time."""
        snapshot = self._log.read_uncached(game)
        if snapshot is not None and not snapshot.ended:
            return  # the sweepers take it off the list, or ask again
        if snapshot is not None and has_result(snapshot):
            self._stored.add(game)
            self._stored.enter(game, self.records(snapshot))
            if not self._ratings.rate(snapshot):
                return  # the sweepers ask for the rest
        if snapshot is not None and (day := Day.of_game(snapshot)) is not None:
            self._days.end(day.id, snapshot.players[SEAT] or "", won=has_won(snapshot))
        self._unrecorded.remove(game)

    def records(self, snapshot: Snapshot) -> dict[str, int]:
        """Returns the stored lists of its players' results that a finished game is on, with the time of each entry."""
        named = self._players.named(snapshot.players)
        return record_entries(snapshot, records_of(snapshot, {player: one.kind for player, one in named.items()}))
