"""What passes between front and application about a request that has no end at once; the front does the waiting."""

import threading
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from typing import Final, Literal, NamedTuple

from service.errors import Refused
from service.following import Following
from service.noticeboard import Told
from service.said import Said

LINK: Final = "billet.link"
"""Where the environment of a request holds its link; without one there is no front, and nothing is waited for."""


class Wait(NamedTuple):
    """What a long-poll waits for: an event of a game after a version, or a notice to a player after a cursor."""

    kind: Literal["event", "notice"]
    whose: str
    after: int
    seconds: float


class OpenStreams:
    """How many streams are open in this process, and whose."""

    def __init__(self, most: int, most_of_player: int) -> None:
        self._most = most
        self._most_of_player = most_of_player
        self._lock = threading.Lock()
        self._players: Counter[str] = Counter()
        self.count = 0

    def claim(self, player: str | None) -> None:
        """Makes room for one more.

        Raises:
            Refused: `rate_limited`, there are enough.
        """
        with self._lock:
            if self.count >= self._most:
                full = Said("detail.too_many_streams", {"most": self._most})
                raise Refused("rate_limited", full, limit="streams", retry_after=1)
            if player is not None and self._players[player] >= self._most_of_player:
                full = Said("detail.too_many_streams_of_player", {"most": self._most_of_player})
                raise Refused("rate_limited", full, limit="streams_per_player", retry_after=1)
            self.count += 1
            if player is not None:
                self._players[player] += 1

    def release(self, player: str | None) -> None:
        """Lets one go."""
        with self._lock:
            self.count -= 1
            if player is not None:
                self._players[player] -= 1
                if not self._players[player]:
                    del self._players[player]


class Link:
    """What the application asks of the front, beside its answer."""

    def __init__(self, streams: OpenStreams) -> None:
        self._streams = streams
        self.waited = False
        """Whether the wait that was asked for is over."""
        self.wait: Wait | None = None
        self.following: Following | Told | None = None
        self._held = ExitStack()

    def hold(self, place: AbstractContextManager[None]) -> None:
        """Enters what is left again when the request ends."""
        self._held.enter_context(place)

    def wait_elsewhere(self, game: str, after: int, seconds: float) -> None:
        """Asks to be called again when there is an event, or the time is up."""
        self.wait = Wait("event", game, after, seconds)

    def wait_for_notice(self, player: str, after: int, seconds: float) -> None:
        """Asks to be called again when a player is told something, or the time is up."""
        self.wait = Wait("notice", player, after, seconds)

    def follow(self, following: Following | Told) -> None:
        """Asks that all further events or notices are sent after the answer.

        Raises:
            Refused: `rate_limited`, too many streams are open.
        """
        self._streams.claim(following.caller)
        self.following = following

    def release(self) -> None:
        """Says that no more is sent."""
        self._held.close()
        if self.following is not None:
            self._streams.release(self.following.caller)
            self.following = None
