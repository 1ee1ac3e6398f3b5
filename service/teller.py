"""Tells players what happens in their games, each thing once and in order; what there is to tell is for `notices`.

The log is the truth: a game whose players were not told because a process ended is found by the sweepers, and told of
from the log. So it may be done after a call is answered, and is: by a thread of its own.
"""

import contextlib
import logging
import queue
import threading
from collections.abc import Sequence
from typing import Any, Final

import orjson
from redis.exceptions import NoScriptError

from service import keys, untold
from service.connection import Exchange
from service.damage import leaving_out
from service.errors import Unavailable
from service.log import EventLog, Step
from service.notices import APPROACHES, notices
from service.scripts import TELL, TOLD
from service.snapshot import Entry, Snapshot

KEPT: Final = 1000
"""How many notices a player's feed holds at least, if so many were told."""
KEPT_APPROACHES: Final = 200
"""The same of what others may have a player told, beside those: else they could push out the rest."""
KEEP_SECONDS: Final = 28 * 24 * 60 * 60
"""For how long; and for how long they are kept for a player who has not asked for them."""
REMEMBER_SECONDS: Final = 7 * 24 * 60 * 60
"""For how long it is known of a game what a player was told, should the game itself not know it."""
MOST_WAITING: Final = 10_000
"""Games that wait to be told of in this process; what comes beyond is left to the sweepers."""
AT_ONCE: Final = 50

_log = logging.getLogger(__name__)


class Teller:
    """Tells of games; any number of processes may tell of the same one."""

    def __init__(self, exchange: Exchange, log: EventLog) -> None:
        self._exchange = exchange
        self._event_log = log
        self._waiting: queue.Queue[Step] = queue.Queue(MOST_WAITING)
        self._told: dict[str, int] = {}
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def soon(self, step: Step) -> None:
        """Lets players be told of a step that has been made, without waiting for it."""
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(step)
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="teller", daemon=True)
                    self._thread.start()

    def settle(self) -> None:
        """Waits until all has been told that was to be told soon, or has been left to the sweepers."""
        self._waiting.join()

    def now(self, game: str) -> None:
        """Tells the players of a game what they have not been told.

        Raises:
            Unavailable: Redis is away; some may have been told.
        """
        snapshot = self._event_log.read(game).snapshot
        if snapshot is not None and snapshot.tell > snapshot.told:
            self._tell([(snapshot, self._untold(snapshot))])

    def _work(self) -> None:
        while True:
            some = [self._waiting.get()]
            while len(some) < AT_ONCE and not self._waiting.empty():
                some.append(self._waiting.get())
            try:
                self._tell_of(some)
            except Unavailable as error:
                _log.warning("players cannot be told, the next sweep will see to it: %s", error)
            except Exception:
                # Whatever it is, the sweepers meet it again, and the next games must not wait for it.
                _log.exception("telling players has failed; the next sweep will see to it")
            finally:
                for _ in some:
                    self._waiting.task_done()

    def _tell_of(self, steps: Sequence[Step]) -> None:
        """Tells of steps; of a game that somebody has damaged only the sweepers can know more."""
        coming: dict[str, int] = {}
        games = []
        for step in steps:
            with leaving_out(step.after.id, "what players are told"):
                games.append((step.after, self._entries(step, coming.get(step.after.id, 0))))
                coming[step.after.id] = step.after.version
        self._tell(games)

    def _tell(self, games: Sequence[tuple[Snapshot, Sequence[Entry]]]) -> None:
        calls = [
            _call(snapshot.id, player, told)
            for snapshot, entries in games
            for player, told in notices(snapshot, entries).items()
        ]
        if calls:
            try:
                self._exchange.send(*[("EVALSHA", TELL.digest, len(names), *names, *said) for names, said in calls])
            except NoScriptError:
                for names, said in calls:  # those that were told are not told again
                    self._exchange.run(TELL, names, said)
        # Only when all have been told, so not in the same round trip: on a cluster that would be at the same time.
        self._note([snapshot for snapshot, _ in games])
        if len(self._told) > MOST_WAITING:
            self._told.clear()
        self._told.update({snapshot.id: snapshot.version for snapshot, _ in games})

    def _note(self, snapshots: Sequence[Snapshot]) -> None:
        """Notes up to which version the players of games have been told."""
        noted = [([keys.meta(snapshot.id)], [snapshot.version]) for snapshot in snapshots]
        removals = [untold.removal(snapshot) for snapshot in snapshots]
        try:
            self._exchange.send(*[("EVALSHA", TOLD.digest, 1, *names, *said) for names, said in noted], *removals)
        except NoScriptError:
            for names, said in noted:
                self._exchange.run(TOLD, names, said)
            self._exchange.send(*removals)

    def _entries(self, step: Step, told: int) -> Sequence[Entry]:
        """Returns the entries to tell of with a step: its own, and those before it that may not have been told of.

        Up to version `told` they are about to be, or have been by this process.
        """
        before = step.before
        if before is None or before.tell <= max(before.told, told, self._told.get(before.id, 0)):
            return step.entries
        return self._untold(step.after)

    def _untold(self, snapshot: Snapshot) -> Sequence[Entry]:
        """Returns the entries of a game that its players may not have been told of."""
        read = self._event_log.entries(snapshot.id, snapshot.told)
        return [entry for entry in read if entry.version <= snapshot.version]


def _call(game: str, player: str, told: Sequence[dict[str, Any]]) -> tuple[list[str], list[Any]]:
    names = [keys.player(player), keys.notices(player), keys.told_of(player, game), keys.asked_for(player)]
    names.append(keys.approaches(player))
    said: list[Any] = [KEPT, KEPT_APPROACHES, KEEP_SECONDS, REMEMBER_SECONDS, keys.bell(player)]
    for notice in told:
        said += (notice["version"], int(notice["type"] in APPROACHES), orjson.dumps(notice))
    return names, said
