"""The link between front and application for long-polls and streams: the application asks, the front waits."""

from typing import Final, Literal, NamedTuple, TypeAlias

from api.front.places import Place, Places
from service.live.following import Following
from service.live.lobby_changes import LobbyStart
from service.live.noticeboard import NoticesStart

LINK: Final = "billet.link"
"""The key of the link in a request's environment; without a link there is no front, and nothing waits."""

Begun: TypeAlias = Following | NoticesStart | LobbyStart
"""A stream that has begun."""


class Wait(NamedTuple):
    """The condition of a long-poll: an event of a game after a version, or a notice to a player after a cursor."""

    kind: Literal["event", "notice"]
    whose: str
    after: int
    seconds: float


class Link:
    """The application's requests to the front, besides its response."""

    def __init__(self, streams: Places, waiting: Places, address: str, player: str | None) -> None:
        """`player` is the player of the call's token, which the application checks before it uses the link."""
        self._streams = streams
        self._waiting = waiting
        self._address = address
        self._player = player
        self._held: list[tuple[Places, Place]] = []
        self.waited = False
        """Whether the requested wait is over."""
        self.wait: Wait | None = None
        self.following: Begun | None = None

    @property
    def place(self) -> Place:
        """The place that the call holds, after its first request to the link."""
        return self._held[-1][1]

    def wait_elsewhere(self, game: str, after: int, seconds: float) -> None:
        """Asks the front to call again when there is an event, or the time is up.

        Raises:
            Refused: `rate_limited`, too many wait.
        """
        self._hold(self._waiting, self._player)
        self.wait = Wait("event", game, after, seconds)

    def wait_for_notice(self, player: str, after: int, seconds: float) -> None:
        """Asks the front to call again when a player gets a notice, or the time is up.

        Raises:
            Refused: `rate_limited`, too many wait.
        """
        self._hold(self._waiting, player)
        self.wait = Wait("notice", player, after, seconds)

    def follow(self, following: Begun) -> None:
        """Asks the front to send all further events, notices or changes of the lobby after the response.

        Raises:
            Refused: `rate_limited`, too many streams are open.
        """
        self._hold(self._streams, following.caller)
        self.following = following

    def release(self) -> None:
        """Releases all held places."""
        for places, place in self._held:
            places.leave(place)
        self._held.clear()

    def _hold(self, places: Places, player: str | None) -> None:
        self._held.append((places, places.take(self._address, player)))
