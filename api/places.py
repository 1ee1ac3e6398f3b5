"""Bounds what stays open for long: streams, long-polls, bodies on their way."""

import threading
from typing import Final, NamedTuple, TypeAlias

from games.errors import Refused
from games.messages import Message

Place: TypeAlias = list[tuple[int, str]]
"""What a call holds: the place in each bound that counts it."""


class Bound(NamedTuple):
    """How many of a kind a process, an address or a player may have; 0 means any number."""

    most: int
    limit: str
    """The name of the limit."""
    detail: str
    """The key of the text that a refused caller gets."""


UNBOUND: Final = Bound(0, "", "")


class Places:
    """Counts what is open of one kind."""

    def __init__(self, process: Bound, address: Bound, player: Bound = UNBOUND) -> None:
        self._bounds = process, address, player
        self._lock = threading.Lock()  # a route that runs in a thread may begin a stream
        self._held: dict[tuple[int, str], int] = {}

    def take(self, address: str, player: str | None = None) -> Place:
        """Takes a place for a call.

        Raises:
            Refused: `rate_limited`, no place is free.
        """
        place = [(0, ""), (1, address)]
        if player is not None:
            place.append((2, player))
        with self._lock:
            for key in reversed(place):
                bound = self._bounds[key[0]]
                if bound.most and self._held.get(key, 0) >= bound.most:
                    raise Refused("rate_limited", Message(bound.detail), limit=bound.limit, retry_after=1)
            for key in place:
                self._held[key] = self._held.get(key, 0) + 1
        return place

    def leave(self, place: Place) -> None:
        """Gives a place back."""
        with self._lock:
            for key in place:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]


def arriving_places() -> Places:
    """Returns the places for bodies that arrive after their heads: each may take memory for ten seconds."""
    return Places(
        Bound(400, "bodies_at_once", "detail.too_many_bodies"),
        Bound(100, "bodies_by_address", "detail.too_many_bodies"),
    )


def verifying_places() -> Places:
    """Returns the places for logs that are verified: each may be long, and few are verified at a time."""
    return Places(
        Bound(8, "verifying_at_once", "detail.verifying_already"),
        Bound(1, "verifying_at_once", "detail.verifying_already"),
    )


def stream_places() -> Places:
    """Returns the places for open streams."""
    return Places(
        Bound(6000, "streams", "detail.too_many_streams"),
        Bound(1000, "streams_by_address", "detail.too_many_streams_of_address"),
        Bound(20, "streams_per_player", "detail.too_many_streams_of_player"),
    )


def waiting_places() -> Places:
    """Returns the places for long-polls."""
    return Places(
        Bound(4000, "waiting", "detail.too_many_wait"),
        Bound(1000, "waiting_by_address", "detail.too_many_wait"),
        Bound(200, "waiting_per_player", "detail.too_many_wait"),
    )
