"""Holds the feeds of this process, and brings each the news that is published for it.

Each process listens, over one connection, for changes that any process makes. A message only says where to look,
and may be lost, so the hub also looks for changes now and then without one.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeVar, cast

from games.errors import Unavailable
from service.live.feed import Feed, FeedStream
from service.live.revocation import StreamsByToken
from service.store import channels
from service.store.redis.pubsub import Subscriptions

THREADS: Final = 4
"""Threads that read logs. They are separate from those of actions, so that a rush of streams does not delay actions."""
AT_ONCE: Final = 500
SWEEP_SECONDS: Final = 5.0

AnyFeed = TypeVar("AnyFeed", bound=Feed)
T = TypeVar("T")
_log = logging.getLogger(__name__)


class Source(Protocol):
    """Where feeds of one kind are read; looking may raise `Unavailable`."""

    async def look(self, feeds: Sequence[Any], /) -> None:
        """Looks for news that some live feeds of the hub have missed."""


class Hub:
    """The feeds of this process; use it from one event loop only. Its coroutines may raise `Unavailable`."""

    def __init__(
        self,
        listening: Callable[[], tuple[Any, str]],
        replaced: Callable[[Sequence[str]], set[str]],
        seen: Callable[[str], None],
    ) -> None:
        """Starts the hub of live feeds: `replaced` finds replaced tokens' proofs, `seen` takes players with streams."""
        self._seen = seen
        self.is_closing = False
        self._feeds: dict[str, tuple[Source, Feed]] = {}
        """By channel."""
        self._channels: dict[FeedStream, str] = {}
        """Of each stream that was admitted and has not left."""
        self._pool = ThreadPoolExecutor(THREADS, "feed")
        self._loop = asyncio.get_running_loop()
        self._streams_by_token = StreamsByToken(lambda proofs: self.run(replaced, proofs))
        self._subscriptions = Subscriptions(listening, self._heard, self._confirmed)
        self._subscriptions.add(channels.TOKENS)  # before all feeds: they wait for what is read because of it
        self._tasks = [self._loop.create_task(self._subscriptions.run()), self._loop.create_task(self._sweep())]

    # --- following ---

    async def admit(self, stream: FeedStream, channel: str) -> bool:
        """Has the hub end a stream, until `leave`, when its token is replaced; returns whether it is still open.

        `channel` is that of the live feed which the stream is about to join.
        """
        self._channels[stream] = channel
        await self._streams_by_token.add(stream)
        if self.is_closing:
            stream.end()
        return not stream.closed

    def leave(self, stream: FeedStream) -> None:
        """Removes a stream from the hub and from its live feed."""
        self._streams_by_token.discard(stream)
        channel = self._channels.pop(stream, None)
        if channel in self._feeds:
            self._feeds[channel][1].leave(stream)

    def feed(self, source: Source, channel: str, make: Callable[[], AnyFeed]) -> AnyFeed:
        """Returns the hub's live feed of a channel, made if nobody has followed it yet."""
        if channel not in self._feeds:
            self._feeds[channel] = source, make()
            self._subscriptions.add(channel)
        return cast("AnyFeed", self._feeds[channel][1])  # a channel is of one kind

    def holds(self, feed: Feed) -> bool:
        """Returns whether the hub still holds a live feed."""
        return feed.channel in self._feeds and self._feeds[feed.channel][1] is feed

    def forget(self, feed: Feed) -> None:
        """Ends all that follow a live feed, and drops it from the hub."""
        feed.end()
        if self.holds(feed):
            del self._feeds[feed.channel]
            self._subscriptions.remove(feed.channel)

    def close(self) -> None:
        """Ends all streams and long-polls of the hub at shutdown. Clients reconnect elsewhere and resume."""
        self.is_closing = True
        for _, feed in list(self._feeds.values()):
            self.forget(feed)
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    # --- reading ---

    async def run(self, call: Callable[..., T], *arguments: Any) -> T:
        """Runs in one of the hub's threads a call that reads from Redis for a live feed.

        Raises:
            Unavailable: the process stops, or what the call raises.
        """
        if self.is_closing:
            raise Unavailable("the process stops")
        return await self._loop.run_in_executor(self._pool, call, *arguments)

    async def end_revoked(self) -> None:
        """Ends the hub's streams whose tokens were replaced. Call it after reading and before sending what was read."""
        await self._streams_by_token.end_revoked()

    def refresh(self, feed: Feed) -> None:
        """Has a live feed of the hub read what there is."""
        feed.stale = True
        self._wake(feed)

    def _wake(self, feed: Feed) -> None:
        if feed.work is None and feed.has_news and not self.is_closing:
            feed.work = self._loop.create_task(self._work(feed))

    async def _work(self, feed: Feed) -> None:
        try:
            while feed.has_news:
                await feed.deliver()
        except Unavailable:
            self._loop.call_later(1.0, self.refresh, feed)
        except Exception:
            _log.exception("the feed of %s has failed; its streams are ended", feed.channel)
            self.forget(feed)
        finally:
            feed.work = None

    # --- hearing ---

    def _heard(self, channel: str, message: bytes) -> None:
        if channel == channels.TOKENS:
            self._streams_by_token.heard(message.decode())
        elif channel in self._feeds:
            feed = self._feeds[channel][1]
            feed.hear(message)
            self._wake(feed)

    def _confirmed(self, channel: str) -> None:
        # From now on every message is heard. Read whatever came before.
        if channel == channels.TOKENS:
            self._streams_by_token.note_gap()
        elif channel in self._feeds:
            self.refresh(self._feeds[channel][1])

    async def _sweep(self) -> None:
        """Checks now and then whether the hub missed messages, and drops live feeds that nobody follows."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for feed in [feed for _, feed in self._feeds.values() if not feed.is_needed and feed.work is None]:
                self.forget(feed)
            for player in self._streams_by_token.players():
                self._seen(player)
            self._streams_by_token.note_gap()
            try:
                await self._streams_by_token.end_revoked()
                for source in dict.fromkeys(source for source, _ in self._feeds.values()):
                    feeds = [feed for its, feed in self._feeds.values() if its is source]
                    for at in range(0, len(feeds), AT_ONCE):
                        await source.look(feeds[at : at + AT_ONCE])
            except Unavailable:
                pass  # next time
            except Exception:
                _log.exception("reading missed events failed; retrying")
