"""Takes calls that compute for long off the event loop, into a few threads; a route says that its calls do."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Final, TypeAlias

from api.link import LINK
from api.request.current import current_request
from games.errors import Refused
from games.messages import Message
from service.store.log.event_log import ARCHIVE_THREADS
from service.store.redis.greenlets import current_call, in_thread, in_turn

MOST_WAITING: Final = 32
"""How many calls of one address may wait for threads of a kind."""


class Pool:
    """A few threads for one kind of call."""

    def __init__(self, name: str, threads: int, turn: "threading.Lock | None" = None) -> None:
        """With a `turn`, its calls compute one at a time, and more threads only let more of them wait elsewhere."""
        self._threads = ThreadPoolExecutor(threads, name)
        self._turn = turn
        self._asked: Counter[str] = Counter()
        """How many calls wait or run, by address."""

    def run(self, work: Callable[[], Any]) -> Any:
        """Runs a call, and lets others of its address run meanwhile.

        Raises:
            Refused: `rate_limited`, too many of its address wait.
        """
        link = current_request().environ.get(LINK)
        if link is None or current_call() is None:
            return work()
        if self._turn is not None:
            work = partial(in_turn, work, self._turn)
        address = link.address
        if self._asked[address] >= MOST_WAITING:
            raise Refused("rate_limited", Message("detail.too_many_read"), limit="reading_at_once", retry_after=1)
        self._asked[address] += 1
        try:
            with link.away():
                return in_thread(work, self._threads)
        finally:
            self._asked[address] -= 1
            if not self._asked[address]:
                del self._asked[address]


READING: Final = Pool("reading", ARCHIVE_THREADS, threading.Lock())
"""Lists, logs, forks, views of the past. If they computed at once they would end no sooner, and delay actions. But none
waits for another that waits for the archive."""
HINTING: Final = Pool("hinting", 2, threading.Lock())
"""Hints, which take a tenth of a second of the processor each."""
PAGES: Final = Pool("pages", 2)
"""Pages and probes. A probe waits for Redis with a lock held, which must not be on the loop."""
OPERATING: Final = Pool("operating", 4)
"""Calls of operators, which may look through everything or wait for the archive, and erasures."""
VERIFYING: Final = Pool("verifying", 1)

Runs: TypeAlias = Pool | Callable[[str], Pool | None]
"""Where the calls of a route run: always in a pool, or as the query says; None is on the event loop."""


def reading_with(name: str) -> Runs:
    """Returns that calls take long if their query has a parameter."""
    return lambda query: READING if query and name in current_request().args else None


def reading_without(name: str) -> Runs:
    """Returns that calls take long unless their query has a parameter."""
    return lambda query: None if query and name in current_request().args else READING


def runs_in(runs: Runs) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Returns a decorator that has the calls of a view run where they should."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def handle(**values: Any) -> Any:
            pool = runs if isinstance(runs, Pool) else runs(current_request().environ["QUERY_STRING"])
            return view(**values) if pool is None else pool.run(partial(view, **values))

        return handle

    return decorate
