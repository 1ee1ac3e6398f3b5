"""Limits long-running calls per process, address and player, and shares scarce places fairly."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from games.errors import Refused
from games.messages import Message
from service.settings import Settings

Bound: TypeAlias = Literal["process", "address", "player"]


class PlaceLimit(NamedTuple):
    """The number of places for a process, an address or a player; 0 means no limit."""

    most: int
    name: str
    detail: str


class Place:
    """A place held by one call."""

    __slots__ = ("_give_up", "_is_lost", "address", "player")

    def __init__(self, address: str, player: str | None) -> None:
        self.address = address
        self.player = player
        self._give_up: Callable[[], object] | None = None
        self._is_lost = False

    def end_with(self, give_up: Callable[[], object]) -> None:
        """Sets what ends a stream, long-poll or body that loses its place; its client reconnects and resumes.

        It is done at once if the place was lost before the call had begun.
        """
        self._give_up = give_up
        if self._is_lost:
            give_up()

    def lose(self) -> None:
        """Ends the stream, long-poll or body whose place was given to another one."""
        self._is_lost = True
        if self._give_up is not None:
            self._give_up()


class Places:
    """All places of one kind."""

    def __init__(self, limits: dict[Bound, PlaceLimit]) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._players: Counter[str] = Counter()
        self._addresses: dict[str, dict[Place, None]] = {}
        self.count = 0

    def take(self, address: str, player: str | None) -> Place:
        """Takes a place for a stream, long-poll or body; if none is left, from the address with clearly the most.

        Raises:
            Refused: `rate_limited`, no place is free.
        """
        with self._lock:
            held = self._addresses.get(address, {})
            self._check("address", len(held))
            if player is not None:
                self._check("player", self._players[player])
            try:
                self._check("process", self.count)
            except Refused:
                if not self._make_room(len(held)):
                    raise
            place = Place(address, player)
            self._addresses.setdefault(address, held)[place] = None
            self._players[player or ""] += 1
            self.count += 1
            return place

    def leave(self, place: Place) -> None:
        """Gives back the place of a stream, long-poll or body."""
        with self._lock:
            if self._addresses.get(place.address, {}).pop(place, self) is self:
                return  # it was given up to another call, which counts instead
            self._forget(place)

    def _check(self, bound: Bound, held: int) -> None:
        limit = self._limits[bound]
        if limit.most and held >= limit.most:
            raise Refused("rate_limited", Message(limit.detail), limit=limit.name, retry_after=1)

    def _make_room(self, held: int) -> bool:
        """Ends the newest stream, long-poll or body of the address with the most, if the caller holds clearly fewer."""
        if not self._addresses:
            return False
        crowd = max(self._addresses.values(), key=len)
        if len(crowd) <= held + 1:
            return False
        place = next(reversed(crowd))
        del crowd[place]
        self._forget(place)
        place.lose()
        return True

    def _forget(self, place: Place) -> None:
        self.count -= 1
        self._players[place.player or ""] -= 1
        if not self._players[place.player or ""]:
            del self._players[place.player or ""]
        if not self._addresses[place.address]:
            del self._addresses[place.address]


def arriving_places() -> Places:
    """Returns the front's places for bodies that arrive after their heads: each may take memory for ten seconds."""
    return Places(
        {
            "process": PlaceLimit(2000, "bodies_at_once", "detail.too_many_bodies"),
            "address": PlaceLimit(400, "bodies_by_address", "detail.too_many_bodies"),
        }
    )


def stream_places(settings: Settings) -> Places:
    """Returns the front's places for open streams."""
    return Places(
        {
            "process": PlaceLimit(settings.streams_per_process, "streams", "detail.too_many_streams"),
            "address": PlaceLimit(
                settings.streams_per_address, "streams_by_address", "detail.too_many_streams_of_address"
            ),
            "player": PlaceLimit(
                settings.streams_per_player, "streams_per_player", "detail.too_many_streams_of_player"
            ),
        }
    )


def waiting_places(settings: Settings) -> Places:
    """Returns the front's places for long-polls."""
    return Places(
        {
            "process": PlaceLimit(settings.waiting_per_process, "waiting", "detail.too_many_wait"),
            "address": PlaceLimit(settings.waiting_per_address, "waiting_by_address", "detail.too_many_wait"),
            "player": PlaceLimit(settings.waiting_per_player, "waiting_per_player", "detail.too_many_wait"),
        }
    )
