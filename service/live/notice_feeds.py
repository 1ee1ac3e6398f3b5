"""Delivers notifications, and changes of the lobby, to all their readers in this process, once each and in order.

A message that a player has a notification is only a hint and may be lost; the notifications themselves are read.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

from games.errors import Refused, Unavailable
from service.live.feed import Feed, Reader
from service.live.revocation import Bearers
from service.live.subscriptions import Subscriptions

PAGE: Final = 100
AT_ONCE: Final = 500

Run = Callable[..., Awaitable[Any]]
"""Runs a blocking call in a thread."""

_log = logging.getLogger(__name__)


class Board(Protocol):
    """Reads what there is to tell; `whose` is a player, or the one lobby."""

    def after(self, whose: str, cursor: int, limit: int, /) -> Sequence[dict[str, Any]]:
        """Reads at most `limit` items after a cursor, each with its `cursor`. Raises `Refused` if some are gone."""

    def counts(self, whose: Sequence[str], /) -> list[int | None]:
        """Reads the newest cursors; None for those that cannot be read."""


class _Feed(Feed):
    """The readers of one player's notifications."""

    def __init__(self, player: str) -> None:
        super().__init__()
        self.player = player
        self.streams: set[Reader] = set()

    @property
    def low(self) -> int | None:
        """Returns the lowest cursor of all readers; None if nobody reads."""
        streams = [stream.version for stream in self.streams if not stream.closed]
        return min(streams + [after for after, future in self.waiting if not future.done()], default=None)


class NoticeFeeds:
    """All players of this process who read notifications; use it from one event loop only."""

    def __init__(
        self,
        board: Board,
        channel: Callable[[str], str],
        subscriptions: Subscriptions,
        bearers: Bearers,
        run: Run,
        frame: Callable[[dict[str, Any]], bytes],
        sent: Callable[[int], None],
        *,
        shared: bool = False,
    ) -> None:
        """`channel` names where news is published; `frame` encodes an item; `sent` learns the number written.

        Readers of what is `shared` are strangers to one another: none waits for another's slow connection.
        """
        self._shared = shared
        self._board = board
        self._channel = channel
        self._subscriptions = subscriptions
        self._bearers = bearers
        self._run = run
        self._frame = frame
        self._sent = sent
        self._feeds: dict[str, _Feed] = {}
        self._closing = False

    async def join(self, player: str, stream: Reader) -> None:
        """Sends a stream everything after its cursor until `leave` or the revocation of its token.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        await self._bearers.add(stream)
        if self._shared:
            await stream.room()  # what it began with may be long
        if self._closing:
            stream.end()
        if not stream.closed:
            feed = self._feed(player)
            feed.streams.add(stream)
            self._wake(feed)

    def leave(self, player: str, stream: Reader) -> None:
        """Removes a stream."""
        self._bearers.discard(stream)
        feed = self._feeds.get(player)
        if feed is not None:
            feed.streams.discard(stream)

    async def wait(self, player: str, after: int, seconds: float) -> None:
        """Returns when a player has a notification after a cursor, after so many seconds, or at shutdown."""
        if self._closing:
            return
        feed = self._feed(player)
        self._wake(feed)  # its task begins after this call waits
        await feed.wait(after, seconds)

    def hear(self, player: str) -> None:
        """Records that a player may have a new notification."""
        feed = self._feeds.get(player)
        if feed is not None:
            self._wake(feed)

    async def look(self) -> None:
        """Checks for missed messages, and drops players whose notifications nobody reads.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        for feed in [feed for feed in self._feeds.values() if feed.low is None and feed.work is None]:
            self._forget(feed)
        feeds = list(self._feeds.values())
        for at in range(0, len(feeds), AT_ONCE):
            some = feeds[at : at + AT_ONCE]
            known = [(stream, stream.version) for feed in some for stream in feed.streams]
            for feed, count in zip(some, await self._run(self._board.counts, [f.player for f in some]), strict=True):
                if self._shared and count is not None:
                    self._end_ahead(known, count)
                if count is not None and feed.low is not None and count != feed.low:
                    self._wake(feed)

    def _end_ahead(self, known: Sequence[tuple[Reader, int]], count: int) -> None:
        """Ends streams that were further than there is anything: Redis was restored, and what they know is no more."""
        for stream, version in known:
            if version > count:
                stream.end()

    def close(self) -> None:
        """Ends every stream and every wait at shutdown. Clients reconnect elsewhere and resume."""
        self._closing = True
        for feed in list(self._feeds.values()):
            self._forget(feed)

    def _feed(self, player: str) -> _Feed:
        feed = self._feeds.get(player)
        if feed is None:
            feed = self._feeds[player] = _Feed(player)
            self._subscriptions.add(self._channel(player))
        return feed

    def _forget(self, feed: _Feed) -> None:
        for stream in feed.streams:
            stream.end()
        feed.streams.clear()
        feed.let_go()
        if self._feeds.get(feed.player) is feed:
            del self._feeds[feed.player]
            self._subscriptions.remove(self._channel(feed.player))

    def _wake(self, feed: _Feed) -> None:
        feed.stale = True
        if feed.work is None and not self._closing:
            feed.work = asyncio.get_running_loop().create_task(self._work(feed))

    async def _work(self, feed: _Feed) -> None:
        try:
            while feed.stale:
                feed.stale = False
                await self._catch_up(feed)
        except Unavailable:
            asyncio.get_running_loop().call_later(1.0, self._wake, feed)
        except Exception:
            _log.exception("the notices of player %s have failed; their streams are ended", feed.player)
            self._forget(feed)
        finally:
            feed.work = None

    async def _catch_up(self, feed: _Feed) -> None:
        while (low := feed.low) is not None:
            try:
                told: Sequence[dict[str, Any]] = await self._run(self._board.after, feed.player, low, PAGE)
            except Refused:
                # These are no longer kept; clients who reconnect are told so.
                for stream in [stream for stream in feed.streams if stream.version <= low]:
                    stream.end()
                    feed.streams.discard(stream)
                feed.let_go(low + 1)
                continue
            await self._bearers.settle()  # last, so that nothing read is newer than the known tokens
            if told:
                feed.let_go(told[-1]["cursor"])
                await self._write(feed, told)
            if len(told) < PAGE:
                return

    async def _write(self, feed: _Feed, told: Sequence[dict[str, Any]]) -> None:
        frames = [(notice["cursor"], self._frame(notice)) for notice in told]
        for stream in [stream for stream in feed.streams if not stream.closed]:
            newer = [frame for cursor, frame in frames if cursor > stream.version]
            stream.write(b"".join(newer))
            stream.version = max(stream.version, frames[-1][0])
            self._sent(len(newer))
            if not self._shared:
                await stream.room()
