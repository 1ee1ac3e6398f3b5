"""The live feeds of a process: of games, notices, the lobby, results and queue tickets, on one hub."""

from collections.abc import Callable
from typing import Any, Final

from service.live.cursor_feeds import CursorFeeds
from service.live.frame_reader import Frames
from service.live.game_feeds import GameFeeds
from service.live.game_streams import GameStreams
from service.live.hub import Hub
from service.live.lobby_changes import LobbyChanges
from service.live.notices import Notices
from service.live.results import Results
from service.queue.queue import Queue
from service.store import channels

LOBBY: Final = ""
"""Whose changes the lobby's are: there is one."""


class Feeds(Hub):
    """All feeds of this process; use them from one event loop only."""

    def __init__(
        self,
        game_streams: GameStreams,
        frames: Frames,
        notices: Notices,
        lobby: LobbyChanges,
        results: Results,
        queue: Queue,
        listening: Callable[[], tuple[Any, str]],
        seen: Callable[[str], Any],
    ) -> None:
        """`seen` is called now and then with each player who has a stream open."""
        super().__init__(listening, game_streams.replaced, seen)
        self.games = GameFeeds(self, game_streams, frames)
        self.notices = CursorFeeds(self, notices, channels.new_notices)
        self.lobby = CursorFeeds(self, lobby, lambda _: channels.LOBBY, shared=True)
        self.results = CursorFeeds(self, results, lambda _: channels.RECORDED, shared=True)
        self.queue_tickets = CursorFeeds(self, queue, channels.end_of_wait)
        """They have long-polls and no streams: all their news is that they no longer wait."""
