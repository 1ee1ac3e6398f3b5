"""Follows a game: every event or frame once and in order, over whatever breaks meanwhile.

They come as server-sent events, or by long-poll where streams do not get through. Both have one cursor, the version
of the last one, so either goes on where the other was.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar

import httpx
import httpx_sse

from billet_client.connection import LOST, Connection
from billet_client.core.models import Frame
from billet_client.core.unions import GAME_EVENT_CLASSES, GameEvent
from billet_client.refusals import NotUnderstood, RateLimited, Refused
from billet_client.retries import attempts, may_pass, pause

Item = TypeVar("Item", GameEvent, Frame)
"""What is followed."""


class Page(NamedTuple, Generic[Item]):
    """What comes after a version, and whether that is all there will be."""

    items: list[Item]
    finished: bool


Ask = Callable[[int], Page[Item]]
"""Asks for what comes after a version, and waits for something."""

BARREN: Final = 2
"""After so many streams in a row of which nothing came, not even their opening, the events are asked for instead."""
NO_EVENT_SECONDS: Final = 1.0
"""The longest pause after a stream or a wait that brought no event, so that one that is cut at once is no flood."""
VIEW: Final = "game"
"""The name of what a stream begins with that was not told where to go on."""


class Barred(Exception):
    """Streams do not get through to this client."""


class Stream:
    """The event stream of a game or of the lobby, opened as often as needed."""

    def __init__(self, connection: Connection, path: str, query: Mapping[str, str | bool], silence: float) -> None:
        """A stream of which nothing is heard for `silence` seconds has been cut off."""
        self._connection = connection
        self._path = path
        self._query = query
        self._timeout = httpx.Timeout(connection.timeout.connect, read=silence)

    def opened(self, after: int | None) -> httpx.Response:
        """Returns the open stream of what comes after a version or cursor, tried for as long as there is patience.

        Raises:
            Barred: streams are refused. If that is because of the game, so are its pages, which then say why.
            Refused: the service was away for as long.
            NoAnswer: nothing was heard from the service for as long.
        """
        request = self._connection.build_request(
            "GET",
            self._path,
            params=self._query if after is None else {**self._query, "after": after},
            headers={"Accept": "text/event-stream", "Cache-Control": "no-store"},
            timeout=self._timeout,
        )
        return attempts(self._connection.patience)(self._open, request)

    def _open(self, request: httpx.Request) -> httpx.Response:
        try:
            return self._connection.send(request, stream=True)
        except Refused as refusal:
            full = isinstance(refusal, RateLimited) and (refusal.limit or "").startswith("streams")
            if full or not may_pass(refusal):
                raise Barred from refusal
            raise


def follow(
    stream: Stream | None, page: Ask[Item], read: Callable[[dict[str, Any]], Item], after: int
) -> Iterator[Item]:
    """Yields what comes after a version until the game has ended; without a stream by long-poll alone.

    `read` makes an event or a frame of what the service sent.

    Raises:
        Refused: the game may not be followed, or the service was away for as long as there was patience.
        NoAnswer: nothing was heard from the service for as long.
        NotUnderstood: this version of the client does not know what came.
    """
    if stream is not None:
        try:
            for item in streamed(stream, read, after):
                after = item.version
                yield item
            return
        except Barred:
            pass
    yield from polled(page, after)


def streamed(stream: Stream, read: Callable[[dict[str, Any]], Item], after: int) -> Iterator[Item]:
    """Yields events or frames as they come, from as many streams as it takes.

    Raises:
        Barred: streams do not get through.
    """
    barren = 0
    while True:
        begun, heard = after, False
        with contextlib.closing(stream.opened(after)) as response:
            if response.status_code == httpx.codes.NO_CONTENT:
                return
            try:
                for sent in httpx_sse.EventSource(response).iter_sse():
                    heard = True
                    if not sent.data or sent.event == VIEW:
                        continue
                    item = _item_of(sent.data, read)
                    if first_of(item) > after + 1:
                        break
                    if item.version > after:
                        after = item.version
                        yield item
            except LOST:
                pass
            except httpx_sse.SSEError as error:
                raise Barred from error
        barren = 0 if heard else barren + 1
        if barren == BARREN:
            raise Barred
        if after == begun:
            pause(NO_EVENT_SECONDS)


def polled(page: Ask[Item], after: int) -> Iterator[Item]:
    """Yields events or frames as they are asked for."""
    while True:
        found = page(after)
        for item in found.items:
            if first_of(item) > after + 1:
                raise NotUnderstood(f"event {first_of(item)} came after {after}")
            if item.version > after:
                after = item.version
                yield item
        if found.finished:
            return
        if not found.items:
            pause(NO_EVENT_SECONDS)


def first_of(item: GameEvent | Frame) -> int:
    """Returns the version of an event, or of the first event of a frame."""
    return item.events[0].version if isinstance(item, Frame) and item.events else item.version


def event_of(sent: dict[str, Any]) -> GameEvent:
    """Returns the event that the service sent."""
    return GAME_EVENT_CLASSES[sent["type"]].from_dict(sent)


def _item_of(data: str, read: Callable[[dict[str, Any]], Item]) -> Item:
    try:
        return read(json.loads(data))
    except (ValueError, TypeError, KeyError) as error:
        raise NotUnderstood(f"an event without sense: {error!r}") from error
