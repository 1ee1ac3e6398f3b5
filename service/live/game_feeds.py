"""Delivers the events and frames of watched games as they are published; where that has a gap, from the log."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from games.snapshot import Entry, Snapshot
from games.tables.reactions import is_quiet
from games.times import ms_of
from service.inputs.clock import now_ms
from service.live.feed import Feed, FeedStream, Item
from service.live.frame_reader import FollowerView, Frames
from service.live.game_streams import GameStreams, GameStreamStart, changes_viewer, is_end, may_change_viewer
from service.live.hub import Hub
from service.live.reactions import Reaction, read_reaction
from service.store import channels
from service.store.log.event_log import read_entry

PAGE: Final = 100
RECENT: Final = 64
"""How many events of a game are kept for followers who come a moment late."""
MOST_UNREAD: Final = 1000
HINTED: Final = b"hints"
"""The message that a seat was given a hint."""
AT_ONCE: Final = 100
"""Deliveries before other tasks get their turn."""
LATE_MS: Final = 1000
"""How late a clock may be before this process acts on it."""


class GameFeeds:
    """All watched games of this process. Its coroutines may raise `Unavailable`."""

    def __init__(self, hub: Hub, game_streams: GameStreams, frames: Frames) -> None:
        self.hub = hub
        self.game_streams = game_streams
        self.frames = frames
        self._replaying = asyncio.Semaphore(1)
        """Replays take turns: several threads that compute would slow all calls down."""

    async def join(self, start: GameStreamStart, stream: FeedStream) -> None:
        """Sends a stream a game live from its version on, until it leaves, the game ends, or its token is revoked."""
        if not await self.hub.admit(stream, channels.feed(start.game)):
            return
        snapshot = start.snapshot
        if snapshot.ended and not start.stays:
            await self.replay(start, stream, snapshot.version)
            stream.end()
            return
        feed = self._feed(snapshot.id, snapshot.version)
        await feed.join(start, stream)
        if not self.hub.holds(feed) or (feed.ended_at is not None and not start.reactions):
            stream.end()

    async def wait(self, game: str, after: int, seconds: float) -> None:
        """Returns when a followed game has an event after a version, after so many seconds, or at shutdown."""
        feed = self._feed(game, after)
        if feed.version <= after and not self.hub.is_closing:
            await feed.wait(after, seconds)

    async def look(self, feeds: Sequence["GameFeed"]) -> None:
        """Looks for events that live feeds of games have missed, and for clocks that nobody has acted on."""
        known = [feed.version for feed in feeds]
        heads = await self.hub.run(self.game_streams.heads, [feed.game for feed in feeds])
        now = now_ms()
        for feed, version, head in zip(feeds, known, heads, strict=True):
            if feed.ended_at is not None and is_quiet(feed.ended_at, now):
                self.hub.forget(feed)
                continue
            if head is None:
                continue
            if head.version > feed.version:
                self.hub.refresh(feed)
            elif head.version < version:
                # After Redis was restored from an older copy, the history differs: followers must start again.
                self.hub.forget(feed)
            if head.deadline is not None and head.deadline + LATE_MS < now:
                await self.hub.run(self.game_streams.apply_clock, feed.game)

    async def replay(self, start: GameStreamStart, stream: FeedStream, upto: int) -> None:
        """Sends a stream the log of the followed game after its version, at its follower's pace."""
        known = start.snapshot
        while stream.version < upto and not stream.closed:
            entries, _ = await self.hub.run(self.frames.read, start.game, stream.version, PAGE)
            async with self._replaying:
                known = await self.write_one(start, stream, known, entries)
            await stream.room()

    async def write_one(
        self, start: GameStreamStart, stream: FeedStream, known: Snapshot, entries: Sequence[Entry]
    ) -> Snapshot:
        """Writes to one stream what it lacks of a followed game, which is `known` at any version; returns it after."""
        view = start.follower_view
        shown, after = await self.hub.run(self.frames.shown, [view], known, entries)
        await self.write(view, {stream: start.snapshot.version}, shown[view], entries)
        return after

    async def write(
        self, view: FollowerView, streams: Mapping[FeedStream, int], shown: Sequence[Item], entries: Sequence[Entry]
    ) -> None:
        """Writes what is shown of entries to the streams of a follower view, to each what is after its version.

        `streams` has the version of the game at which each of them chose the view.
        """
        moves = [entry for entry in entries if may_change_viewer(entry)]
        still_open = [(stream, chosen) for stream, chosen in streams.items() if not stream.closed]
        for done, (stream, chosen) in enumerate(still_open, 1):
            last = _last_for(view, chosen, stream.caller, moves) if moves else None
            if last is not None:
                stream.write([one for one in shown if stream.version < one["version"] <= last])
                stream.end()  # they reconnect as who they are now
            elif stream.version < entries[0].version:
                stream.write(shown)
            else:
                stream.write([one for one in shown if one["version"] > stream.version])
            stream.version = max(stream.version, entries[-1].version)
            if done % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _feed(self, game: str, version: int) -> "GameFeed":
        return self.hub.feed(self, channels.feed(game), lambda: GameFeed(self, game, version))


