"""Sends players the notices of their games, each once and in order.

The log is the source of truth. If a process ends before players are notified, the sweepers find the game and it is done
from the log. So notices can be sent after a call is answered: on its event loop, or on a thread.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from games.errors import Unavailable
from games.notices import Notice, notices
from games.snapshot import Entry, Snapshot
from games.steps import Step
from service.store.damaged import leaving_out
from service.store.feeds.stored_notices import StoredNotices
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient
from service.store.redis.greenlets import soon_on_loop

MOST_WAITING: Final = 10_000
"""How many games' notices may wait in this process. The sweepers take care of the rest."""
AT_ONCE: Final = 50
GATHERING_SECONDS: Final = 0.005
"""How long an event loop rests after it has sent some; without load, notices are sent at once."""
IDLE_SECONDS: Final = 5.0
"""How long the thread waits for the next step before it ends; the step after that starts another one."""

NoticesByPlayer: TypeAlias = Mapping[str, Sequence[Notice]]
"""The notices of a step, by player."""
StepNotices: TypeAlias = tuple[Step, NoticesByPlayer]

_log = logging.getLogger(__name__)


class Notifier:
    """Notifies players. Any number of processes may handle the same game."""

    def __init__(self, redis: RedisClient, log: EventLog) -> None:
        self._stored = StoredNotices(redis)
        self._event_log = log
        self._waiting: deque[StepNotices] = deque()
        self._sending = 0
        """How many steps have been taken from those that wait, and are not settled yet."""
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        """Notified when the thread has something to send, and when all is settled."""
        self._notified: dict[str, int] = {}
        self._on_loop = False
        """Whether an event loop sends what is queued."""
        self._rested = 0.0
        """When an event loop has rested enough since it last sent some, in seconds of the monotonic clock."""
        self._sender: threading.Thread | None = None

    def queue(self, step: Step, by_player: NoticesByPlayer) -> None:
        """Queues the notices of a step that has been made, without waiting.

        A call on an event loop has them sent there, all others on a thread.
        """
        with self._lock:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append((step, by_player))
        if self._on_loop:
            return
        if soon_on_loop(self._send_on_loop, max(0.0, self._rested - time.monotonic())):
            self._on_loop = True  # no other call has run on the loop meanwhile
            return
        with self._lock:
            if self._sender is None:
                self._sender = threading.Thread(target=self._send_on_thread, name="notifier", daemon=True)
                self._sender.start()
            self._changed.notify_all()

    def settle(self) -> None:
        """Waits until all queued notices have been sent or left to the sweepers."""
        with self._lock:
            self._changed.wait_for(lambda: not self._waiting and not self._sending)

    def send_pending(self, game: str) -> None:
        """Sends a game's players all notices that are still pending.

        Raises:
            Unavailable: Redis cannot be reached; some players may have been notified.
        """
        snapshot = self._event_log.read(game).snapshot
        if snapshot is not None and snapshot.notify_version > snapshot.notified_version:
            self._notify([(snapshot, notices(snapshot, self._unnotified_entries(snapshot)))])

    def _send_on_thread(self) -> None:
        while some := self._wait_for_queued():
            self._send_or_leave(some)

    def _send_on_loop(self) -> None:
        """Sends queued notices on an event loop. Under load it rests in between, so that more is sent at once."""
        while self._on_loop:
            while some := self._take_queued():
                self._send_or_leave(some)
            self._rested = time.monotonic() + GATHERING_SECONDS
            self._on_loop = False
            if self._waiting:  # a thread has relied on this loop until now
                self._on_loop = True

    def _take_queued(self) -> list[StepNotices]:
        """Takes queued notices, as many as are sent at once."""
        with self._lock:
            return self._take()

    def _wait_for_queued(self) -> list[StepNotices]:
        """Waits for queued notices and takes them; none if this thread has had none for IDLE_SECONDS and ends."""
        with self._lock:
            if not self._changed.wait_for(lambda: self._waiting, IDLE_SECONDS):
                self._sender = None
            return self._take()

    def _take(self) -> list[StepNotices]:
        some = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
        self._sending += len(some)
        return some

    def _send_or_leave(self, some: Sequence[StepNotices]) -> None:
        try:
            self._notify_of_steps(some)
        except Unavailable as error:
            _log.warning("cannot notify players; the next sweep retries: %s", error)
        except Exception:
            # Whatever failed, the sweepers meet it again; the next games must not wait for it.
            _log.exception("notifying players failed; the next sweep retries")
        finally:
            with self._lock:
                self._sending -= len(some)
                if not self._sending and not self._waiting:
                    self._changed.notify_all()

    def _notify_of_steps(self, made: Sequence[StepNotices]) -> None:
        """Sends the notices of steps. Damaged games are left to the sweepers."""
        coming: dict[str, int] = {}
        games = []
        for step, by_player in made:
            game = step.after
            if not self._has_missed_notices(step, coming.get(game.id, 0)):
                games.append((game, by_player))
                coming[game.id] = game.version
                continue
            with leaving_out(game.id, "the notices of its players"):
                games.append((game, notices(game, self._unnotified_entries(game))))
                coming[game.id] = game.version
        self._notify(games)

    def _notify(self, games: Sequence[tuple[Snapshot, NoticesByPlayer]]) -> None:
        self._stored.add([(game.id, player, some) for game, by_player in games for player, some in by_player.items()])
        # Only after all are notified, and so not in the same round trip: a cluster would run both at the same time.
        self._stored.notified([snapshot for snapshot, _ in games])
        if len(self._notified) > MOST_WAITING:
            self._notified.clear()
        self._notified.update({snapshot.id: snapshot.version for snapshot, _ in games})

    def _has_missed_notices(self, step: Step, handled: int) -> bool:
        """Returns whether players may have missed a notice before a step.

        Entries up to version `handled` are being handled, or have been, by this process.
        """
        before = step.before
        return before is not None and before.notify_version > max(
            before.notified_version, handled, self._notified.get(before.id, 0)
        )

    def _unnotified_entries(self, snapshot: Snapshot) -> Sequence[Entry]:
        """Returns the entries of a game that its players may not have been notified of."""
        read = self._event_log.entries(snapshot.id, snapshot.notified_version)
        return [entry for entry in read if entry.version <= snapshot.version]
