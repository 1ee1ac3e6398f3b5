"""The link between front and application for long-polls and streams: the application asks, the front waits."""

from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from api.front.places import Place, Places
from service.live.following import GameFollowing
from service.live.lobby_changes import LobbyFollowing
from service.live.notices import NoticesFollowing
from service.store.exchange.serving import finish, serving

LINK: Final = "billet.link"
"""The key of the link in a request's environment; without a link there is no front, and nothing waits."""

Following: TypeAlias = GameFollowing | NoticesFollowing | LobbyFollowing
"""What a stream follows, and from where on."""


class Wait(NamedTuple):
    """The condition of a long-poll: an event of a game after a version, or a notice to a player after a cursor."""

    kind: Literal["event", "notice"]
    whose: str
    after: int
    seconds: float


class Link:
    """The application's requests to the front, besides its response."""

    def __init__(
        self,
        streams: Places,
        waiting: Places,
        address: str,
        authorization: str,
        wait: Callable[[Wait, Place], Coroutine[Any, Any, None]],
    ) -> None:
        """Makes the front's link for a call of the application; its `wait` ends when the long-poll is over.

        The application checks the token in `authorization` before it uses the link.
        """
        self._streams = streams
        self._waiting = waiting
        self._address = address
        self._authorization = authorization
        self._wait = wait
        self._held: tuple[Places, Place] | None = None
        self.waited = 0.0
        """How long the call has waited, in seconds."""
        self.following: Following | None = None

    @property
    def place(self) -> Place:
        """The place in the front that a call's stream holds."""
        assert self._held is not None, "only a stream has a place"
        return self._held[1]

    def wait_for_event(self, game: str, after: int, seconds: float) -> None:
        """Has the front hold a long-poll until an event follows a version, but no longer than so many seconds.

        Raises:
            Refused: `rate_limited`, too many wait.
        """
        self._wait_for(Wait("event", game, after, seconds), player_of(self._authorization))

    def wait_for_notice(self, player: str, after: int, seconds: float) -> None:
        """Has the front hold a long-poll until its player gets a notice, but no longer than so many seconds.

        Raises:
            Refused: `rate_limited`, too many wait.
        """
        self._wait_for(Wait("notice", player, after, seconds), player)

    def follow(self, following: Following) -> None:
        """Asks the front to send all further events, notices or changes of the lobby after the response.

        Raises:
            Refused: `rate_limited`, too many streams are open.
        """
        self._hold(self._streams, following.caller)
        self.following = following

    def release(self) -> None:
        """Releases the place in the front that a call's stream or long-poll holds, if any."""
        if self._held is not None:
            places, place = self._held
            self._held = None
            places.leave(place)

    def _hold(self, places: Places, player: str | None) -> None:
        self._held = places, places.take(self._address, player)

    def _wait_for(self, wait: Wait, player: str | None) -> None:
        if serving() is None:
            return  # a thread must not be held for so long; any wait may be cut short
        self._hold(self._waiting, player)
        begun = perf_counter()
        try:
            finish(self._wait(wait, self.place))
        finally:
            self.waited += perf_counter() - begun
            self.release()


def player_of(authorization: str) -> str | None:
    """Returns the player in a call's token, which the front does not check; of a JWT, all but the signature."""
    return authorization.rpartition(" ")[2].rpartition(".")[0] or None