class GameFeed(Feed):
    """A watched game: the version delivered so far, and its followers. Its coroutines may raise `Unavailable`."""

    def __init__(self, source: GameFeeds, game: str, version: int) -> None:
        super().__init__(channels.feed(game))
        self._source = source
        self.game = game
        self.version = version
        self._snapshot: Snapshot | None = None
        self._streams: dict[FollowerView, dict[FeedStream, int]] = {}
        """By what they see, each with the version of the game at which that was chosen."""
        self.ended_at: int | None = None
        """When the game ended, in milliseconds since 1970. Followers who wait for reactions stay for a while."""
        self._reacted: set[FeedStream] = set()
        """Those that are sent reactions, too."""
        self._joining = 0
        self._recent: deque[Entry] = deque(maxlen=RECENT)
        self._unread: deque[bytes] = deque()

    @property
    def streams(self) -> list[FeedStream]:
        """All streams that follow the game of this live feed."""
        return [stream for some in self._streams.values() for stream in some]

    @property
    def is_needed(self) -> bool:
        """Whether anybody follows the game of this live feed."""
        return bool(self._streams or self.waiting or self._joining)

    @property
    def has_news(self) -> bool:
        """Whether there may be events to deliver to the followers of a game."""
        return self.stale or bool(self._unread)

    async def join(self, start: GameStreamStart, stream: FeedStream) -> None:
        """Sends a follower's stream what it lacks of a game, and from then on all that is delivered."""
        snapshot = start.snapshot
        if snapshot.finished_at is not None:
            self.ended_at = ms_of(snapshot.finished_at)
        if self._snapshot is None or self._snapshot.version < snapshot.version:
            self._snapshot = snapshot
        self._joining += 1
        try:
            while stream.version < self.version and not stream.closed:
                if self._recent and self._recent[0].version <= stream.version + 1:
                    entries = [entry for entry in self._recent if entry.version > stream.version]
                    await self._source.write_one(start, stream, snapshot, entries)
                else:
                    await self._source.replay(start, stream, self.version)
            self._streams.setdefault(start.follower_view, {})[stream] = snapshot.version
            if start.reactions:
                self._reacted.add(stream)
        finally:
            self._joining -= 1

    def leave(self, stream: FeedStream) -> None:
        """Removes a stream from the live feed of its game."""
        self._reacted.discard(stream)
        for view, some in list(self._streams.items()):
            some.pop(stream, None)
            if not some:
                del self._streams[view]

    def hear(self, message: bytes) -> None:
        """Keeps a published message about a followed game until the live feed delivers it."""
        self._unread.append(message)
        if len(self._unread) > MOST_UNREAD:
            self._unread.clear()
            self.stale = True

    async def deliver(self) -> None:
        """Delivers to a game's followers what was heard, or reads the log where something may be missing."""
        if not self.stale:
            await self._take(self._unread.popleft())
            return
        self.stale = False
        more = True
        while more:
            hub = self._source.hub
            entries, more = await hub.run(self._source.frames.read, self.game, self.version, PAGE)
            # The frames of these events count the hints that were given before them.
            hints = await hub.run(self._source.frames.hints, self.game)
            if self._snapshot is not None and self._snapshot.hints != hints:
                self._snapshot = replace(self._snapshot, hints=hints)
            await hub.end_revoked()
            if entries:
                await self._deliver(entries)

    async def _take(self, message: bytes) -> None:
        """Delivers a message to a game's followers: the first event's version and the events, or the last version.

        It may also be a reaction, or say that a hint was given: what does not bring all that has changed is read.
        """
        if message == HINTED:
            self.stale = True
            return
        reaction = read_reaction(message)
        if reaction is not None:
            await self._tell(reaction)
            return
        head, *stored = message.split(b"\n")
        if not head.isdigit():  # another version of the service says something else
            self.stale = True
            return
        first = int(head)
        if not stored or first > self.version + 1:
            self.stale = first > self.version
            return
        entries = [read_entry(version, raw) for version, raw in enumerate(stored, first) if version > self.version]
        if entries:
            await self._deliver(entries)

    async def _deliver(self, entries: Sequence[Entry]) -> None:
        shown = await self._shown(entries)
        self.version = entries[-1].version
        self._recent.extend(entries)
        self.let_go(self.version)
        for view, items in shown.items():
            await self._source.write(view, self._streams.get(view, {}), items, entries)
        for entry in entries:
            if is_end(entry):
                self._end_game(entry.at)

    def _end_game(self, at: str) -> None:
        """Ends all that follow a game which has ended, but for those who wait for reactions."""
        self.ended_at = ms_of(at)
        for stream in self.streams:
            if stream not in self._reacted:
                stream.end()
                self.leave(stream)
        self.let_go()
        if not self._reacted:
            self._source.hub.forget(self)

    async def _tell(self, reaction: Reaction) -> None:
        """Sends a reaction to a game's followers who want to know, but to nobody who has blocked its player."""
        callers = {stream.caller for stream in self._reacted if stream.caller is not None}
        blocking = await self._source.hub.run(self._source.game_streams.blocking, callers, reaction.player)
        items = [reaction.item]
        for stream in self._reacted:
            if stream.caller not in blocking and not stream.closed:
                stream.write(items)

    async def _shown(self, entries: Sequence[Entry]) -> dict[FollowerView, list[Item]]:
        """Returns what each kind of follower is shown of a game's entries, also of those who join while it is made."""
        shown: dict[FollowerView, list[Item]] = {}
        while missing := [view for view in self._streams if view not in shown]:
            assert self._snapshot is not None, "a feed with streams has the game"
            made, after = await self._source.hub.run(self._source.frames.shown, missing, self._snapshot, entries)
            shown |= made
            if self._snapshot.version < after.version:
                self._snapshot = after
        return shown


def _last_for(view: FollowerView, chosen: int, caller: str | None, moves: Sequence[Entry]) -> int | None:
    """Returns the last version to write to a follower who becomes another viewer; None if they do not.

    They get the event that makes them so. They reconnect, and get the rest of its step as the viewer they are then. A
    frame is not divided: they get the whole step after they reconnect.
    """
    for entry in moves:
        if entry.version > chosen and changes_viewer(entry, view.viewer, caller):
            return entry.version - 1 if view.frames else entry.version
    return None
