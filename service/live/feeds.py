"""Delivers the events of watched games to all followers in this process, once each and in order.

One connection per process listens for appends, whoever made them. A message is only a hint and may be lost: whatever
does not follow the last version is read from the log.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from games.errors import Unavailable
from games.snapshot import Entry, Snapshot
from games.times import now_ms
from service.live.feed import Feed, Reader
from service.live.following import Follow, becomes_another, is_end, turns_over
from service.live.frames import FollowerView, Stretch
from service.live.lobby_changes import LobbyChanges
from service.live.notice_feeds import NoticeFeeds
from service.live.noticeboard import Notices
from service.live.revocation import Bearers
from service.live.subscriptions import Address, Subscriptions
from service.store import keys
from service.store.event_log import read_entry

THREADS: Final = 4
"""Threads that read logs. They are separate from those of actions, so that a rush of streams does not delay actions."""
PAGE: Final = 100
RECENT: Final = 64
"""How many events of a game are kept for followers who come a moment late."""
MOST_UNREAD: Final = 1000
AT_ONCE: Final = 100
"""Deliveries before other tasks get their turn."""
SWEEP_SECONDS: Final = 5.0
LATE_MS: Final = 1000
"""How late a clock may be before this process acts on it."""

LOBBY: Final = ""
"""Whose changes the lobby's are: there is one."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Stream(Reader, Protocol):
    """A follower of a game."""

    lens: FollowerView

    @property
    def begun(self) -> int:
        """The version of the game at which the lens was chosen."""


class Messages(NamedTuple):
    """Functions that encode an event, a frame, a notice or a change of the lobby as one message of a stream."""

    event: Callable[[dict[str, Any]], bytes]
    frame: Callable[[dict[str, Any]], bytes]
    notice: Callable[[dict[str, Any]], bytes]
    change: Callable[[dict[str, Any]], bytes]


class _Feed(Feed):
    """A watched game: the version delivered so far, and its followers."""

    def __init__(self, snapshot: Snapshot | None, game: str, version: int) -> None:
        super().__init__()
        self.game = game
        self.snapshot = snapshot
        self.version = version
        self.streams: dict[FollowerView, set[Stream]] = {}
        self.joining = 0
        self.recent: deque[Entry] = deque(maxlen=RECENT)
        self.unread: deque[bytes] = deque()

    @property
    def needed(self) -> bool:
        """Returns whether anybody follows the game."""
        return bool(self.streams or self.waiting or self.joining)

    def everybody(self) -> list[Stream]:
        """Returns all streams."""
        return [stream for some in self.streams.values() for stream in some]


