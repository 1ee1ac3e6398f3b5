"""Reads the results of games for those who follow them: every public game that has ended, in order.

What a result is follows from the log, so all that is stored is its number (`recording`).
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.texts.catalogue import LANGUAGES, catalogue
from games.views.page_limits import LONGEST_WAIT_SECONDS, MOST_RESULTS
from games.views.results import result_of
from service.players import Players
from service.reading import Waiter
from service.store.damaged import leaving_out
from service.store.lists.results import StoredResults
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient

EVERYBODY: Final = ""
"""Whose results they are: there is one feed."""

WORDS: Final = catalogue(LANGUAGES[0])
"""For the names of bots; a follower's language is not known."""

Result = dict[str, Any]


class ResultStreamStart(NamedTuple):
    """Where a stream of results begins: after a cursor."""

    caller: str | None
    proof: str | None
    """Proof of the token they came with; None without one."""
    version: int
    """The cursor of the last result that they have. They are sent what follows."""
    results: Sequence[Result]
    """What they get at once."""


class Results:
    """The results of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, players: Players) -> None:
        self._stored = StoredResults(redis)
        self._log = log
        self._players = players

    def page(
        self,
        token: str | None,
        *,
        after: int = 0,
        limit: int | None = None,
        wait: float = 0,
        waiter: Waiter | None = None,
    ) -> dict[str, Any]:
        """Returns the results after a cursor, at most `limit`; waits up to `wait` seconds for the first.

        The `waiter` waits; without one the call does not.

        Raises:
            Refused: the token is not valid.
        """
        start = self.begin(token, after, limit)
        if wait and waiter is not None and not start.results:
            waiter(EVERYBODY, after, min(wait, LONGEST_WAIT_SECONDS))
            start = self.begin(token, after, limit)
        return {"results": start.results, "cursor": start.version}

    def begin(self, token: str | None, after: int | None = None, limit: int | None = None) -> ResultStreamStart:
        """Returns the results after a cursor for a follower; without one, none: what follows is what comes from now on.

        Raises:
            Refused: the token is not valid.
        """
        caller = self._players.authenticate(token).id if token is not None else None
        proof = self._players.proof(token) if caller is not None else None
        if after is None:
            return ResultStreamStart(caller, proof, self._stored.last(), ())
        found = self.after(EVERYBODY, after, min(limit or MOST_RESULTS, MOST_RESULTS))
        return ResultStreamStart(caller, proof, found[-1]["cursor"] if found else after, found)

    def after(self, _: str, cursor: int, limit: int) -> list[Result]:
        """Reads at most `limit` results after a cursor, for those who follow them."""
        found: list[Result] = []
        while len(found) < limit and (some := self._stored.after(cursor, limit - len(found))):
            for game, cursor in some:
                with leaving_out(game, "the results"):
                    snapshot = self._log.read_uncached(game)
                    if snapshot is not None:
                        found.append({"cursor": cursor, **result_of(snapshot, self._players, WORDS)})
        return found

    def counts(self, whose: Sequence[str]) -> list[int | None]:
        """Returns the newest cursor, so that live feeds find results that they have missed."""
        return [self._stored.last()] * len(whose)
