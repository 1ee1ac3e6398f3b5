"""What a view may ask of the event loop around it, besides sending its response: to wait, or to go on as a stream."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from api.places import Place, Places, Turns
from service.live.feed import FeedStream, Item
from service.live.feeds import Feeds
from service.store.redis.greenlets import await_in_greenlet, current_call

LINK: Final = "billet.link"
"""The key of the link in a request's environment; without a link nothing waits, and a stream ends at once."""


class StreamStart(Protocol):
    """Where a stream begins, and for whom."""

    @property
    def caller(self) -> str | None:
        """The player who opens the stream; None without a token."""

    @property
    def proof(self) -> str | None:
        """Proof of their token; None without one."""

    @property
    def version(self) -> int:
        """The last version or cursor that they know. They are sent what follows."""


Join: TypeAlias = Callable[[Feeds, FeedStream], Coroutine[Any, Any, None]]
"""Has the feed that a stream follows send to it, until it leaves."""


class StreamPlan(NamedTuple):
    """How a stream goes on after what it begins with."""

    start: StreamStart
    join: Join
    message: Callable[[Item], bytes]
    """Encodes one item of that feed."""
    keep_alive: bytes
    """What the stream gets now and then while nothing happens."""


FeedName: TypeAlias = Literal["games", "notices", "results", "queue_tickets"]
"""The feeds of `Feeds` on which a long-poll may wait."""


class Link:
    """The link of one call."""

    def __init__(
        self,
        address: str,
        authorization: str,
        *,
        streams: Places,
        waiting: Places,
        turns: Turns,
        wait: Callable[[FeedName, str, int, float], Coroutine[Any, Any, None]],
    ) -> None:
        """Makes the link of a call from an address; `wait` ends when the long-poll is over."""
        self.address = address
        self._authorization = authorization
        self._streams, self._waiting, self._turns, self._wait = streams, waiting, turns, wait
        self._held: tuple[Places, Place] | None = None
        self.waited = 0.0
        """How long the call has waited, in seconds."""
        self.plan: StreamPlan | None = None
        """How the response goes on, if it is a stream."""

    def wait_for(self, feed: FeedName, whose: str, after: int, seconds: float) -> None:
        """Holds a long-poll until a feed has news after a version or cursor, but no longer than so many seconds.

        Raises:
            Refused: `rate_limited`, too many wait.
        """
        if current_call() is None:
            return  # a thread must not be held for so long; any wait may be cut short
        self._hold(self._waiting, player_of(self._authorization))
        begun = perf_counter()
        try:
            with self.away():
                await_in_greenlet(self._wait(feed, whose, after, seconds))
        finally:
            self.waited += perf_counter() - begun
            self.release()

    def keep_open(self, plan: StreamPlan) -> None:
        """Has all further events, notices, changes of the lobby or results sent after the response.

        Raises:
            Refused: `rate_limited`, too many streams are open.
        """
        self._hold(self._streams, plan.start.caller)
        self.plan = plan

    @contextmanager
    def away(self) -> Iterator[None]:
        """Lets the next call of the address run while this one waits or computes elsewhere."""
        self._turns.leave(self.address)
        try:
            yield
        finally:
            self._turns.resume(self.address)

    def release(self) -> None:
        """Gives back the place of a stream or long-poll, if the call holds one."""
        if self._held is not None:
            (places, place), self._held = self._held, None
            places.leave(place)

    def _hold(self, places: Places, player: str | None) -> None:
        self._held = places, places.take(self.address, player)


def player_of(authorization: str) -> str | None:
    """Returns the player in a token that is not checked yet; of a JWT, all but the signature."""
    return authorization.strip().rpartition(" ")[2].rpartition(".")[0] or None