class Feeds:
    """All watched games of this process; use it from one event loop only."""

    def __init__(
        self,
        follow: Follow,
        board: Notices,
        lobby: LobbyChanges,
        address: Callable[[], Address],
        messages: Messages,
        sent: Callable[[int], None],
    ) -> None:
        """`messages` encodes what is sent; `sent` is called with the number of messages written."""
        self._follow = follow
        self._messages = messages
        self._sent = sent
        self._feeds: dict[str, _Feed] = {}
        self._pool = ThreadPoolExecutor(THREADS, "feed")
        self._loop = asyncio.get_running_loop()
        self._bearers = Bearers(lambda proofs: self._run(follow.replaced, proofs))
        self._subscriptions = Subscriptions(address, self._heard, self._confirmed)
        self._subscriptions.add(keys.TOKENS)  # before all games: they wait for what is read because of it
        heard = (self._subscriptions, self._bearers, self._run)
        self.notices = NoticeFeeds(board, keys.bell, *heard, messages.notice, sent)
        self.lobby = NoticeFeeds(lobby, lambda _: keys.LISTED_FEED, *heard, messages.change, sent, shared=True)
        self._tasks = [self._loop.create_task(self._subscriptions.run()), self._loop.create_task(self._sweep())]
        self.closing = False

    # --- following ---

    async def join(self, snapshot: Snapshot, stream: Stream) -> None:
        """Sends a stream everything after its version until `leave`, the game's end, or the revocation of its token.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        await self._bearers.add(stream)
        if stream.closed:
            return
        if snapshot.ended:
            await self._replay(snapshot, stream, snapshot.version)
            stream.end()
            return
        feed = self._feed(snapshot.id, snapshot.version, snapshot)
        feed.joining += 1
        try:
            while stream.version < feed.version and not stream.closed:
                if feed.recent and feed.recent[0].version <= stream.version + 1:
                    entries = [entry for entry in feed.recent if entry.version > stream.version]
                    await self._write([stream], stream.lens, Stretch(snapshot, entries))
                else:
                    await self._replay(snapshot, stream, feed.version)
            feed.streams.setdefault(stream.lens, set()).add(stream)
        finally:
            feed.joining -= 1
        if self.closing or self._feeds.get(snapshot.id) is not feed:
            stream.end()

    def leave(self, game: str, stream: Stream) -> None:
        """Removes a stream."""
        self._bearers.discard(stream)
        feed = self._feeds.get(game)
        if feed is not None and stream.lens in feed.streams:
            some = feed.streams[stream.lens]
            some.discard(stream)
            if not some:
                del feed.streams[stream.lens]

    async def wait(self, game: str, after: int, seconds: float) -> None:
        """Returns when a game has an event after a version, after so many seconds, or at shutdown."""
        feed = self._feed(game, after, None)
        if feed.version <= after and not self.closing:
            await feed.wait(after, seconds)

    def close(self) -> None:
        """Ends every stream and every wait at shutdown. Clients reconnect elsewhere and resume."""
        self.closing = True
        self.notices.close()
        self.lobby.close()
        for feed in list(self._feeds.values()):
            self._give_up(feed)
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _feed(self, game: str, version: int, snapshot: Snapshot | None) -> _Feed:
        feed = self._feeds.get(game)
        if feed is None:
            feed = self._feeds[game] = _Feed(snapshot, game, version)
            self._subscriptions.add(keys.feed(game))
        if snapshot is not None and (feed.snapshot is None or feed.snapshot.version < snapshot.version):
            feed.snapshot = snapshot
        return feed

    async def _replay(self, snapshot: Snapshot, stream: Stream, upto: int) -> None:
        """Sends a stream the log after its version, at its reader's pace."""
        while stream.version < upto and not stream.closed:
            entries, following = await self._run(self._follow.entries, snapshot.id, stream.version, PAGE)
            await self._write([stream], stream.lens, Stretch(snapshot, entries, following))
            await stream.room()

    # --- hearing ---

    def _heard(self, channel: str, said: bytes) -> None:
        if channel == keys.TOKENS:
            self._bearers.heard(said.decode())
            return
        feed = self._announced(channel)
        if feed is None:
            return
        feed.unread.append(said)
        if len(feed.unread) > MOST_UNREAD:
            feed.unread.clear()
            feed.stale = True
        self._wake(feed)

    def _confirmed(self, channel: str) -> None:
        # From now on every message is heard. Read whatever came before.
        if channel == keys.TOKENS:
            self._bearers.doubt()
            return
        feed = self._announced(channel)
        if feed is not None:
            feed.stale = True
            self._wake(feed)

    def _announced(self, channel: str) -> _Feed | None:
        """Returns the watched game that a channel announces; news for players and of the lobby is passed on."""
        if channel == keys.LISTED_FEED:
            self.lobby.hear(LOBBY)
        elif (player := keys.player_of(channel)) is not None:
            self.notices.hear(player)
        else:
            return self._feeds.get(keys.game_of(channel))
        return None

    def _wake(self, feed: _Feed) -> None:
        if feed.work is None and not self.closing:
            feed.work = self._loop.create_task(self._work(feed))

    async def _work(self, feed: _Feed) -> None:
        try:
            while feed.stale or feed.unread:
                if feed.stale:
                    feed.stale = False
                    await self._catch_up(feed)
                else:
                    await self._take(feed, feed.unread.popleft())
        except Unavailable:
            feed.stale = True
            self._loop.call_later(1.0, self._wake, feed)
        except Exception:
            _log.exception("the feed of game %s has failed; its streams are ended", feed.game)
            self._give_up(feed)
        finally:
            feed.work = None

    async def _take(self, feed: _Feed, said: bytes) -> None:
        """Takes in a published message: the events and the version of the first, or the last version alone."""
        head, *stored = said.split(b"\n")
        first = int(head)
        if not stored or first > feed.version + 1:
            feed.stale = first > feed.version
            return
        entries = [read_entry(version, raw) for version, raw in enumerate(stored, first) if version > feed.version]
        if entries:
            await self._deliver(feed, entries)

    async def _catch_up(self, feed: _Feed) -> None:
        more = True
        while more:
            entries, following = await self._run(self._follow.entries, feed.game, feed.version, PAGE)
            await self._bearers.settle()  # last, so that nothing read is newer than the known tokens
            more = bool(following)
            if entries:
                await self._deliver(feed, entries, following)

    async def _deliver(self, feed: _Feed, entries: Sequence[Entry], following: Sequence[Entry] = ()) -> None:
        # Only the feed's one task delivers, so events keep the log's order.
        feed.recent.extend(entries)
        feed.version = entries[-1].version
        feed.let_go(feed.version)
        if feed.streams:
            assert feed.snapshot is not None, "whoever has a stream has seen the game"
            stretch = Stretch(feed.snapshot, entries, following)
            for lens in list(feed.streams):
                await self._write(feed.streams.get(lens, ()), lens, stretch)
            if stretch.steps and feed.snapshot.version < feed.version:
                feed.snapshot = stretch.steps[-1].after
        if not following and any(map(is_end, feed.recent)):
            self._give_up(feed)

    async def _write(self, streams: Iterable[Stream], lens: FollowerView, stretch: Stretch) -> None:
        """Writes events or frames to streams with the same lens, to each those after its version."""
        entries = stretch.entries
        if lens.language is None and lens.drawn is None:
            told = self._follow.told(lens, stretch)
        else:
            told = await self._run(self._follow.told, lens, stretch)
        encode = self._messages.event if lens.drawn is None else self._messages.frame
        messages = [(one["version"], encode(one)) for one in told]
        whole = b"".join(message for _, message in messages)
        sent = 0
        moves = [entry for entry in entries if turns_over(entry)]
        for done, stream in enumerate([stream for stream in streams if not stream.closed], 1):
            last = _last_for(stream, moves) if moves else None
            if last is not None:
                known = [message for version, message in messages if stream.version < version <= last]
                stream.write(b"".join(known))
                sent += len(known)
                stream.end()  # they reconnect as who they are now
            elif stream.version < entries[0].version:
                stream.write(whole)
                sent += len(messages)
            else:
                newer = [message for version, message in messages if version > stream.version]
                stream.write(b"".join(newer))
                sent += len(newer)
            stream.version = max(stream.version, entries[-1].version)
            if done % AT_ONCE == 0:
                await asyncio.sleep(0)
        self._sent(sent)

    def _give_up(self, feed: _Feed) -> None:
        """Ends everything that follows a game."""
        for stream in feed.everybody():
            stream.end()
        feed.streams.clear()
        feed.let_go()
        if self._feeds.get(feed.game) is feed:
            del self._feeds[feed.game]
            self._subscriptions.remove(keys.feed(feed.game))

    # --- what nobody has said ---

    async def _sweep(self) -> None:
        """Checks now and then for missed messages, and drops games that nobody follows."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for feed in [feed for feed in self._feeds.values() if not feed.needed and feed.work is None]:
                self._give_up(feed)
            feeds = list(self._feeds.values())
            self._bearers.doubt()
            try:
                await self._bearers.settle()
                for at in range(0, len(feeds), 500):
                    await self._look(feeds[at : at + 500])
                await self.notices.look()
                await self.lobby.look()
            except Unavailable:
                pass  # next time
            except Exception:
                _log.exception("what may not have been heard cannot be read; it is tried again")

    async def _look(self, feeds: Sequence[_Feed]) -> None:
        known = [feed.version for feed in feeds]
        heads = await self._run(self._follow.heads, [feed.game for feed in feeds])
        now = now_ms()
        for feed, version, head in zip(feeds, known, heads, strict=True):
            if head is None:
                continue
            if head.version > feed.version:
                feed.stale = True
                self._wake(feed)
            elif head.version < version:
                # After Redis was restored from an older copy, the history differs: followers must start again.
                self._give_up(feed)
            if head.deadline is not None and head.deadline + LATE_MS < now:
                await self._run(self._follow.bring_up_to_time, feed.game)

    async def _run(self, call: Callable[..., T], *arguments: Any) -> T:
        if self.closing:
            raise Unavailable("the process stops")
        return await self._loop.run_in_executor(self._pool, call, *arguments)


def _last_for(stream: Stream, moves: Sequence[Entry]) -> int | None:
    """Returns up to which version a stream may be written, because its reader becomes another viewer; None if they do
    not.

    They get that event, and the rest of its step as whom they are then. A frame is not divided: they get the whole step
    when they reconnect.
    """
    for entry in moves:
        if entry.version > stream.begun and becomes_another(entry, stream.lens.viewer, stream.caller):
            return entry.version if stream.lens.drawn is None else entry.version - 1
    return None
