"""Delivers notices, changes of the lobby, results, and news of queue tickets to their followers.

A published message only says to read them.
"""

from collections.abc import Callable, Sequence
from typing import Final

from games.errors import Refused
from service.live.feed import Feed, FeedStream, Item
from service.live.hub import Hub
from service.live.lobby_changes import LobbyChanges
from service.live.notices import Notices
from service.live.results import Results
from service.queue.queue import Queue

PAGE: Final = 100


class CursorFeeds:
    """All in this process who follow news by a cursor. Its coroutines may raise `Unavailable`."""

    def __init__(
        self,
        hub: Hub,
        origin: Notices | LobbyChanges | Results | Queue,
        channel: Callable[[str], str],
        *,
        shared: bool = False,
    ) -> None:
        """`origin` holds what `channel` announces.

        Followers of a `shared` feed are strangers to one another: none waits for another's slow connection.
        """
        self.hub = hub
        self.origin = origin
        self.shared = shared
        self._channel = channel

    async def join(self, whose: str, stream: FeedStream) -> None:
        """Sends a stream all notices, or other news, after its cursor until it leaves or its token is revoked."""
        is_open = await self.hub.admit(stream, self._channel(whose))
        if is_open and self.shared:
            await stream.room()  # what it began with may be long
            is_open = not stream.closed
        if self.hub.is_closing:
            stream.end()
        elif is_open:
            feed = self._feed(whose)
            feed.streams.add(stream)
            self.hub.refresh(feed)

    async def wait(self, whose: str, after: int, seconds: float) -> None:
        """Returns to a long-poll when a player has a notice after a cursor, after so many seconds, or at shutdown."""
        if self.hub.is_closing:
            return
        feed = self._feed(whose)
        self.hub.refresh(feed)  # its task begins after this call waits
        await feed.wait(after, seconds)

    async def look(self, feeds: Sequence["CursorFeed"]) -> None:
        """Looks for notices, or changes of the lobby, that live feeds have missed."""
        known = [[(stream, stream.version) for stream in feed.streams] for feed in feeds]
        counts = await self.hub.run(self.origin.counts, [feed.whose for feed in feeds])
        for feed, streams, count in zip(feeds, known, counts, strict=True):
            if count is None:
                continue
            for stream, version in streams:
                if version > count:  # Redis was restored from an older copy, and their notices are gone
                    stream.end()
            if feed.low not in (None, count):
                self.hub.refresh(feed)

    def _feed(self, whose: str) -> "CursorFeed":
        channel = self._channel(whose)
        return self.hub.feed(self, channel, lambda: CursorFeed(self, channel, whose))


class CursorFeed(Feed):
    """The followers of one player's notices, or of the lobby."""

    def __init__(self, source: CursorFeeds, channel: str, whose: str) -> None:
        super().__init__(channel)
        self._source = source
        self.whose = whose
        self._streams: set[FeedStream] = set()

    @property
    def streams(self) -> set[FeedStream]:
        """The streams of all followers of a player's notices, or of the lobby."""
        return self._streams

    @property
    def low(self) -> int | None:
        """The lowest cursor among the streams of a player's notices, or of the lobby; None if nobody reads."""
        streams = [stream.version for stream in self._streams if not stream.closed]
        return min(streams + [after for after, future in self.waiting if not future.done()], default=None)

    @property
    def is_needed(self) -> bool:
        """Whether any stream or long-poll follows a player's notices, or the lobby."""
        return self.low is not None

    def leave(self, stream: FeedStream) -> None:
        """Removes a stream from the live feed of its notices, or of the lobby."""
        self._streams.discard(stream)

    async def deliver(self) -> None:
        """Delivers the notices, or lobby changes, that the stream which is furthest behind lacks."""
        self.stale = False
        hub, origin = self._source.hub, self._source.origin
        while (low := self.low) is not None:
            try:
                items: Sequence[Item] = await hub.run(origin.after, self.whose, low, PAGE)
            except Refused:
                # These are no longer kept; clients who reconnect get `cursor_gone`.
                for stream in [stream for stream in self._streams if stream.version <= low]:
                    stream.end()
                self.let_go(low + 1)
                continue
            await hub.end_revoked()
            if items:
                self.let_go(items[-1]["cursor"])
                await self._write(items)
            if len(items) < PAGE:
                return

    async def _write(self, items: Sequence[Item]) -> None:
        for stream in [stream for stream in self._streams if not stream.closed]:
            lacks_all = stream.version < items[0]["cursor"]
            stream.write(items if lacks_all else [item for item in items if item["cursor"] > stream.version])
            stream.version = max(stream.version, items[-1]["cursor"])
            if not self._source.shared:
                await stream.room()
